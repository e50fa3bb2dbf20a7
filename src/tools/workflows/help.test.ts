import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { LOCAL_OWNER } from '../../core/caller.ts'
import { helpFolder } from '../../installation.ts'
import { nodeTypes } from '../../workflow/nodes/index.ts'
import { validateDefinition } from '../../workflow/validate.ts'
import { issueCodes } from '../../workflow/validation/codes.ts'
import { schemaIssues } from '../../workflow/validation/schema-stage.ts'
import { tools } from '../index.ts'
import type { Services, ToolAnswer } from '../tool.ts'
import { help } from './help.ts'
import { parseTopic, readTopics } from './help-topics.ts'

const caller = { owner: LOCAL_OWNER, admin: true, launchDirectory: '/' }

function ask(args: unknown, folder = helpFolder): Promise<ToolAnswer> {
  return help.call({ helpFolder: folder } as Services, caller, args, 0)
}

function topicsOf(answer: ToolAnswer): { topic: string; aliases: string[]; content?: string }[] {
  return answer.structured['topics'] as { topic: string; aliases: string[] }[]
}

describe('help', () => {
  it('T303: without a topic lists the topics with their aliases, and tools', async () => {
    const answer = await ask({})
    expect(answer.isError).toBe(false)
    const names = topicsOf(answer).map(({ topic }) => topic)
    expect(names).toEqual(expect.arrayContaining(['introduction', 'quickstart', 'concepts', 'nodes', 'templates']))
    expect(names).toEqual(expect.arrayContaining(['conditions', 'expressions', 'validation', 'notes', 'sessions']))
    expect(names).toEqual(expect.arrayContaining(['context', 'troubleshooting', 'tools']))
    for (const { topic, aliases } of topicsOf(answer)) {
      expect(answer.text).toContain(`**${topic}**`)
      for (const alias of aliases) expect(answer.text).toContain(alias)
    }
    expect(topicsOf(answer).every(({ content }) => content === undefined)).toBe(true)
  })

  it('C89: every topic, and every alias, gives Markdown', async () => {
    for (const { topic, aliases } of topicsOf(await ask({}))) {
      for (const name of [topic, ...aliases, topic.toUpperCase()]) {
        const answer = await ask({ topic: name })
        expect(answer.isError, name).toBe(false)
        expect(answer.text, name).toMatch(/^# /)
        expect(topicsOf(answer)[0]?.topic).toBe(topic)
      }
    }
  })

  it('T304: several topics come together, each under its name, with a rule between them', async () => {
    const answer = await ask({ topic: ['nodes', 'templates', 'node'] })
    expect(topicsOf(answer).map(({ topic }) => topic)).toEqual(['nodes', 'templates'])
    expect(answer.text).toMatch(/^# Topic: nodes\n/)
    expect(answer.text).toContain('\n\n---\n\n# Topic: templates\n')
  })

  it('T304: finds topics in files, whatever they are', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'varve-help-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    writeFileSync(join(folder, 'brewing.md'), '# How to brew\n\nSlowly.')
    writeFileSync(join(folder, 'ignored.txt'), 'no topic')
    expect(topicsOf(await ask({}, folder)).map(({ topic }) => topic)).toEqual(['brewing', 'tools'])
    expect((await ask({ topic: 'brewing' }, folder)).text).toBe('# How to brew\n\nSlowly.')
    expect((await readTopics(folder))[0]).toMatchObject({ title: 'How to brew', group: 'Reference', aliases: [] })
  })

  it('T305, T3: tools and tool are the catalogue: every tool, action and field', async () => {
    const answer = await ask({ topic: 'tool' })
    expect(answer.text).toBe((await ask({ topic: 'tools' })).text)
    for (const tool of tools) {
      expect(answer.text).toContain(`## ${tool.name}\n`)
      expect(answer.text).toContain(tool.description)
      for (const { name, summary } of tool.actions ?? []) {
        expect(answer.text).toContain(`- \`${name}\``)
        expect(answer.text).toContain(summary)
      }
      for (const field of Object.keys(tool.input.shape)) expect(answer.text).toContain(`- \`${field}\``)
      for (const example of tool.examples ?? []) expect(answer.text).toContain(JSON.stringify(example))
    }
  })

  it('T306: an unknown topic is an error that says how to list them', async () => {
    for (const topic of ['brewing', ['nodes', 'brewing']]) {
      const answer = await ask({ topic })
      expect(answer.isError).toBe(true)
      expect(answer.structured).toMatchObject({ code: 'not_found', next: { tool: 'help', args: {} } })
      expect(answer.text).toContain('there is no help topic "brewing"')
      expect(answer.text).toContain('call help without a topic')
    }
    expect((await ask({ topic: [] })).isError).toBe(true)
    expect((await ask({ topic: 7 })).isError).toBe(true)
    expect((await ask({ topics: 'nodes' })).text).toContain('unknown field: topics')
  })

  it('reads the head of a page, with either kind of line end', () => {
    expect(parseTopic('a', '---\r\ntitle: A title\r\naliases: b, c\r\n---\r\n# Head\r\n')).toMatchObject({
      title: 'A title',
      aliases: ['b', 'c'],
      content: '# Head',
    })
    expect(parseTopic('a', 'no head')).toMatchObject({ title: 'a', content: 'no head' })
  })
})

describe('the pages of help', () => {
  it('use every topic name and alias once', async () => {
    const names = topicsOf(await ask({})).flatMap(({ topic, aliases }) => [topic, ...aliases])
    expect(new Set(names).size).toBe(names.length)
  })

  it('describe every node type, and show nodes that are well formed', async () => {
    const { text } = await ask({ topic: 'nodes' })
    for (const { type } of nodeTypes) expect(text).toContain(type)
    const examples = [...text.matchAll(/```json\n([\s\S]*?)```/g)].map(([, json = '']) => JSON.parse(json) as unknown)
    expect(examples.length).toBeGreaterThan(7)
    const nodes = [...examples, ...examples.slice(0, 1)]
    const metadata = { name: 'x', version: '1.0.0', description: 'x' }
    expect(schemaIssues({ metadata, nodes })).toEqual([])
  })

  it('show a first workflow that validates', async () => {
    const [, json = ''] = /```json\n([\s\S]*?)```/.exec((await ask({ topic: 'quickstart' })).text) ?? []
    expect(validateDefinition(JSON.parse(json))).toEqual([])
  })

  it('name only tools, actions and finding codes that exist', async () => {
    const topics = await readTopics(helpFolder)
    const calls = topics.flatMap(({ content }) => [...content.matchAll(/\b([a-z_]+)\(\{"action": "([a-z_-]+)"/g)])
    expect(calls.length).toBeGreaterThan(10)
    for (const [call, name, action] of calls) {
      const tool = tools.find((candidate) => candidate.name === name)
      expect(
        tool?.actions?.map((each) => each.name),
        call,
      ).toContain(action)
    }
    for (const { content } of topics) {
      for (const [code] of content.matchAll(/`V\d+`/g)) expect(issueCodes).toHaveProperty(code.slice(1, -1))
    }
  })
})
