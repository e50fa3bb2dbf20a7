/** Where events take place: the projects of working directories, the files that tool calls touch, folders left out. */

import type { SessionFacts } from '../core/event.ts'
import type { CaptureBatch, Touch } from '../store/batch.ts'
import type { Project, ProjectLookup } from './project.ts'
import type { PendingEvent } from './record-batch.ts'
import { touchesOf } from './touches/index.ts'
import { isAbsolutePath, normalizePath, parentPath, pathBelow } from './touches/lexical-path.ts'

export interface Places {
  /** True for a folder whose sessions are not captured. */
  isExcluded(directory: string | undefined): boolean
  /** Finds the files that the tool calls among some events touch. */
  addTouches(pending: readonly PendingEvent[]): void
  addProjects(facts: readonly SessionFacts[]): CaptureBatch['sessions']
  /** Roots of projects seen for the first time since the last call. */
  takeRoots(): CaptureBatch['projectRoots']
}

/** For one pass: what a directory belongs to is asked once. `exclude`: absolute folders. */
export function createPlaces(projects: ProjectLookup, exclude: readonly string[]): Places {
  const excluded = exclude.map(normalizePath)
  const known = new Map<string, Project | undefined>()
  const seen = new Set<string>()
  let roots: CaptureBatch['projectRoots'] = []

  const projectOf = (directory: string): Project | undefined => {
    const cached = known.get(directory)
    if (cached || known.has(directory)) return cached
    const project = isAbsolutePath(normalizePath(directory)) ? projects.projectOf(directory) : undefined
    known.set(directory, project)
    for (const root of project ? [project.root, ...project.roots] : []) {
      if (!project || seen.has(root)) continue
      seen.add(root)
      roots.push({ root, projectId: project.projectId })
    }
    return project
  }

  return {
    isExcluded(directory) {
      if (directory === undefined || excluded.length === 0) return false
      const path = normalizePath(directory)
      return excluded.some((folder) => pathBelow(path, folder) !== undefined)
    },
    addTouches(pending) {
      for (const { event, draft, directory } of pending) {
        const { tool } = draft
        if (!tool || event.type !== 'tool_call') continue
        const { name, server, input } = tool
        const call = { name, input, ...(server && { server }), ...(directory && { cwd: directory }) }
        event.touches = touchesOf(call).map((touch) => ({ ...touch, ...placeOf(touch.path, directory, projectOf) }))
      }
    },
    addProjects: (facts) =>
      facts.map((each) => {
        const project = each.cwd === undefined ? undefined : projectOf(each.cwd)
        return project ? { ...each, projectId: project.projectId } : each
      }),
    takeRoots() {
      const taken = roots
      roots = []
      return taken
    },
  }
}

/** The checkout a path lies in, or else the working directory, when it lies there. */
function placeOf(
  path: string,
  directory: string | undefined,
  projectOf: (directory: string) => Project | undefined,
): Pick<Touch, 'root' | 'relativePath' | 'projectId'> {
  if (!isAbsolutePath(path)) return {}
  const own = projectOf(parentPath(path))
  const project = own?.projectId.startsWith('git:') || directory === undefined ? own : projectOf(directory)
  const relativePath = project && pathBelow(path, project.root)
  if (!project || !relativePath) return {}
  return { root: project.root, relativePath, projectId: project.projectId }
}
