import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Machine, makeMachine } from '../end-to-end/recording-terminal.ts'
import { bundled } from './bundled.ts'

let machine: Machine
beforeEach(() => {
  machine = makeMachine()
})
afterEach(() => machine.remove())

const workflow = (...words: string[]) => machine.run(['workflow', ...words])

/** A question with a loop around it: asked again until the answer is yes, at most twice. */
const asking = {
  metadata: { name: 'Asking', version: '1.0.0', description: 'Asks until the answer is yes' },
  variableRegistry: {
    verdict: { type: 'string', enum: ['yes', 'no'], description: 'the answer' },
    round: { type: 'number', default: 0, description: 'times asked' },
  },
  nodes: [
    { id: 'start', type: 'start', connections: { default: 'ask' } },
    {
      id: 'ask',
      type: 'agent-directive',
      directive: 'Ask, the round is {{round}}.',
      completionCondition: 'Somebody answered.',
      inputSchema: { type: 'object', globalInputs: ['verdict'], required: ['verdict'] },
      maxRetries: 1,
      connections: { success: 'is-yes', maxRetriesExceeded: 'give-up' },
    },
    {
      id: 'is-yes',
      type: 'condition',
      condition: { operator: 'eq', left: { contextPath: 'verdict' }, right: 'yes' },
      connections: { true: 'end', false: 'count' },
    },
    { id: 'count', type: 'expression', expressions: ['round = round + 1'], connections: { default: 'ask' } },
    {
      id: 'leave',
      type: 'teleport',
      hint: 'to leave',
      directive: 'Leave.',
      completionCondition: 'Left.',
      connections: { success: 'give-up' },
    },
    { id: 'end', type: 'end', finalOutput: ['round'] },
    { id: 'give-up', type: 'end', finalOutput: ['round'] },
  ],
}

