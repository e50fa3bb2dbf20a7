/**
 * Prime Agent (Prime Intellect), a fork of Pi whose agents work from a Python kernel and start others from there. A child
 * is told by its depth and names its parent; what one agent asks of another below it is a prompt there. The tokens of
 * children that a parent's transcript repeats are counted where they were used.
 */

import { defineHarness } from '../harness.ts'
import { piMissing, piTranscript } from '../pi-coding-agent/index.ts'
import { sources } from './paths.ts'

export const primeAgent = defineHarness({
  id: 'prime-agent',
  title: 'Prime Agent',
  sources,
  layouts: [piTranscript],
  missing: [
    ...piMissing,
    'Which tool call started a child.',
    'Commands that run inside the Python kernel are seen only as the code of a cell.',
  ],
})
