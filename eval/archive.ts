/** Archives in memory, made of what a set says was said. */

import { LOCAL_OWNER } from '../src/core/caller.ts'
import { hash128 } from '../src/core/hash.ts'
import { type CaptureBatch, type CapturedEvent, type Engine, openStore, writeBatches } from '../src/store/index.ts'
import type { LabelledArchive, Said, Talk } from './labelled.ts'

const SECOND = 1_000

/** Sessions written in one transaction. */
const TOGETHER = 500

/** Writes each talk as a session of its own and says which event is which. */
export async function archiveOf(talks: readonly Talk[]): Promise<Omit<LabelledArchive, 'questions'>> {
  const engine = await openStore({ url: ':memory:' })
  for (let start = 0; start < talks.length; start += TOGETHER) {
    await writeBatches(engine, LOCAL_OWNER, talks.slice(start, start + TOGETHER).map(batchOf), () => 0)
  }
  await engine.transaction((tx) => engine.textIndex.refreshStatistics(tx))
  return { engine, events: await namesOf(engine, talks) }
}

function batchOf({ id, at, said }: Talk): CaptureBatch {
  return {
    checkpoint: {
      source: 'eval',
      harness: 'eval',
      path: id,
      identity: id,
      size: 1,
      modifiedAt: at,
      readTo: 1,
      records: said.length,
      head: '',
      state: '{}',
      status: 'active',
      statusReason: null,
    },
    fromStart: true,
    sessions: [{ nativeId: id }],
    events: said.map((one, place) => eventOf(id, one, at + place * SECOND, place)),
    problems: [],
    projectRoots: [],
  }
}

function eventOf(session: string, { key, type, text }: Said, at: number, place: number): CapturedEvent {
  return {
    id: hash128('event', session, key),
    session,
    type,
    at,
    text,
    digest: hash128(type, text),
    payload: null,
    nativeId: null,
    model: null,
    tool: null,
    input: null,
    opensTurn: type === 'user_input',
    ends: type === 'assistant_response' ? 'answered' : null,
    copied: false,
    usage: null,
    touches: [],
    recordIndex: place,
  }
}

async function namesOf(engine: Engine, talks: readonly Talk[]): Promise<LabelledArchive['events']> {
  const named = new Map(
    talks.flatMap(({ id, said }) =>
      said.map(({ key, text }) => [hash128('event', id, key).toString('hex'), { key, talk: id, text }] as const),
    ),
  )
  const rows = await engine.all<{ pk: number; id: Buffer }>('SELECT pk, id FROM event WHERE owner = ?', [LOCAL_OWNER])
  return new Map(
    rows.flatMap(({ pk, id }) => {
      const name = named.get(id.toString('hex'))
      return name ? [[pk, name] as const] : []
    }),
  )
}
