/** Every setting: its default, its meaning, its place in the file and in the environment. Read once, at the start. */

import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { UserError } from './core/errors.ts'

/** The environment a program was started in. */
export interface Surroundings {
  home: string
  env: Readonly<Record<string, string | undefined>>
}

const source = z
  .strictObject({
    name: z
      .string()
      .regex(/^[a-z0-9][a-z0-9_-]*$/, 'lower-case letters, digits, - and _')
      .describe('Public name, unique among all sources'),
    harness: z.string().min(1).describe('Harness whose format the files have: `claude-code`, `codex`'),
    path: z.string().min(1).describe('Folder to look for transcripts in; `~` is your home'),
  })
  .describe('A further place to read transcripts from')

/** Where a model is asked; needed where the provider is `http`. */
function endpoint(address: string, sent: string) {
  return {
    url: z
      .url({ protocol: /^https?$/ })
      .refine((url) => !/^https?:\/\/[^/?#]*@/i.test(url), 'a user or password does not belong in an address')
      .optional()
      .describe(`Address that ${sent} are posted to: \`${address}\`; on this machine Ollama, LM Studio or llama.cpp`),
    model: z.string().min(1).optional().describe('Name of the model, as the server calls it'),
    key_variable: z
      .string()
      .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'the name of an environment variable')
      .optional()
      .describe('Environment variable that holds the API key; the key itself is never written down'),
  }
}

function needsEndpoint(
  section: { provider: string; url?: string | undefined; model?: string | undefined },
  context: z.RefinementCtx,
): void {
  for (const key of ['url', 'model'] as const) {
    if (section.provider === 'http' && section[key] === undefined) {
      context.addIssue({ code: 'custom', path: [key], message: 'is needed with provider "http"' })
    }
  }
}

/** The file's schema; `docs/configuration.md` and the environment variables derive from it. */
export const configSchema = z.strictObject({
  database: z
    .strictObject({
      url: z
        .string()
        .min(1)
        .optional()
        .describe('`postgres://…` to share one archive among machines; a SQLite file in VARVE_HOME otherwise'),
    })
    .prefault({}),
  capture: z
    .strictObject({
      enabled: z.boolean().default(true).describe('Read transcripts by itself; off, only `varve capture` does'),
      exclude: z
        .array(z.string().min(1))
        .default([])
        .describe('Folders whose sessions are not captured, as path prefixes; `~` is your home'),
      sweep_seconds: z
        .number()
        .int()
        .min(1)
        .max(86_400)
        .default(30)
        .describe('How often everything is looked at, should the file watcher miss a change'),
    })
    .prefault({}),
  sources: z.array(source).default([]),
  context: z
    .strictObject({
      enabled: z
        .boolean()
        .default(true)
        .describe('Derive documents, decisions, labels and digests for the context tools'),
      folders: z
        .array(z.string().min(1))
        .default([])
        .describe('Folders whose documents are read besides those that sessions worked in; `~` is your home'),
      exclude: z
        .array(z.string().min(1))
        .default([])
        .describe('Files and folders that are no documents, as in .gitignore, below each project'),
      max_file_bytes: z
        .number()
        .int()
        .min(1)
        .max(16 * 1024 * 1024)
        .default(524_288)
        .describe('Largest file that is read as a document'),
      outcomes_move_ranking: z
        .boolean()
        .default(false)
        .describe('Let what was cited in earlier outcomes come a little higher'),
      conversations_search_lexical_fallback: z
        .boolean()
        .default(false)
        .describe('Let rift_conversations_search answer by keyword alone when search by meaning is off'),
      meaning: z
        .strictObject({
          provider: z
            .enum(['associations', 'encoder', 'http', 'off'])
            .default('associations')
            .describe(
              'Search by meaning: `associations`, words the archive uses together, built in; `encoder`, a sentence encoder for English on this machine, which `varve doctor` says how to install; `http`, vectors of an OpenAI-compatible server; `off`',
            ),
          ...endpoint('https://…/v1/embeddings', 'stored texts and questions'),
          dimensions: z
            .number()
            .int()
            .min(1)
            .max(8_192)
            .optional()
            .describe('Length of the vectors, for models that offer several; sent along with each request'),
        })
        .superRefine(needsEndpoint)
        .prefault({}),
      labels: z
        .strictObject({
          provider: z
            .enum(['rules', 'http'])
            .default('rules')
            .describe(
              'Labels of sessions (title, summary, topics, decisions): by `rules`, built in, or improved by a model behind `http`, an OpenAI-compatible server',
            ),
          ...endpoint('https://…/v1/chat/completions', 'the head and tail of each session'),
        })
        .superRefine(needsEndpoint)
        .prefault({}),
    })
    .prefault({}),
  redaction: z
    .strictObject({
      enabled: z.boolean().default(true).describe('Replace secrets before anything is stored'),
      extra_patterns: z
        .array(z.string().min(1))
        .default([])
        .describe('Regular expressions (RE2 syntax) of secrets of your own'),
    })
    .prefault({}),
  mcp: z
    .strictObject({
      max_results: z
        .number()
        .int()
        .min(1)
        .max(500)
        .default(50)
        .describe('Most sessions one page of a listing may hold'),
    })
    .prefault({}),
  http: z
    .strictObject({
      host: z
        .string()
        .min(1)
        .default('127.0.0.1')
        .describe('Address `varve up` listens on; only loopback addresses are accepted'),
      port: z
        .number()
        .int()
        .min(0)
        .max(65_535)
        .default(4747)
        .describe('Port `varve up` listens on; 0 takes a free one'),
    })
    .prefault({}),
  sample: z
    .strictObject({
      enabled: z
        .boolean()
        .default(true)
        .describe('Serve the made-up sample sessions while this machine has no transcripts'),
    })
    .prefault({}),
})

export type ConfigFile = z.output<typeof configSchema>

export interface Config extends ConfigFile {
  /** VARVE_HOME: holds the archive, the token and the file. */
  directory: string
  /** Where the file is, or would be. */
  file: string
}

/**
 * Reads `config.toml` in VARVE_HOME (default `~/.varve`); an environment variable such as VARVE_HTTP_PORT wins over its
 * key in the file. `~` is expanded in paths.
 * @throws UserError `usage` that names the key or the line.
 */
export async function loadConfig({ home, env }: Surroundings): Promise<Config> {
  const directory = resolve(expandHome(env['VARVE_HOME'] || join(home, '.varve'), home))
  const file = join(directory, 'config.toml')
  const settings = existsSync(file) ? await parseFile(file) : {}
  const parsed = configSchema.safeParse(withEnvironment(settings, env))
  if (!parsed.success) throw badSetting(parsed.error, file)
  const { capture, sources, context, ...rest } = parsed.data
  await checkPatterns(rest.redaction.extra_patterns)
  return {
    ...rest,
    capture: { ...capture, exclude: capture.exclude.map((path) => resolve(expandHome(path, home))) },
    context: { ...context, folders: context.folders.map((path) => resolve(expandHome(path, home))) },
    sources: sources.map((each) => ({ ...each, path: resolve(expandHome(each.path, home)) })),
    directory,
    file,
  }
}

/** One row of the documentation. */
export interface Setting {
  /** `http.port` */
  key: string
  description: string
  /** The environment variable that overrides it; undefined where a list of tables cannot be written in one. */
  variable: string | undefined
  type: 'text' | 'number' | 'boolean' | 'list' | 'table list'
  default: unknown
}

/** Every setting, in the schema's order. */
export function listSettings(): Setting[] {
  return settingsBelow([], jsonSchema())
}

/** Tables hold settings and further tables, at any depth. */
function settingsBelow(path: readonly string[], { properties = {} }: SettingSchema): Setting[] {
  return Object.entries(properties).flatMap(([key, schema]) =>
    schema.properties ? settingsBelow([...path, key], schema) : [settingOf([...path, key], schema)],
  )
}

/** The part of JSON Schema that our own schema uses. */
interface SettingSchema {
  type?: string
  description?: string
  default?: unknown
  properties?: Record<string, SettingSchema>
  items?: SettingSchema
}

function jsonSchema(): SettingSchema {
  return z.toJSONSchema(configSchema, { io: 'input' }) as SettingSchema
}

function settingOf(path: readonly string[], schema: SettingSchema): Setting {
  const tables = schema.items?.type === 'object'
  return {
    key: path.join('.'),
    description: schema.description ?? schema.items?.description ?? '',
    variable: tables ? undefined : ['VARVE', ...path].join('_').toUpperCase(),
    type: tables ? 'table list' : typeName(schema.type),
    default: schema.default,
  }
}

function typeName(type: string | undefined): Setting['type'] {
  if (type === 'boolean') return 'boolean'
  if (type === 'array') return 'list'
  return type === 'integer' || type === 'number' ? 'number' : 'text'
}

type Table = Record<string, unknown>

async function parseFile(path: string): Promise<Table> {
  const { parse } = await import('smol-toml')
  try {
    return parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new UserError('usage', `${path}: ${firstLine(error)}`, { remedy: 'mend the file, or move it away' })
  }
}

/** Values of the environment in the places of their keys. A list is comma-separated. */
function withEnvironment(settings: Table, env: Surroundings['env']): Table {
  const names = Object.keys(env).filter((name) => name.startsWith('VARVE_'))
  if (names.length === 0) return settings
  let merged = settings
  for (const { key, variable, type } of listSettings()) {
    const text = variable === undefined ? undefined : env[variable]
    if (text === undefined || text === '') continue
    merged = withValue(merged, key.split('.'), fromText(text, type))
  }
  return merged
}

/** A copy of a table with a value at a path below it. */
function withValue(table: Table, [name = '', ...rest]: readonly string[], value: unknown): Table {
  if (rest.length === 0) return { ...table, [name]: value }
  const inner = table[name]
  return { ...table, [name]: withValue(isTable(inner) ? inner : {}, rest, value) }
}

function isTable(value: unknown): value is Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** What is no number or boolean stays text, and the schema says what is wrong with it. */
function fromText(text: string, type: Setting['type']): unknown {
  if (type === 'list') return text.split(',').map((item) => item.trim())
  if (type === 'number') return Number.isNaN(Number(text)) ? text : Number(text)
  if (type === 'boolean') return { true: true, false: false, '1': true, '0': false }[text] ?? text
  return text
}

function badSetting(error: z.ZodError, file: string): UserError {
  const [issue] = error.issues
  const path = issue?.path.map(String) ?? []
  const key = [...path, ...(issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [])].join('.')
  const reason = issue?.code === 'unrecognized_keys' ? 'there is no such setting' : (issue?.message ?? 'not valid')
  return new UserError('usage', `setting ${key}: ${reason}`, {
    field: key,
    remedy: `see docs/configuration.md; settings come from ${file} and from variables such as VARVE_HTTP_PORT`,
  })
}

/** Users' patterns run in linear time, so they are RE2's. The engine is only read where there are some. */
async function checkPatterns(patterns: readonly string[]): Promise<void> {
  if (patterns.length === 0) return
  const { RE2JS } = await import('re2js')
  for (const [place, pattern] of patterns.entries()) {
    const field = `redaction.extra_patterns.${place}`
    try {
      RE2JS.compile(pattern)
    } catch (error) {
      throw new UserError('usage', `setting ${field}: not a regular expression: ${firstLine(error)}`, {
        field,
        remedy: 'write it in RE2 syntax: no look-around and no back-references',
      })
    }
  }
}

function expandHome(path: string, home: string): string {
  return path === '~' || /^~[/\\]/.test(path) ? join(home, path.slice(1)) : path
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? ''
}