describe('varve workflow', () => {
  beforeEach(() => machine.write('asking.json', JSON.stringify(asking)))

  test('list shows what is bundled', async () => {
    const { code, out } = await workflow('list')
    expect(code).toBe(0)
    for (const { slug } of bundled) expect(out).toContain(`${slug} 1.0.0, `)
    const { workflows } = JSON.parse((await workflow('list', '--json')).out)
    expect(workflows[0]).toMatchObject({ id: 'varve/bug-hunt', slug: 'bug-hunt', version: '1.0.0' })
  })

  test('validate takes files and slugs, and exits with 0 only when all are valid', async () => {
    expect(await workflow('validate', 'asking.json', 'release', 'varve/research')).toEqual({
      code: 0,
      out: 'asking.json: valid, 7 nodes\nrelease: valid, 45 nodes\nvarve/research: valid, 39 nodes\n',
      err: '',
    })
    const broken = structuredClone(asking)
    Object.assign(broken.nodes[0]?.connections ?? {}, { default: 'nowhere' })
    machine.write('broken.json', JSON.stringify(broken))
    const { code, out } = await workflow('validate', 'broken.json')
    expect(code).toBe(1)
    expect(out).toMatch(/^error V27 Node "start" \(start\): .*"nowhere"/)
    expect(out).toMatch(/broken.json: not valid, 7 nodes, 1 error/)
    const json = await workflow('validate', 'broken.json', 'asking.json', '--json')
    expect(json.code).toBe(1)
    expect(JSON.parse(json.out)).toMatchObject({
      valid: false,
      workflows: [
        { valid: false, issues: expect.arrayContaining([expect.objectContaining({ code: 'V27' })]) },
        { valid: true, issues: [] },
      ],
    })
  })

  test('show draws the graph', async () => {
    const { code, out } = await workflow('show', 'asking.json', '--details')
    expect(code).toBe(0)
    expect(out).toContain('Asking 1.0.0: Asks until the answer is yes')
    expect(out).toMatch(/is-yes +condition +verdict eq "yes"/)
    expect(out).toMatch(/-> \d+ ask \^/)
    const { structure, connections } = JSON.parse((await workflow('show', 'asking.json', '--json')).out)
    expect(structure).toMatchObject({ nodeCount: 7, connectionCount: 7 })
    expect(connections).toContainEqual({ from: 'count', name: 'default', to: 'ask' })
  })

  test('simulate walks with given answers and tells what was passed', async () => {
    machine.write('twice.json', JSON.stringify({ ask: [{ verdict: 'no' }, { verdict: 'yes' }] }))
    const { code, out, err } = await workflow('simulate', 'asking.json', '--answers', 'twice.json')
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toContain('2 ask\n  Ask, the round is 1.\n  Done when: Somebody answered.\n  -> {"verdict":"yes"}')
    expect(out).toContain('The walk ends: {\n  "round": 1\n}')
    expect(out).toContain('nodes: 5 of 7; not passed: leave, give-up')
    expect(out).toContain('edges: 5 of 7; not passed: ask.maxRetriesExceeded, leave.success')
  })

  test('walks together pass every edge: jumps and used up retries too', async () => {
    machine.write('twice.json', JSON.stringify({ ask: [{ verdict: 'no' }, { verdict: 'yes' }] }))
    machine.write('jump.json', JSON.stringify({ ask: { teleportTo: 'leave' } }))
    machine.write('stubborn.json', JSON.stringify({ ask: [{ verdict: 'perhaps' }, 'no idea'] }))
    const files = ['twice.json', 'jump.json', 'stubborn.json'].flatMap((file) => ['--answers', file])
    const { code, out } = await workflow('simulate', 'asking.json', ...files)
    expect(out).toContain('The answer was refused.')
    expect(out).toContain('-> jump to leave')
    expect(out).toContain('nodes: 7 of 7\nedges: 7 of 7\n')
    expect(code).toBe(0)
    const { walks, coverage } = JSON.parse((await workflow('simulate', 'asking.json', ...files, '--json')).out)
    expect(walks.map((walk: { end: string }) => walk.end)).toEqual(['completed', 'completed', 'completed'])
    expect(coverage.edges).toEqual({ visited: 7, total: 7, missing: [] })
  })

  test('a walk that does not end says where and why, and exits with 1', async () => {
    machine.write('none.json', '{}')
    expect(await workflow('simulate', 'asking.json', '--answers', 'none.json')).toMatchObject({
      code: 1,
      err: expect.stringContaining('stops at ask: there is no further answer'),
    })
    machine.write('bad.json', JSON.stringify({ ask: { verdict: 'perhaps' } }))
    const refused = await workflow('simulate', 'asking.json', '--answers', 'bad.json')
    expect(refused.code).toBe(1)
    expect(refused.err).toMatch(/The answer to ask is refused:\n {2}- .*verdict/)
    machine.write('no.json', JSON.stringify({ ask: { verdict: 'no' } }))
    expect(await workflow('simulate', 'asking.json', '--answers', 'no.json')).toMatchObject({
      code: 1,
      err: expect.stringContaining('does not end within 500 steps'),
    })
  })

  test('without answers it makes some up, the same for the same seed', async () => {
    const first = await workflow('simulate', 'quick-task', '--seed', '3', '--json')
    expect(JSON.parse(first.out).walks).toHaveLength(1)
    expect(await workflow('simulate', 'quick-task', '--seed', '3', '--json')).toEqual(first)
    expect(await workflow('simulate', 'quick-task', '--seed', '4', '--json')).not.toEqual(first)
  })

  test('subgraphs are entered when their workflow is given', async () => {
    const outer = {
      metadata: { name: 'Outer', version: '1.0.0', description: 'Asks inside' },
      variableRegistry: { asked: { type: 'number', description: 'times asked' } },
      nodes: [
        { id: 'start', type: 'start', connections: { default: 'inside' } },
        {
          id: 'inside',
          type: 'subgraph',
          graphId: 'asking.json',
          inputMapping: {},
          outputMapping: { round: 'asked' },
          connections: { success: 'end' },
        },
        { id: 'end', type: 'end' },
      ],
    }
    machine.write('outer.json', JSON.stringify(outer))
    machine.write('yes.json', JSON.stringify({ ask: { verdict: 'yes' } }))
    const words = ['simulate', 'outer.json', '--answers', 'yes.json']
    const alone = await workflow(...words, '--with', 'asking.json')
    expect(alone).toMatchObject({ code: 0, out: expect.stringContaining('1 inside/ask\n') })
    expect(alone.out).toContain('"asked": 0')
    const missing = await workflow('simulate', 'outer.json')
    expect(missing).toMatchObject({ code: 1, err: expect.stringContaining('SUBGRAPH_NOT_FOUND') })
  })

  test('diff names every field that differs', async () => {
    const other = structuredClone(asking)
    other.metadata.version = '1.1.0'
    Object.assign(other.nodes[1] ?? {}, { directive: 'Ask politely.' })
    other.nodes.pop()
    machine.write('other.json', JSON.stringify(other))
    expect(await workflow('diff', 'asking.json', 'other.json')).toEqual({
      code: 0,
      out: [
        '~ metadata.version: "1.0.0" -> "1.1.0"',
        '- node give-up',
        '~ node ask: directive: "Ask, the round is {{round}}." -> "Ask politely."',
        '',
      ].join('\n'),
      err: '',
    })
    expect((await workflow('diff', 'quick-task', 'quick-task')).out).toBe('no difference\n')
    expect(JSON.parse((await workflow('diff', 'asking.json', 'other.json', '--json')).out)).toMatchObject({
      identical: false,
      nodes: { removed: ['give-up'] },
    })
  })

  test('wrong usage exits with 2, what cannot be read with 1, each with a remedy', async () => {
    for (const words of [
      [],
      ['paint'],
      ['validate'],
      ['diff', 'quick-task'],
      ['show', 'quick-task', 'release'],
      ['list', 'x'],
    ]) {
      expect(await workflow(...words), words.join(' ')).toMatchObject({ code: 2, out: '' })
    }
    machine.write('torn.json', '{ "nodes": [')
    machine.write('list.json', '[]')
    machine.write('stranger.json', '{ "aks": {} }')
    expect(await workflow('show', 'missing.json')).toMatchObject({ code: 1, err: expect.stringContaining('bundled') })
    expect(await workflow('validate', 'torn.json')).toMatchObject({
      code: 1,
      err: expect.stringContaining('is not JSON'),
    })
    expect(await workflow('validate', 'list.json')).toMatchObject({ code: 1, out: expect.stringContaining('V1') })
    for (const [file, told] of [
      ['list.json', 'does not hold answers'],
      ['stranger.json', 'do not exist: aks'],
    ] as const) {
      const { code, err } = await workflow('simulate', 'asking.json', '--answers', file)
      expect(code).toBe(1)
      expect(err).toContain(told)
    }
    const broken = { ...asking, nodes: asking.nodes.slice(0, 3) }
    machine.write('broken.json', JSON.stringify(broken))
    expect(await workflow('simulate', 'broken.json')).toMatchObject({
      code: 1,
      err: expect.stringContaining('is not valid'),
    })
  })

  test('a folder without anything of Varve is enough', async () => {
    expect((await workflow('validate', 'quick-task')).code).toBe(0)
    const { existsSync } = await import('node:fs')
    expect(existsSync(join(machine.home, '.varve'))).toBe(false)
  })
})

