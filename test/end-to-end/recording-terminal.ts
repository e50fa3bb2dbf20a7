/** The command line inside the test's own process, on a machine of its own. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { runProgram } from '../../src/cli/program.ts'
import type { Terminal } from '../../src/cli/terminal.ts'

export interface Outcome {
  code: number
  out: string
  err: string
}

/** What a machine is made of when it is not all made up. */
export interface MachineSettings {
  home?: string
  env?: Record<string, string>
  platform?: NodeJS.Platform
}

/** A made-up home folder. */
export interface Machine {
  home: string
  env: Record<string, string>
  /** Writes a file below the home folder. */
  write(path: string, text: string): void
  /** Runs one command line; `answer` is what a person types when asked. */
  run(words: readonly string[], options?: { cwd?: string; answer?: string }): Promise<Outcome>
  remove(): void
}

export function makeMachine(settings: MachineSettings = {}): Machine {
  const { home = mkdtempSync(join(tmpdir(), 'varve-cli-')), env = {}, platform = process.platform } = settings
  return {
    home,
    env,
    write(path, text) {
      const file = join(home, path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text)
    },
    async run(words, { cwd = home, answer } = {}) {
      let out = ''
      let err = ''
      const terminal: Terminal = {
        home,
        env,
        cwd,
        platform,
        interactive: false,
        columns: 80,
        print: (text) => {
          out += `${text}\n`
        },
        write: async (text) => {
          out += text
        },
        say: (text) => {
          err += `${text}\n`
        },
        redraw: () => {},
        paint: (_style, text) => text,
        ask: async () => answer,
        stopped: () => new Promise(() => {}),
      }
      const code = await runProgram(words, terminal)
      return { code, out, err }
    },
    remove: () => rmSync(home, { recursive: true, force: true }),
  }
}
