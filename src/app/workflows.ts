/** Workflows and notes, which are the owner's own: the sample archive has none. */

import { systemClock } from '../core/clock.ts'
import { helpFolder, workflowsFolder } from '../installation.ts'
import { createNotesLibrary } from '../library/notes-library.ts'
import type { Engine } from '../store/index.ts'
import type { Services } from '../tools/index.ts'
import { localAccounts } from '../workflow/accounts.ts'
import type { WorkflowEngine } from '../workflow/engine.ts'

export type WorkflowServices = Pick<Services, 'workflows' | 'notes' | 'accounts' | 'helpFolder'>

/** What the workflow tools use; made once for an archive, since the engine remembers what it has read. */
export function workflowServices(engine: Engine): WorkflowServices {
  return {
    workflows: loadedWhenCalled(async () => {
      const { createWorkflowEngine } = await import('../workflow/engine.ts')
      return createWorkflowEngine({ engine, clock: systemClock, bundled: workflowsFolder, accounts: localAccounts })
    }),
    notes: createNotesLibrary({ engine, clock: systemClock }),
    accounts: localAccounts,
    helpFolder,
  }
}

/**
 * An engine that is loaded at its first call: it is large, and a process that only answers about sessions starts quicker
 * without it. It can stand in for one because every member of an engine is a function that answers later.
 */
function loadedWhenCalled(load: () => Promise<WorkflowEngine>): WorkflowEngine {
  let loaded: Promise<WorkflowEngine> | undefined
  return new Proxy({} as WorkflowEngine, {
    get:
      (_target, name) =>
      async (...args: unknown[]): Promise<unknown> => {
        loaded ??= load()
        const member: unknown = Reflect.get(await loaded, name)
        if (typeof member !== 'function') throw new TypeError(`an engine has no ${String(name)}`)
        return Reflect.apply(member, undefined, args)
      },
  })
}