describe('what the bundled walks are', () => {
  test.each(bundled)('$slug: every walk is an answers file that simulate takes', async ({ slug, walks }) => {
    const files = Object.values(walks).flatMap((answers, index) => {
      machine.write(`${index}.json`, JSON.stringify(answers))
      return ['--answers', `${index}.json`]
    })
    const { code, out } = await workflow('simulate', slug, ...files, '--json')
    expect(code).toBe(0)
    const { nodes, edges } = JSON.parse(out).coverage
    // What only failures outside the workflow lead to is walked in walks.test.ts.
    expect(nodes.missing.filter((id: string) => id !== 'tell-unsaved')).toEqual([])
    const beyond = /\.(maxRetriesExceeded|error)$|^tell-unsaved\./
    expect(edges.missing.filter((edge: string) => !beyond.test(edge))).toEqual([])
  })
})

describe('docs/workflows.md', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/workflows.md'), 'utf8')
  const blocks = [...page.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text]) => text ?? '')

  test('the first workflow is valid, and its walk goes as the page says', async () => {
    const [definition = '', answers = ''] = blocks
    machine.write('mend-test.json', definition)
    machine.write('answers.json', answers)
    expect(await workflow('validate', 'mend-test.json')).toMatchObject({
      code: 0,
      out: 'mend-test.json: valid, 8 nodes\n',
    })
    const { code, out } = await workflow('simulate', 'mend-test.json', '--answers', 'answers.json')
    expect(code).toBe(0)
    expect(out).toContain('1 tries did not work; look elsewhere.')
    expect(out).toContain('nodes: 7 of 8; not passed: ask-user')
  })

  test('every command it names runs', async () => {
    machine.write('mend-test.json', blocks[0] ?? '')
    machine.write('answers.json', blocks[1] ?? '')
    const lines = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, text]) => (text ?? '').trim().split('\n'))
    expect(lines.length).toBeGreaterThanOrEqual(3)
    for (const line of lines) {
      const [program, ...words] = line.split(' ')
      expect(program).toBe('varve')
      expect((await machine.run(words)).code, line).toBe(0)
    }
  })
})
