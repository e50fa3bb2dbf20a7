/** Definitions as runs use them: read and checked once per content, the least used forgotten first. */

import { createHash } from 'node:crypto'
import { canonicalJson } from '../../core/json.ts'
import { loadGraph, type Queryable } from '../../store/index.ts'
import type { WorkflowDefinition } from '../definition.ts'
import { parseDefinition } from '../definition-schema.ts'

/** Definitions kept, and the characters of their JSON. */
const MAX_DEFINITIONS = 64
const MAX_CHARACTERS = 32_000_000

export interface DefinitionCache {
  /** The definition an owner keeps under a hash. @throws when there is none: a run never loses its definition. */
  load(db: Queryable, owner: number, hash: Buffer): Promise<WorkflowDefinition>
}

export function createDefinitionCache(): DefinitionCache {
  const known = new Map<string, { definition: WorkflowDefinition; characters: number }>()
  let characters = 0
  return {
    async load(db, owner, hash) {
      // The hash says all about the content, so it does not matter whose copy was read.
      const key = hash.toString('latin1')
      const entry = known.get(key)
      if (entry) {
        known.delete(key)
        known.set(key, entry)
        return entry.definition
      }
      const graph = await loadGraph(db, owner, hash)
      if (graph === undefined) throw new Error(`no definition ${hash.toString('hex')} of owner ${owner}`)
      const definition = parseDefinition(JSON.parse(graph))
      known.set(key, { definition, characters: graph.length })
      characters += graph.length
      for (const [oldest, { characters: length }] of known) {
        if (known.size <= MAX_DEFINITIONS && (characters <= MAX_CHARACTERS || known.size === 1)) break
        known.delete(oldest)
        characters -= length
      }
      return definition
    },
  }
}

/**
 * What of a definition is stored and run: id, slug, owner and visibility say where it stands in the catalog, and are
 * kept there.
 */
export function executablePart(definition: WorkflowDefinition): WorkflowDefinition {
  const { id: _id, slug: _slug, owner: _owner, visibility: _visibility, ...graph } = definition
  return graph
}

/** The name of a definition by its content. */
export function definitionHash(definition: WorkflowDefinition): Buffer {
  return createHash('sha256').update(canonicalJson(definition)).digest()
}
