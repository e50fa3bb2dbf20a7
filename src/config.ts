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
  const { capture, sources, ...rest } = parsed.data
  await checkPatterns(rest.redaction.extra_patterns)
  return {
    ...rest,
    capture: { ...capture, exclude: capture.exclude.map((path) => resolve(expandHome(path, home))) },
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
  const properties = jsonSchema().properties ?? {}
  return Object.entries(properties).flatMap(([section, schema]) => {
    if (schema.type === 'array') return [settingOf(section, undefined, schema)]
    return Object.entries(schema.properties ?? {}).map(([key, value]) => settingOf(section, key, value))
  })
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

function settingOf(section: string, key: string | undefined, schema: SettingSchema): Setting {
  const tables = schema.items?.type === 'object'
  return {
    key: key === undefined ? section : `${section}.${key}`,
    description: schema.description ?? schema.items?.description ?? '',
    variable: tables ? undefined : ['VARVE', section, key].join('_').toUpperCase(),
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
  const merged = { ...settings }
  for (const { key, variable, type } of listSettings()) {
    const text = variable === undefined ? undefined : env[variable]
    if (text === undefined || text === '') continue
    const [section = '', name = ''] = key.split('.')
    const table = merged[section]
    merged[section] = { ...(typeof table === 'object' ? table : {}), [name]: fromText(text, type) }
  }
  return merged
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
