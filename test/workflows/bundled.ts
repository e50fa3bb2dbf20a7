/** The workflows that come with Varve, and hand-written walks through each. */

import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { workflowsFolder } from '../../src/installation.ts'
import type { WorkflowDefinition } from '../../src/workflow/definition.ts'
import { parseDefinition } from '../../src/workflow/definition-schema.ts'

/** What `varve workflow simulate --answers` reads. */
export type Answers = Record<string, unknown>

export interface Bundled {
  slug: string
  definition: WorkflowDefinition
  /** By name. The first is `main`; the others hold only what differs from it. */
  walks: Record<string, Answers>
}

const answersFolder = join(import.meta.dirname, 'answers')

export const bundled: readonly Bundled[] = readdirSync(workflowsFolder)
  .map((file) => basename(file, '.json'))
  .sort()
  .map((slug) => ({
    slug,
    definition: parseDefinition(readJson(join(workflowsFolder, `${slug}.json`))),
    walks: wholeWalks(readJson(join(answersFolder, `${slug}.json`)) as Record<string, Answers>),
  }))

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'))
}

function wholeWalks(walks: Record<string, Answers>): Record<string, Answers> {
  return Object.fromEntries(Object.entries(walks).map(([name, answers]) => [name, { ...walks['main'], ...answers }]))
}

/** Marks of a text that was not rendered as its author meant it. */
export const brokenText = /\{\{|\}\}|\[\[UNDEFINED_VARIABLE\]\]|\[NOTE |\bnull\b|\bundefined\b|\[object /
