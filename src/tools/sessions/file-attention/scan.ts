/** Finds the touches of a located file. */

import type { Caller } from '../../../core/caller.ts'
import { countUnattributed, findTouches, rootsOfProject, type TouchQuery } from '../../../store/index.ts'
import type { Services } from '../../tool.ts'
import { counted } from '../preview.ts'
import type { Located } from './locate.ts'
import type { Request } from './request.ts'
import { type TouchRow, toRows, withoutNamesakes } from './rows.ts'

/** Touches looked at, the newest first; summary, roots and rows are made from these. */
const SCAN_CAP = 2_000

/** Roots of one project that are tried for files of deleted checkouts. */
const ROOTS_TRIED = 500

export interface Scan {
  rows: TouchRow[]
  scanTruncated: boolean
  warnings: string[]
}

export async function scan(services: Services, caller: Caller, request: Request, located: Located): Promise<Scan> {
  const closed = request.scope === 'project' ? whyClosed(located) : undefined
  if (closed !== undefined) return { rows: [], scanTruncated: false, warnings: [closed] }
  const { engine } = services
  const roots = await knownRoots(services, caller, located)
  const query = toQuery(request, located, roots)
  const touches = await findTouches(engine, caller, query, SCAN_CAP + 1)
  const all = toRows(touches.slice(0, SCAN_CAP), located, roots)
  const scanTruncated = touches.length > SCAN_CAP
  if (request.scope === 'all')
    return { rows: all, scanTruncated, warnings: [...shortPath(located), ...unknownRoots(all)] }
  const { rows, onlyNamesakes } = withoutNamesakes(all, located)
  const warnings = [...unknownRoots(rows), ...(await unattributed(services, caller, query))]
  if (onlyNamesakes) {
    warnings.push(`path_suffix_only: nothing touched ${located.tail} itself; the rows are files whose path ends so`)
  }
  return { rows, scanTruncated, warnings }
}

function shortPath({ tail }: Located): string[] {
  return tail.includes('/') ? [] : [`short_path: ${tail} is a bare file name and matches every file of that name`]
}

function unknownRoots(rows: readonly TouchRow[]): string[] {
  const unknown = rows.filter(({ root }) => root === null).length
  return unknown === 0 ? [] : [`unknown_root: the checkout of ${counted(unknown, 'touch')} is unknown`]
}

/** Touches that may be of this file, left out because nothing says that they are of this project. */
async function unattributed({ engine }: Services, caller: Caller, query: TouchQuery): Promise<string[]> {
  const { project: _narrowing, ...anywhere } = query
  const count = await countUnattributed(engine, caller, anywhere, SCAN_CAP)
  if (count === 0) return []
  return [
    `unattributed: ${counted(count, 'touch')} of such a path may be left out, their project is unknown; see scope all`,
  ]
}

/** Project scope never widens: where the project cannot be told, or the path is in another one, nothing is shown. */
function whyClosed({ projectId, launchProjectId, tailIsAbsolute }: Located): string | undefined {
  if (launchProjectId === null)
    return 'project_unknown: the project of the launch directory cannot be told; use scope all'
  if (tailIsAbsolute || projectId !== launchProjectId) {
    return 'outside_project: the path is not in the project of the launch directory; use scope all'
  }
  return undefined
}

async function knownRoots(services: Services, caller: Caller, located: Located): Promise<string[]> {
  const { projectId, strippedRoot } = located
  const stored = projectId === null ? [] : await rootsOfProject(services.engine, caller, projectId, ROOTS_TRIED)
  return [...new Set(strippedRoot === null ? stored : [strippedRoot, ...stored])]
}

function toQuery(request: Request, located: Located, roots: readonly string[]): TouchQuery {
  const { scope, from, to, tool, harness, source, mutationsOnly } = request
  const { tail, tailIsAbsolute, projectId } = located
  return {
    tail,
    absolute: tailIsAbsolute,
    mutationsOnly,
    ...(scope === 'project' && projectId !== null ? { project: { projectId, roots } } : {}),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(tool === undefined ? {} : { tool: tool.toLowerCase() }),
    ...(harness === undefined ? {} : { harness }),
    ...(source === undefined ? {} : { source }),
  }
}
