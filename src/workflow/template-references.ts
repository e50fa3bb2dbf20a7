/** What a template uses, for validation: the names it reads, the notes it quotes, and what is wrong with it. */

import { hasForbiddenName, type Path, pathRoots } from './path.ts'
import { type ParseProblem, parseTemplate, type TemplateNode } from './template-parse.ts'

export interface TemplateProblem {
  kind: ParseProblem['kind'] | 'forbidden' | 'outside-each'
  /** Offset in the text, from 0. */
  position: number
  message: string
  remedy: string
}

export interface TemplateRoot {
  name: string
  position: number
  /** Inside an each block a bare name may be a field of the item, so that it need not be declared. */
  inEach: boolean
}

export interface TemplateReferences {
  /** Every use of a name, in order; `this` and `@index` are left out. */
  roots: TemplateRoot[]
  /** Keys of notes that are written out in full. */
  notes: string[]
  problems: TemplateProblem[]
}

/** Reads a template without rendering it. Positions are offsets in the text; escaped braces count as text. */
export function templateReferences(text: string): TemplateReferences {
  const { nodes, problems } = parseTemplate(text)
  const found: TemplateReferences = { roots: [], notes: [], problems: [...problems] }
  visit(nodes, false, found)
  found.problems.sort((a, b) => a.position - b.position)
  return found
}

function visit(nodes: readonly TemplateNode[], inEach: boolean, found: TemplateReferences): void {
  for (const node of nodes) {
    switch (node.kind) {
      case 'text':
        break
      case 'value':
        addPath(node.path, node.at, inEach, found)
        break
      case 'note': {
        const [only, ...more] = node.key
        if (only?.kind === 'text' && more.length === 0) found.notes.push(only.text)
        visit(node.key, inEach, found)
        break
      }
      case 'block':
        addPath(node.test.path, node.at, inEach, found)
        visit(node.body, inEach || node.test.helper === 'each', found)
        visit(node.otherwise, inEach, found)
        break
      default:
        node satisfies never
    }
  }
}

function addPath(path: Path, position: number, inEach: boolean, found: TemplateReferences): void {
  if (hasForbiddenName(path)) {
    found.problems.push({
      kind: 'forbidden',
      position,
      message: `A path at position ${position} uses a name that can hold no data.`,
      remedy: 'Rename what is called __proto__, constructor or prototype.',
    })
    return
  }
  for (const name of pathRoots(path)) {
    if (name !== 'this' && name !== '@index') found.roots.push({ name, position, inEach })
    else if (!inEach) {
      found.problems.push({
        kind: 'outside-each',
        position,
        message: `{{${name}}} at position ${position} stands in no each block.`,
        remedy: 'Put it between {{#each path}} and {{/each}}.',
      })
    }
  }
}
