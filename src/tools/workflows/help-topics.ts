/** The pages of help: Markdown files with a head that says what they are about. */

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface HelpTopic {
  /** The file's name without `.md`. */
  topic: string
  title: string
  group: string
  summary: string
  aliases: string[]
  /** Markdown, without the head. */
  content: string
}

/** The order groups are listed in; others follow. */
const GROUPS = ['Getting started', 'Workflows', 'Memory', 'Reference']

/** All topics of a folder, in reading order. */
export async function readTopics(folder: string): Promise<HelpTopic[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.md')).sort()
  const topics = await Promise.all(
    names.map(async (name) => parseTopic(name.slice(0, -'.md'.length), await readFile(join(folder, name), 'utf8'))),
  )
  return topics.sort((a, b) => rankOf(a) - rankOf(b))
}

function rankOf({ group }: HelpTopic): number {
  const rank = GROUPS.indexOf(group)
  return rank < 0 ? GROUPS.length : rank
}

/** Reads a page. The head is `name: value` lines between two lines of `---`; the title may also be the first heading. */
export function parseTopic(topic: string, text: string): HelpTopic {
  const head = /^---\r?\n([\s\S]*?)\r?\n---\r?\n/.exec(text)
  const content = text.slice(head?.[0].length ?? 0).trim()
  const fields = new Map<string, string>()
  for (const line of (head?.[1] ?? '').split(/\r?\n/)) {
    const colon = line.indexOf(':')
    if (colon > 0) fields.set(line.slice(0, colon).trim(), line.slice(colon + 1).trim())
  }
  return {
    topic,
    title: fields.get('title') ?? /^# +(.+)$/m.exec(content)?.[1] ?? topic,
    group: fields.get('group') ?? 'Reference',
    summary: fields.get('summary') ?? '',
    aliases: (fields.get('aliases') ?? '')
      .split(',')
      .map((alias) => alias.trim())
      .filter((alias) => alias !== ''),
    content,
  }
}
