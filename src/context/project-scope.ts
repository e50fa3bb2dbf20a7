/** The project around a directory, as far as the archive holds something of it. */

import { posix } from 'node:path'
import type { Caller } from '../core/caller.ts'
import { type ProjectHoldings, projectHoldings, type Queryable } from '../store/index.ts'

/** Finds the project a directory belongs to; the same as capture's. */
export interface Projects {
  projectOf(directory: string): { root: string; projectId: string } | undefined
}

export interface ProjectScope extends ProjectHoldings {
  projectId: string
  /** Absolute, with forward slashes. */
  root: string
}

/** Without Git a project is a directory; how far up from where one stands it is looked for. */
const LEVELS = 8

/**
 * The project of a directory: that of the nearest directory, from itself upwards, of which the archive holds a conversation
 * or a document. Undefined when there is none; a directory need not exist.
 */
export async function findProjectScope(
  db: Queryable,
  caller: Caller,
  projects: Projects,
  directory: string,
): Promise<ProjectScope | undefined> {
  let at = directory.replaceAll('\\', '/')
  for (let level = 0; level < LEVELS; level++) {
    const project = projects.projectOf(at)
    if (!project) return undefined
    const holdings = await projectHoldings(db, caller, project.projectId)
    if (holdings.conversations + holdings.documents > 0) return { ...project, ...holdings }
    const parent = posix.dirname(project.root)
    // A checkout that holds nothing is not part of the folder it lies in.
    if (project.projectId.startsWith('git:') || parent === project.root || parent === at) return undefined
    at = parent
  }
  return undefined
}
