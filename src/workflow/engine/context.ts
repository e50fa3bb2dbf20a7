/** What the parts of the engine share: the database, the world outside as arguments, and the caches of this process. */

import type { Caller } from '../../core/caller.ts'
import type { Clock } from '../../core/clock.ts'
import type { NewId } from '../../core/uuid.ts'
import { appendAudit, type Engine, type Queryable } from '../../store/index.ts'
import type { WorkflowDefinition } from '../definition.ts'
import type { Transition, TransitionRequest } from '../transition.ts'
import type { BundledWorkflow } from './bundled.ts'
import type { Perform } from './claim.ts'
import type { DefinitionCache } from './definition-cache.ts'
import type { Accounts, Receipt } from './types.ts'

/** How long things may take, in milliseconds. */
export interface Timing {
  /** How long a duplicate waits for the answer of the one who works. */
  wait: number
  /** How often it looks. */
  poll: number
  /** How long a claim holds without being renewed. */
  lease: number
  /** How long a prepared start can be executed. */
  reservation: number
}

export const usualTiming: Timing = { wait: 10_000, poll: 50, lease: 60_000, reservation: 15 * 60_000 }

/** One call on a run. `perform` is how a node acts outside the database; see `claim.ts`. */
export type Transit = (request: TransitionRequest & { perform: Perform }) => Promise<Transition>

/**
 * Whether a start may go ahead besides what the engine knows (channels for notifications, delivery of PINs): what to do
 * first, or null. It is asked outside any transaction.
 */
export type CheckStart = (
  caller: Caller,
  start: { definition: WorkflowDefinition; skipNotificationCheck: boolean },
) => Promise<string | null>

export interface EngineContext {
  store: Engine
  clock: Clock
  newId: NewId
  accounts: Accounts
  timing: Timing
  transit: Transit
  checkStart: CheckStart | undefined
  /** Said with every step of workflows that have no reminder of their own. */
  systemReminder: string | undefined
  definitions: DefinitionCache
  /** What comes with Varve; read at the first use of the catalog. */
  readBundled: () => Promise<readonly BundledWorkflow[]>
  /** The catalog holds what comes with Varve. */
  bundleReady: { done: Promise<void> | undefined }
  /** Calls being worked on in this process, by what they ask. */
  inFlight: Map<string, Promise<Receipt>>
}

/** What the audit says about who asked. */
export function sourceOf(caller: Caller): string {
  return caller.client ?? 'local'
}

/** Notes a change in the audit, in the transaction that makes it. */
export async function audit(
  ctx: EngineContext,
  tx: Queryable,
  caller: Caller,
  action: string,
  resource: string,
  detail?: Record<string, unknown>,
): Promise<void> {
  const at = ctx.clock()
  await appendAudit(tx, caller.owner, {
    id: ctx.newId(),
    at,
    action,
    resource,
    source: sourceOf(caller),
    detail: detail === undefined ? null : JSON.stringify(detail),
  })
}
