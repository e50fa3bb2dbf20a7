/** The edge of the command line: where text goes, where it comes from, and the surroundings of the process. */

import { homedir } from 'node:os'
import { createInterface } from 'node:readline/promises'
import { styleText } from 'node:util'

type Style = Parameters<typeof styleText>[0]

export interface Terminal {
  home: string
  env: Readonly<Record<string, string | undefined>>
  cwd: string
  platform: NodeJS.Platform
  /** A person reads stdout. */
  interactive: boolean
  /** Columns of the terminal; 80 where there is none. */
  columns: number
  /** Data, a line at a time, to stdout. */
  print(text: string): void
  /** Data as it is, to stdout; resolves when the reader has taken it. */
  write(text: string): Promise<void>
  /** Words for people, to stderr. */
  say(text: string): void
  /** Replaces the current line of stderr; for progress, and only where a person looks. */
  redraw(text: string): void
  /** Colours stdout's text where a person reads it. */
  paint(style: Style, text: string): string
  /** Asks a person; undefined where there is none to ask. */
  ask(question: string): Promise<string | undefined>
  /** Resolves when the process is asked to stop. */
  stopped(): Promise<void>
}

/** The terminal this process was started in. */
export function processTerminal(): Terminal {
  const { stdin, stdout, stderr, env } = process
  const interactive = stdout.isTTY === true
  const coloured = interactive && !env['NO_COLOR'] && env['TERM'] !== 'dumb'
  stdout.on('error', endOnClosedPipe)
  return {
    home: env['HOME'] || homedir(),
    env,
    cwd: process.cwd(),
    platform: process.platform,
    interactive,
    columns: stdout.columns || 80,
    print: (text) => {
      stdout.write(`${text}\n`)
    },
    write: (text) => new Promise((done) => stdout.write(text, () => done())),
    say: (text) => {
      stderr.write(`${text}\n`)
    },
    redraw: (text) => {
      // Back to the start of the line, write, and clear what an earlier, longer text left.
      if (stderr.isTTY) stderr.write(`\r${text}\u001b[K`)
    },
    paint: (style, text) => (coloured ? styleText(style, text) : text),
    ask: async (question) => {
      if (!stdin.isTTY) return undefined
      const prompt = createInterface({ input: stdin, output: stderr })
      try {
        return await prompt.question(question)
      } finally {
        prompt.close()
      }
    },
    stopped: () =>
      new Promise((stop) => {
        for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop())
      }),
  }
}

/** `varve search x | head` closes the pipe early; that is no failure. */
function endOnClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
  process.exit(0)
}
