import { existsSync, statSync } from 'node:fs'
import { type App, createApp } from '../../app.ts'
import { defineCommand } from '../command.ts'
import { archivePlace, bytes, count, duration } from '../numbers.ts'
import { listServedTools } from '../self-test.ts'
import type { Terminal } from '../terminal.ts'

/** What a check found: a sentence, and what to do when it is not fine. */
interface Finding {
  state: 'ok' | 'warning' | 'failed'
  text: string
  remedy?: string
}

type Check = (app: App, terminal: Terminal) => Promise<Finding[]>

const ok = (text: string): Finding => ({ state: 'ok', text })
const warning = (text: string, remedy: string): Finding => ({ state: 'warning', text, remedy })
const failed = (text: string, remedy: string): Finding => ({ state: 'failed', text, remedy })

export const doctor = defineCommand({
  name: 'doctor',
  summary: 'Look for what could be wrong, and say what to do',
  description: 'The exit code is 1 when something does not work.',
  arguments: [],
  options: { json: { type: 'boolean', description: 'print the findings as data' } },
  async run({ options }, terminal) {
    const findings = await examine(terminal)
    if (options.json) terminal.print(JSON.stringify({ findings }, null, 2))
    else for (const line of findings.flatMap((finding) => shown(finding, terminal))) terminal.print(line)
    return findings.some(({ state }) => state === 'failed') ? 1 : 0
  },
})

/** Runs every check; one that breaks is a finding too. */
async function examine(terminal: Terminal): Promise<Finding[]> {
  const findings = [checkNode()]
  let app: App
  try {
    app = await createApp(terminal)
  } catch (error) {
    return [...findings, failed(`the configuration cannot be read: ${messageOf(error)}`, 'mend config.toml')]
  }
  try {
    for (const check of CHECKS) {
      try {
        findings.push(...(await check(app, terminal)))
      } catch (error) {
        findings.push(failed(messageOf(error), 'see docs/getting-started.md, "When something is missing"'))
      }
    }
    return findings
  } finally {
    await app.close()
  }
}

function checkNode(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const supported = major > 20 || (major === 20 && minor >= 19)
  const text = `Node ${process.versions.node}`
  return supported ? ok(text) : failed(`${text} is too old`, 'install Node 20.19 or newer')
}

const checkFolder: Check = async ({ config }, { platform }) => {
  const { directory } = config
  if (!existsSync(directory)) return [ok(`${directory} will be made at the first capture`)]
  // Windows has no such permission bits; a folder below the user's profile is private there.
  const open = platform !== 'win32' && (statSync(directory).mode & 0o077) !== 0
  return [
    open
      ? warning(`others on this machine can read ${directory}`, `chmod 700 ${directory}`)
      : ok(`${directory} is yours alone`),
  ]
}

const checkDatabase: Check = async (app) => {
  const { archive } = await app.status()
  const problems = await app.integrityProblems()
  if (problems.length === 0) return [ok(`the archive is sound: ${archivePlace(archive)}`)]
  return [
    failed(
      `the archive is damaged: ${problems[0]}`,
      `stop Varve, move ${archive.place} away and capture again; what the transcripts still hold comes back`,
    ),
  ]
}

const checkSources: Check = async (app) => {
  const { sources, archive } = await app.status()
  if (archive.sample)
    return [
      warning(
        'no transcripts were found; the sample is served',
        'use Claude Code or Codex, or add a source in config.toml',
      ),
    ]
  return sources
    .filter(({ present, files }) => present || files > 0)
    .flatMap((source) => {
      const { source: name, files, sessions, bytes: size, bytes_read: read, captured_at: at } = source
      const found = ok(
        `${name}: ${count(sessions, 'session')} from ${count(files, 'file')} in ${source.folders.join(', ')}`,
      )
      if (size <= read) return [found]
      const age = at === null ? '' : `, last read ${duration((Date.now() - Date.parse(at)) / 1000)} ago`
      return [
        found,
        warning(
          `${name}: ${bytes(size - read)} are not read yet${age}`,
          'run `varve capture --once`, or keep `varve up` running',
        ),
      ]
    })
}

const checkProblems: Check = async (app) => {
  const problems = await app.listProblems(20)
  return problems.map(({ path, record, reason, detail }) => {
    const place = record === undefined ? path : `${path}, line ${record + 1}`
    const remedy =
      record === undefined
        ? 'make it readable for you, or leave its folder out with capture.exclude'
        : 'nothing to do: it was kept as it is, and all else in the file was read'
    return warning(`${place}: ${reason}${detail === '' ? '' : ` (${detail})`}`, remedy)
  })
}

const checkLease: Check = async (app) => {
  const { holder } = (await app.status()).capture
  if (!app.config.capture.enabled)
    return [warning('reading transcripts is switched off', 'set capture.enabled = true to read them')]
  return [ok(holder === null ? 'no process reads transcripts at the moment' : `transcripts are read by ${holder}`)]
}

const checkServer: Check = async (_app, { env }) => {
  const tools = await listServedTools(env).catch((error: unknown) => messageOf(error))
  if (typeof tools === 'string')
    return [failed(`\`varve mcp\` does not work: ${tools}`, 'run `npm run build` and look at what `varve mcp` prints')]
  return [ok(`\`varve mcp\` starts and offers ${tools.join(', ')}`)]
}

/** Milliseconds a model is given to answer: more than a search gives it, since it may have to be loaded first. */
const MODEL_ANSWERS_IN = 10_000

const checkMeaning: Check = async (app) => {
  const { context } = await app.services()
  const caller = await app.caller()
  const { status, summary } = (await context.status(caller)).memory_diagnostics.meaning
  const text = `search by meaning: ${summary}`
  if (status === 'not_installed') return [warning('search by meaning: keywords alone are searched', summary)]
  const lane = context.lanes?.meaning
  if (!lane) return [ok(text)]
  const question = { text: 'harbour', owner: caller.owner, of: ['event'], limit: 1 } as const
  const answer = await lane.search(question, AbortSignal.timeout(MODEL_ANSWERS_IN))
  if (!('degraded' in answer)) return [ok(text)]
  return [
    warning(`${text} It does not answer: ${answer.degraded}`, 'see that the model runs; until then keywords answer'),
  ]
}

const CHECKS: readonly Check[] = [
  checkFolder,
  checkDatabase,
  checkSources,
  checkProblems,
  checkLease,
  checkMeaning,
  checkServer,
]

function shown({ state, text, remedy }: Finding, terminal: Terminal): string[] {
  const mark = {
    ok: terminal.paint('green', 'ok'),
    warning: terminal.paint('yellow', '!!'),
    failed: terminal.paint('red', 'XX'),
  }
  return [`${mark[state]}  ${text}`, ...(remedy === undefined ? [] : [`    ${remedy}`])]
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
