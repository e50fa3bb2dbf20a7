/** The two filters several tools share, as they are published. */

import { z } from 'zod'
import type { Surface } from '../tool.ts'

export function harnessArgument({ harnesses }: Surface): z.ZodType {
  const ids = harnesses.map(({ id }) => id)
  const known = ids.length === 0 ? 'such as claude-code or codex' : `one of ${ids.join(', ')}`
  return z.string().min(1).optional().describe(`Only sessions of this harness, exactly: ${known}.`)
}

export function sourceArgument({ sourceNames }: Surface): z.ZodType {
  const known = sourceNames.length === 0 ? 'none is configured here' : `here ${sourceNames.join(', ')}`
  return z.string().min(1).optional().describe(`Only sessions from this configured source, exactly: ${known}.`)
}
