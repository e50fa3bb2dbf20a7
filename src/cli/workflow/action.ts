/** What `varve workflow` can do: one value per action. */

import type { Options, OptionValue } from '../command.ts'
import type { Terminal } from '../terminal.ts'

/** The options of the command; each action reads those that concern it. */
export const workflowOptions = {
  answers: {
    type: 'text',
    value: 'FILE',
    repeated: true,
    description: 'simulate: answers as JSON, { "node": answer or [one per visit] }; each file is one walk',
  },
  seed: { type: 'number', description: 'simulate without answers: makes up others; 1 unless said otherwise' },
  with: {
    type: 'text',
    value: 'WORKFLOW',
    repeated: true,
    description: 'simulate: a workflow that subgraph nodes may enter, besides the bundled ones',
  },
  details: { type: 'boolean', description: 'show: with the first words of each node' },
  json: { type: 'boolean', description: 'print the result as data' },
} as const satisfies Options

export interface WorkflowAction {
  name: string
  /** One line, without a full stop. */
  summary: string
  /** How many workflows it takes. */
  takes: { least: number; most: number }
  /** @returns the exit code. */
  run(
    references: readonly string[],
    options: { [K in keyof typeof workflowOptions]: OptionValue<(typeof workflowOptions)[K]> },
    terminal: Terminal,
  ): Promise<number>
}

/** The result as data, for programs. */
export function printJson(terminal: Terminal, value: unknown): void {
  terminal.print(JSON.stringify(value, null, 2))
}
