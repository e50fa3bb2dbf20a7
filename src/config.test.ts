import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { listSettings, loadConfig } from './config.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'varve-config-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const load = (env: Record<string, string> = {}) => loadConfig({ home, env: { VARVE_HOME: home, ...env } })
const write = (text: string) => writeFileSync(join(home, 'config.toml'), text)

describe('configuration', () => {
  test('needs no file', async () => {
    const config = await load()
    expect(config).toMatchObject({
      database: {},
      capture: { enabled: true, exclude: [], sweep_seconds: 30 },
      sources: [],
      redaction: { enabled: true, extra_patterns: [] },
      mcp: { max_results: 50 },
      http: { host: '127.0.0.1', port: 4747 },
      sample: { enabled: true },
      directory: home,
    })
  })

  test('lives in .varve below the home folder unless VARVE_HOME says otherwise', async () => {
    expect((await loadConfig({ home, env: {} })).directory).toBe(join(home, '.varve'))
    expect((await loadConfig({ home, env: { VARVE_HOME: '~/elsewhere' } })).directory).toBe(join(home, 'elsewhere'))
  })

  test('is read from the file, with ~ expanded in paths', async () => {
    write(
      '[capture]\nexclude = ["~/secret"]\n[[sources]]\nname = "laptop"\nharness = "codex"\npath = "~/laptop"\n[http]\nport = 5000\n',
    )
    const config = await load()
    expect(config.capture).toEqual({ enabled: true, exclude: [join(home, 'secret')], sweep_seconds: 30 })
    expect(config.sources).toEqual([{ name: 'laptop', harness: 'codex', path: join(home, 'laptop') }])
    expect(config.http.port).toBe(5000)
  })

  test('of the context has defaults, and folders that may begin with ~', async () => {
    expect((await load()).context).toMatchObject({
      enabled: true,
      folders: [],
      exclude: [],
      max_file_bytes: 524_288,
      outcomes_move_ranking: false,
    })
    write('[context]\nfolders = ["~/notes"]\nexclude = ["drafts/"]\n')
    expect((await load()).context).toMatchObject({ folders: [join(home, 'notes')], exclude: ['drafts/'] })
  })

  test('lets an environment variable win over the file', async () => {
    write('[http]\nport = 5000\n[capture]\nenabled = true\n')
    const config = await load({
      VARVE_HTTP_PORT: '6000',
      VARVE_CAPTURE_ENABLED: 'false',
      VARVE_CAPTURE_EXCLUDE: '/a, /b',
    })
    expect(config.http.port).toBe(6000)
    expect(config.capture).toMatchObject({ enabled: false, exclude: [join('/a'), join('/b')] })
  })

  test('has tables inside tables, in the file and in the environment', async () => {
    write('[context.meaning]\nprovider = "http"\nurl = "http://127.0.0.1:1/v1/embeddings"\nmodel = "m"\n')
    const { context } = await load({ VARVE_CONTEXT_MEANING_MODEL: 'n', VARVE_CONTEXT_MEANING_DIMENSIONS: '12' })
    expect(context.meaning).toEqual({
      provider: 'http',
      url: 'http://127.0.0.1:1/v1/embeddings',
      model: 'n',
      dimensions: 12,
    })
    expect(context.labels).toEqual({ provider: 'rules' })
    expect(context.enabled).toBe(true)
    expect(listSettings().find(({ key }) => key === 'context.labels.key_variable')?.variable).toBe(
      'VARVE_CONTEXT_LABELS_KEY_VARIABLE',
    )
  })

  test.each([
    ['no address', {}, 'context.meaning.url'],
    ['no model', { VARVE_CONTEXT_MEANING_URL: 'http://localhost/v1/embeddings' }, 'context.meaning.model'],
    ['a password in its address', { VARVE_CONTEXT_MEANING_URL: 'http://me:secret@h/v1' }, 'context.meaning.url'],
    ['another protocol', { VARVE_CONTEXT_MEANING_URL: 'file:///etc/passwd' }, 'context.meaning.url'],
  ])('refuses a model behind an address with %s, without repeating it', async (_name, env, field) => {
    const loading = load({ VARVE_CONTEXT_MEANING_PROVIDER: 'http', ...env })
    await expect(loading).rejects.toMatchObject({ code: 'usage', details: { field } })
    await expect(loading).rejects.not.toThrow(/secret|passwd/)
  })

  test.each([
    ['an unknown section', '[telemetry]\non = true\n', /setting telemetry: there is no such setting/],
    ['an unknown key', '[http]\nprot = 1\n', /setting http\.prot: there is no such setting/],
    ['a wrong type', '[http]\nport = "high"\n', /setting http\.port: /],
    ['a number out of range', '[mcp]\nmax_results = 501\n', /setting mcp\.max_results: /],
    [
      'a pattern that is none',
      '[redaction]\nextra_patterns = ["("]\n',
      /setting redaction\.extra_patterns\.0: not a regular/,
    ],
    [
      'a bad source name',
      '[[sources]]\nname = "My Laptop"\nharness = "codex"\npath = "/x"\n',
      /setting sources\.0\.name: /,
    ],
    ['broken TOML', '[http\n', /config\.toml: /],
  ])('refuses %s and says where', async (_what, text, message) => {
    write(text)
    await expect(load()).rejects.toMatchObject({
      name: 'UserError',
      code: 'usage',
      message: expect.stringMatching(message),
    })
  })

  test('takes patterns in the syntax they will run in', async () => {
    write("[redaction]\nextra_patterns = ['(?i)acme-[0-9]{8}']\n")
    expect((await load()).redaction.extra_patterns).toEqual(['(?i)acme-[0-9]{8}'])
    write("[redaction]\nextra_patterns = ['(?=look)']\n")
    await expect(load()).rejects.toThrow(/extra_patterns\.0: not a regular expression/)
  })

  test('refuses a variable of the wrong type and names its key', async () => {
    await expect(load({ VARVE_HTTP_PORT: 'high' })).rejects.toThrow(/setting http\.port/)
    await expect(load({ VARVE_CAPTURE_ENABLED: 'yes please' })).rejects.toThrow(/setting capture\.enabled/)
  })

  test('describes every setting', () => {
    const settings = listSettings()
    expect(settings.map(({ key }) => key)).toContain('capture.sweep_seconds')
    expect(settings.filter(({ description }) => description === '')).toEqual([])
    expect(settings.find(({ key }) => key === 'http.port')).toMatchObject({
      variable: 'VARVE_HTTP_PORT',
      type: 'number',
      default: 4747,
    })
    expect(settings.find(({ key }) => key === 'sources')?.variable).toBeUndefined()
  })
})
