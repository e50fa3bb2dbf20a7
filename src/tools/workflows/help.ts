/** help: the documentation, topic by topic, and the reference of all tools. */

import { z } from 'zod'
import { UserError } from '../../core/errors.ts'
import { toolsReference } from '../catalogue.ts'
import { defineCheckedTool } from '../checked-tool.ts'
import { type HelpTopic, readTopics } from './help-topics.ts'

/** Most topics of one call. */
const MAX_TOPICS = 50

const topicSchema = z.object({
  topic: z.string(),
  title: z.string(),
  group: z.string(),
  summary: z.string(),
  aliases: z.array(z.string()),
  content: z.string().optional().describe('Markdown, when the topic was asked for.'),
})

export const help = defineCheckedTool({
  name: 'help',
  toolset: 'workflows',
  title: 'Read the documentation',
  description: [
    'Read how Varve works: workflows, nodes, templates, conditions, expressions, notes, sessions, error codes. Call it without',
    'a topic to see what there is. Call it before writing or changing a workflow (concepts, nodes, templates), when a run does',
    'not go on as expected (troubleshooting), and when you are unsure which tool or argument to use (tools: the reference of',
    'every tool, its actions and good calls).',
  ].join(' '),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    topic: z
      .union([z.string(), z.array(z.string())])
      .describe('A topic, or several. Without it: the list of topics.')
      .optional(),
  }),
  output: { topics: z.array(topicSchema) },
  examples: [{ topic: 'tools' }, {}, { topic: ['concepts', 'nodes'] }],
  async run({ services }, { topic }) {
    const topics = [...(await readTopics(services.helpFolder)), await toolsTopic()]
    if (topic === undefined) {
      return { text: listText(topics), structured: { topics: topics.map(({ content: _content, ...head }) => head) } }
    }
    const wanted = typeof topic === 'string' ? [topic] : [...new Set(topic)]
    const found = findTopics(topics, wanted)
    return { text: topicsText(found), structured: { topics: found } }
  },
})

async function toolsTopic(): Promise<HelpTopic> {
  // Imported now, since the list of tools names this one.
  const { tools } = await import('../index.ts')
  return {
    topic: 'tools',
    title: 'Tools',
    group: 'Reference',
    summary: 'every tool with its actions, arguments, schema and good calls',
    aliases: ['tool', 'reference'],
    content: toolsReference(tools),
  }
}

function findTopics(topics: readonly HelpTopic[], wanted: readonly string[]): HelpTopic[] {
  if (wanted.length === 0 || wanted.length > MAX_TOPICS) {
    throw new UserError('invalid_request', `topic takes 1 to ${MAX_TOPICS} topics`, { field: 'topic', next: LIST })
  }
  const found = wanted.map((name) => {
    const key = name.trim().toLowerCase()
    return topics.find(({ topic, aliases }) => topic === key || aliases.includes(key))
  })
  const unknown = wanted.filter((_name, place) => found[place] === undefined)
  if (unknown.length > 0) {
    const names = unknown.map((name) => JSON.stringify(name.slice(0, 100))).join(', ')
    throw new UserError('not_found', `there is no help topic ${names}`, {
      field: 'topic',
      supported: topics.map(({ topic }) => topic),
      remedy: `call help without a topic to list them; they are ${topics.map(({ topic }) => topic).join(', ')}`,
      next: LIST,
    })
  }
  return [...new Set(found.filter((topic) => topic !== undefined))]
}

const LIST = { tool: 'help', args: {} }

function listText(topics: readonly HelpTopic[]): string {
  const groups = [...new Set(topics.map(({ group }) => group))]
  const sections = groups.map((group) => {
    const lines = topics
      .filter((topic) => topic.group === group)
      .map(({ topic, summary, aliases }) => {
        const also = aliases.length === 0 ? '' : ` (also: ${aliases.join(', ')})`
        return `- **${topic}**: ${summary}${also}`
      })
    return `## ${group}\n\n${lines.join('\n')}`
  })
  return ['# Help topics', ...sections, 'Read one with help({"topic":"concepts"}), several with a list.'].join('\n\n')
}

function topicsText(topics: readonly HelpTopic[]): string {
  const [only, ...more] = topics
  if (only !== undefined && more.length === 0) return only.content
  return topics.map(({ topic, content }) => `# Topic: ${topic}\n\n${content}`).join('\n\n---\n\n')
}
