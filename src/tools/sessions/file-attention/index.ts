/** file_attention: which sessions touched this file, and where do I drill in? */

import { z } from 'zod'
import type { Caller } from '../../../core/caller.ts'
import type { Services, Surface } from '../../tool.ts'
import {
  type Arguments,
  echoTime,
  filterWarnings,
  optionalBoolean,
  optionalChoice,
  optionalFilter,
  optionalInteger,
  optionalTime,
  refuseEmptyRange,
  requiredString,
} from '../arguments.ts'
import { defineSessionTool, type Outcome } from '../envelope.ts'
import { harnessArgument, sourceArgument } from '../filters.ts'
import { checkPath, locate } from './locate.ts'
import { GRANULARITIES, type Request, SCOPES } from './request.ts'
import { scan } from './scan.ts'
import { type Data, dataSchema, toData } from './show.ts'
import { toText } from './text.ts'

const DEFAULT_LIMIT = 50

export const fileAttention = defineSessionTool({
  name: 'file_attention',
  title: 'Find who touched a file',
  description: [
    'Find the agent sessions that read or changed a file, in every checkout and worktree of the project. Call it before',
    'editing unfamiliar code, to learn why it looks as it does; when the user asks who or what changed a file; when a change',
    'is not in git. Unlike git blame it knows reads, abandoned edits and work that never landed. Cheap: handles and counts;',
    'pass an event id to open for the call itself. Give the path as you would open it: a bare file name means the file of',
    'that name in your working directory.',
  ].join(' '),
  input: inputSchema,
  data: dataSchema,
  parse,
  echo: ({ path, scope, granularity, from, to, tool, harness, source, mutationsOnly, limit }) => ({
    path,
    scope,
    granularity,
    start_datetime: echoTime(from),
    end_datetime: echoTime(to),
    tool: tool ?? null,
    harness: harness ?? null,
    source: source ?? null,
    mutations_only: mutationsOnly,
    limit,
  }),
  run,
  toText,
})

function defaultLimit(maxResults: number): number {
  return Math.min(DEFAULT_LIMIT, maxResults)
}

function inputSchema(surface: Surface): z.ZodObject {
  const { maxResults } = surface
  return z.object({
    path: z
      .string()
      .min(1)
      .describe('Path of the file, absolute or relative to your working directory. It may be gone.'),
    scope: z
      .enum(SCOPES)
      .default('project')
      .describe('project: only this project, worktrees included. all: any file anywhere whose path ends like this.'),
    granularity: z
      .enum(GRANULARITIES)
      .default('sessions')
      .describe('sessions: one row per session. events: one row per tool call, newest first.'),
    start_datetime: z.string().optional().describe('Only touches from this time on: RFC 3339 with a timezone.'),
    end_datetime: z.string().optional().describe('Only touches before this time: RFC 3339 with a timezone.'),
    tool: z.string().min(1).optional().describe('Only calls of this tool, in any letter case, such as Edit.'),
    harness: harnessArgument(surface),
    source: sourceArgument(surface),
    mutations_only: z.boolean().default(false).describe('Leave out calls that only read the file.'),
    limit: z
      .int()
      .min(1)
      .max(maxResults)
      .default(defaultLimit(maxResults))
      .describe('How many rows to return at most.'),
  })
}

function parse(args: Arguments, { maxResults }: Services): Request {
  const from = optionalTime(args, 'start_datetime')
  const to = optionalTime(args, 'end_datetime')
  refuseEmptyRange(from, to)
  return {
    path: checkPath(requiredString(args, 'path')),
    scope: optionalChoice(args, 'scope', SCOPES) ?? 'project',
    granularity: optionalChoice(args, 'granularity', GRANULARITIES) ?? 'sessions',
    from,
    to,
    tool: optionalFilter(args, 'tool'),
    harness: optionalFilter(args, 'harness'),
    source: optionalFilter(args, 'source'),
    mutationsOnly: optionalBoolean(args, 'mutations_only') ?? false,
    limit: optionalInteger(args, 'limit', 1, maxResults) ?? defaultLimit(maxResults),
  }
}

async function run(services: Services, caller: Caller, request: Request): Promise<Outcome<Data>> {
  const located = locate(request.path, caller, services.projects)
  const found = await scan(services, caller, request, located)
  const { rows, scanTruncated } = found
  const data = await toData(services, caller, request, located, rows, scanTruncated)
  return { data, warnings: [...located.warnings, ...found.warnings, ...filterWarnings(services, request)] }
}
