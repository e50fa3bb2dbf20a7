/** The README's workflow section, followed to the letter by a client that reads only the text of the answers. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { bundled } from '../workflows/bundled.ts'
import { type LineClient, startLineClient } from './line-client.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

interface Call {
  tool: string
  arguments: Record<string, unknown>
}

let home: string
let client: LineClient

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'varve-readme-'))
  const env = { ...process.env, HOME: home, USERPROFILE: home, VARVE_HOME: join(home, '.varve') }
  client = startLineClient(process.execPath, [join(root, 'bin', 'varve.js'), 'mcp'], env)
  await client.initialize()
})

afterEach(async () => {
  client.process.stdin.end()
  await client.exited
  rmSync(home, { recursive: true, force: true })
})

/** The calls of the section, in their order. */
function readmeCalls(): Call[] {
  const section = readFileSync(join(root, 'README.md'), 'utf8').split('\n## Workflows\n')[1] ?? ''
  const block = /```json\n([\s\S]*?)```/.exec(section)?.[1] ?? ''
  return block
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Call)
}

/** Puts what the answers so far said in place of `<Process ID>` and the like. */
function fillIn(call: Call, known: ReadonlyMap<string, string>): Call {
  const text = JSON.stringify(call).replace(
    /<([^>]+)>/g,
    (_match, name: string) => known.get(name) ?? `unknown ${name}`,
  )
  return JSON.parse(text) as Call
}

test('quick-task runs to its end', { timeout: 60_000 }, async () => {
  const [prepare, execute, step] = readmeCalls() as [Call, Call, Call]
  const answers = bundled.find(({ slug }) => slug === 'quick-task')?.walks['main'] ?? {}
  const known = new Map<string, string>()
  const visits = new Map<string, number>()
  let asked = 0
  const ask = async (call: Call): Promise<{ text: string; nodeId: string | undefined }> => {
    const id = ++asked
    const { tool, arguments: args } = fillIn(call, known)
    client.call(id, tool, args)
    const { result } = (await client.response(id)) as {
      result: { isError?: boolean; content: { text: string }[]; structuredContent: { nodeId?: string } }
    }
    const text = result.content[0]?.text ?? ''
    expect(result.isError ?? false, text).toBe(false)
    for (const [, name = '', value = ''] of text.matchAll(/^(Start attempt ID|Process ID|Step attempt ID): (\S+)/gm)) {
      known.set(name, value)
    }
    return { text, nodeId: result.structuredContent.nodeId }
  }

  await ask(prepare)
  let shown = await ask(execute)
  for (let done = 0; done < 60 && !shown.text.includes('Workflow completed'); done++) {
    expect(shown.text).toContain('Your next task:')
    expect(shown.text).toContain('Success criteria:')
    const { nodeId = '' } = shown
    const prepared = answers[nodeId]
    const visit = visits.get(nodeId) ?? 0
    visits.set(nodeId, visit + 1)
    const input = Array.isArray(prepared) ? prepared[Math.min(visit, prepared.length - 1)] : prepared
    shown = await ask({ ...step, arguments: { ...step.arguments, input } })
  }
  expect(shown.text).toContain('Workflow completed')
})
