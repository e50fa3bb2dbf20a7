/** The editor keeps what was typed as a tree of paragraphs and mentions, in one of two dialects. */

import { isRecord } from '../../core/json.ts'
import { fields, list, text } from '../fields.ts'
import { parsed } from './tools.ts'

/** Deeper nodes are no text that anyone typed. */
const DEPTH = 50

const BLOCKS = new Set(['paragraph', 'heading', 'listitem', 'code', 'quote'])

/** What a person would read; a text that is no tree is returned as it is. */
export function flattened(richText: unknown): string {
  const tree = parsed(richText)
  if (!isRecord(tree)) return text(richText)
  return textOf(isRecord(tree['root']) ? tree['root'] : tree, DEPTH).trim()
}

function textOf(node: unknown, depth: number): string {
  if (!isRecord(node) || depth === 0) return ''
  const type = text(node['type'])
  if (type === 'linebreak' || type === 'hardBreak') return '\n'
  const children = [...list(node['children']), ...list(node['content'])]
  if (children.length === 0) return text(node['text']) || text(fields(node['attrs'])['label'])
  const inside = children.map((child) => textOf(child, depth - 1)).join('')
  return BLOCKS.has(type) ? `${inside}\n` : inside
}
