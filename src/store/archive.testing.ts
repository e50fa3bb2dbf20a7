/** Small archives for tests: written through the store, on either engine. */

import { LOCAL_OWNER } from '../core/caller.ts'
import type { SessionFacts } from '../core/event.ts'
import { hash128 } from '../core/hash.ts'
import { formatId } from '../core/id.ts'
import type { CaptureBatch, CapturedEvent, Touch } from './batch.ts'
import type { Engine } from './engine.ts'
import { migrate } from './migrate.ts'
import { openPglite } from './pglite.ts'
import { openStore } from './store.ts'
import { writeBatch } from './write-batch.ts'

/** Both engines, empty and in memory. */
export const TEST_ENGINES: { name: string; open: () => Promise<Engine> }[] = [
  { name: 'SQLite', open: () => openStore({ url: ':memory:' }) },
  { name: 'PostgreSQL', open: openMigratedPglite },
]

async function openMigratedPglite(): Promise<Engine> {
  const engine = await openPglite()
  await migrate(engine)
  return engine
}

/** 29 April 2026, 18:41:55 UTC. */
export const START = Date.parse('2026-04-29T18:41:55.000Z')

/** An event as a test writes it; what is left out is ordinary. */
export type Said = Partial<Omit<CapturedEvent, 'id' | 'session' | 'tool'>> & {
  type: CapturedEvent['type']
  /** Names the event inside its session; the same name again is the same event. */
  key?: string
  tool?: Partial<NonNullable<CapturedEvent['tool']>> & { name: string }
}

export const prompt = (text: string, more: Partial<Said> = {}): Said => ({
  type: 'user_input',
  text,
  opensTurn: true,
  ...more,
})

export const answer = (text: string, more: Partial<Said> = {}): Said => ({
  type: 'assistant_response',
  text,
  ends: 'answered',
  model: 'model-1',
  ...more,
})

export const call = (name: string, input: unknown, more: Partial<Said> = {}): Said => ({
  type: 'tool_call',
  text: JSON.stringify(input),
  input: JSON.stringify(input),
  tool: { name },
  ...more,
})

export const response = (name: string, text: string, more: Partial<Said> = {}): Said => ({
  type: 'tool_response',
  text,
  tool: { name },
  ...more,
})

export interface Written {
  session: string
  harness?: string
  source?: string
  path?: string
  facts?: Partial<SessionFacts> & { projectId?: string }
  /** When the first event happened; the others follow a second apart, unless they say when. */
  at?: number
  owner?: number
  fromStart?: boolean
  projectRoots?: { root: string; projectId: string }[]
  events: Said[]
}

/** The id of the project whose main checkout is at a place. */
export function projectIdAt(root: string): string {
  return `git:${root}`
}

/** The public id of an event a test named. */
export function eventId(session: string, key: string): string {
  return formatId('event', eventBytes(session, key))
}

function eventBytes(session: string, key: string): Buffer {
  return hash128('event', session, key)
}

/** Writes events of one session, as one batch of its file. */
export async function writeSession(engine: Engine, written: Written): Promise<void> {
  const { session, harness = 'claude-code', source = 'claude', owner = LOCAL_OWNER, at = START } = written
  const path = written.path ?? `/home/me/.claude/${session}.jsonl`
  const stored = await engine.get<{ count: number }>('SELECT COUNT(*) AS count FROM event')
  const first = stored?.count ?? 0
  const events = written.events.map((said, place) => toEvent(session, said, at + place * 1000, first + place))
  const batch: CaptureBatch = {
    checkpoint: {
      source,
      harness,
      path,
      identity: '1',
      size: 1,
      modifiedAt: at,
      readTo: 1,
      records: events.length,
      head: '',
      state: '{}',
      status: 'active',
      statusReason: null,
    },
    fromStart: written.fromStart ?? false,
    sessions: written.facts ? [{ nativeId: session, ...written.facts }] : [],
    events,
    problems: [],
    projectRoots: written.projectRoots ?? [],
  }
  await writeBatch(engine, owner, batch, () => at)
}

function toEvent(session: string, said: Said, at: number, place: number): CapturedEvent {
  const { key, tool, ...rest } = said
  const event = {
    at,
    text: '',
    payload: null,
    nativeId: null,
    model: null,
    input: null,
    opensTurn: false,
    ends: null,
    copied: false,
    usage: null,
    touches: [],
    recordIndex: place,
    ...rest,
  }
  return {
    ...event,
    id: eventBytes(session, key ?? `${place}`),
    session,
    digest: hash128(event.type, event.text, event.payload ?? ''),
    tool: tool ? { server: null, callId: null, exitCode: null, failed: false, ...tool } : null,
  }
}

/** A touch as capture records it for a file in a checkout. */
export function touched(root: string, relativePath: string, more: Partial<Touch> = {}): Touch {
  return {
    path: `${root}/${relativePath}`,
    relativePath,
    root,
    projectId: projectIdAt('/home/me/project'),
    access: 'write',
    via: 'path',
    ...more,
  }
}
