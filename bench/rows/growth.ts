/** Whether opening, listing and file attention stay as fast when the archive grows. */

import type { BenchArchive } from '../archive.ts'
import { milliseconds, percentile, type Row, timeEach } from '../row.ts'

const CALLS = 40

const RANGE = { start_datetime: '2000-01-01T00:00:00Z', end_datetime: '2100-01-01T00:00:00Z' }

interface Timed {
  name: string
  times: number[]
}

/** 95th percentiles in the larger archive over those in the smaller one. */
export async function growthRows(small: BenchArchive, large: BenchArchive): Promise<Row[]> {
  const [before, after] = [await timeReads(small), await timeReads(large)]
  return after.map(({ name, times }, place) => {
    const p95 = percentile(times, 0.95)
    const earlier = percentile(before[place]?.times ?? [], 0.95)
    return {
      name: `${name} at ${large.events} events`,
      figure: `p95 ${milliseconds(p95)}`,
      baseline: `p95 ${milliseconds(earlier)} at ${small.events}`,
      ratio: p95 / earlier,
      aim: { most: 1.5 },
    }
  })
}

async function timeReads(archive: BenchArchive): Promise<Timed[]> {
  const { call } = archive
  const { data } = (await call('list_sessions', { ...RANGE, limit: CALLS })) as {
    data: { sessions: { id: string }[] }
  }
  const sessions = data.sessions.map(({ id }) => id)
  const events: string[] = []
  for (const id of sessions) events.push(await lastEvent(call, id))
  const places = Array.from({ length: CALLS }, (_, place) => place)
  const days = places.map((place) => {
    const at = Date.UTC(2026, 0, 1) + place * 3_600_000
    return { start_datetime: new Date(at).toISOString(), end_datetime: new Date(at + 86_400_000).toISOString() }
  })
  const paths = await touchedPaths(archive)
  return [
    { name: 'open event', times: await timeEach(events, (id) => call('open', { id })) },
    { name: 'open session, 20 turns', times: await timeEach(sessions, (id) => call('open', { id, limit: 20 })) },
    { name: 'list_sessions', times: await timeEach(days, (day) => call('list_sessions', { ...day, limit: 20 })) },
    { name: 'file_attention', times: await timeEach(paths, (path) => call('file_attention', { path, scope: 'all' })) },
  ]
}

async function lastEvent(call: BenchArchive['call'], session: string): Promise<string> {
  const opened = (await call('open', { id: session })) as { data: { traversal: { last_turn_id: string } } }
  const turn = (await call('open', { id: opened.data.traversal.last_turn_id })) as {
    data: { traversal: { last_event_id: string } }
  }
  return turn.data.traversal.last_event_id
}

/** Paths touched once or twice, whatever the size of the archive: what is found must not grow with it. */
async function touchedPaths({ engine }: BenchArchive): Promise<string[]> {
  const rows = await engine.all<{ path: string }>(
    'SELECT path FROM touch GROUP BY path HAVING COUNT(*) <= 2 ORDER BY path LIMIT ?',
    [CALLS],
  )
  return rows.map(({ path }) => path)
}
