/**
 * Writes one batch of captured events: sessions, turns, events, touches, usage, the text index and the file's
 * checkpoint commit together, so that a crash leaves the archive before the batch or after it, never between.
 */

import type { Clock } from '../core/clock.ts'
import type { SessionFacts } from '../core/event.ts'
import { hasPlacedPrompt, isBeforeAdoption, latestTurn, leaveTurn } from './adopted-forks.ts'
import type { BatchResult, CaptureBatch, CapturedEvent } from './batch.ts'
import { writeCheckpoint } from './checkpoint.ts'
import { type Counters, loadCounters, saveCounters } from './counters.ts'
import type { Engine, IndexDocument, Queryable, SqlValue } from './engine.ts'
import { EVENT_INSERT, type EventRow, eventValues, indexDocument, TOUCH_INSERT, touchValues } from './event-rows.ts'
import { isForgotten } from './forgotten.ts'
import { typeNumber } from './search-index.ts'
import { applyFacts, loadSession, newSession, noteEvent, type SessionRow, saveSessions } from './session-rows.ts'
import { hasNotesAlone, isNote, loadTurn, newTurn, noteTurnEvent, saveTurns, type TurnRow } from './turn-rows.ts'
import { writeUsage } from './usage.ts'

/** Ids looked up in one statement. */
const LOOKUP = 200

export async function writeBatch(
  engine: Engine,
  owner: number,
  batch: CaptureBatch,
  clock: Clock,
): Promise<BatchResult> {
  const [result] = await writeBatches(engine, owner, [batch], clock)
  if (!result) throw new Error('a batch has a result')
  return result
}

/** Writes several batches, in their order, in one transaction: all of them are stored or none. */
export async function writeBatches(
  engine: Engine,
  owner: number,
  batches: readonly CaptureBatch[],
  clock: Clock,
): Promise<BatchResult[]> {
  return engine.transaction(async (tx) => {
    const results: BatchResult[] = []
    let documents: IndexDocument[] = []
    for (const batch of batches) {
      const writer = new BatchWriter(tx, owner, batch)
      await writer.write()
      await writeCheckpoint(tx, owner, batch, writer.openTurns, clock())
      if (writer.stale.length > 0) {
        // What is taken out must be in the index by then, and what replaces it must come after.
        await engine.textIndex.add(tx, documents)
        await engine.textIndex.remove(tx, writer.stale)
        documents = []
      }
      documents = documents.concat(writer.documents)
      results.push(writer.result)
    }
    await engine.textIndex.add(tx, documents)
    return results
  })
}

/** Everything one batch needs to remember while it is written; opened and closed by its transaction. */
class BatchWriter {
  readonly result: BatchResult = { added: 0, changed: 0, repeated: 0, sessions: 0 }
  /** Session pk to the pk of the turn this file last wrote to. */
  openTurns = new Map<number, number>()

  private readonly sessions = new Map<string, SessionRow | undefined>()
  /** Native ids of the sessions made here, of which nothing can be stored yet. */
  private readonly made = new Set<string>()
  private readonly turns = new Map<number, TurnRow>()
  /** Adopted sessions of which a prompt has its place. */
  private readonly prompted = new Set<number>()
  private readonly inserts: SqlValue[][] = []
  private readonly touches: SqlValue[][] = []
  /** What goes into the text index, and what comes out of it first. */
  readonly documents: IndexDocument[] = []
  readonly stale: IndexDocument[] = []

  private next: Counters = { session: 0, turn: 0, event: 0 }

  constructor(
    private readonly tx: Queryable,
    private readonly owner: number,
    private readonly batch: CaptureBatch,
  ) {}

  async write(): Promise<void> {
    const { checkpoint, projectRoots } = this.batch
    this.next = await loadCounters(this.tx)
    if (!this.batch.fromStart) await this.loadOpenTurns()
    for (const facts of this.batch.sessions) await this.learn(facts)
    const events = await this.own(this.collapse(this.batch.events))
    for (let start = 0; start < events.length; start += LOOKUP) {
      const part = events.slice(start, start + LOOKUP)
      const known = await this.lookUp(this.perhapsStored(part))
      for (const event of part) await this.place(event, known)
    }
    await this.tx.runMany(EVENT_INSERT, this.inserts)
    await this.tx.runMany(TOUCH_INSERT, this.touches)
    await writeUsage(this.tx, this.owner, checkpoint.harness, events, (native) => this.sessions.get(native)?.pk)
    await saveTurns(this.tx, [...this.turns.values()])
    await saveSessions(this.tx, [...this.sessions.values()])
    await this.tx.runMany(
      'INSERT INTO project_root (owner, root, project_id) VALUES (?, ?, ?) ON CONFLICT (owner, root) DO UPDATE SET project_id = excluded.project_id',
      projectRoots.map(({ root, projectId }) => [this.owner, root, projectId]),
    )
    await saveCounters(this.tx, this.next)
  }

  private async loadOpenTurns(): Promise<void> {
    const { source, path } = this.batch.checkpoint
    const row = await this.tx.get<{ turns: string }>(
      'SELECT turns FROM source_file WHERE owner = ? AND source = ? AND path = ?',
      [this.owner, source, path],
    )
    const stored = row ? (JSON.parse(row.turns) as [number, number][]) : []
    this.openTurns = new Map(stored)
  }

  private async learn(facts: SessionFacts & { projectId?: string }): Promise<void> {
    const session = await this.session(facts.nativeId)
    if (session) applyFacts(session, facts)
  }

  /** The session's row, made when new; undefined when it was forgotten and must stay so. */
  private async session(nativeId: string): Promise<SessionRow | undefined> {
    if (this.sessions.has(nativeId)) return this.sessions.get(nativeId)
    const { harness, source } = this.batch.checkpoint
    let row = await loadSession(this.tx, this.owner, harness, nativeId)
    if (!row && !(await isForgotten(this.tx, this.owner, harness, nativeId))) {
      row = newSession(this.owner, ++this.next.session, harness, source, nativeId)
      this.made.add(nativeId)
      this.result.sessions++
    }
    this.sessions.set(nativeId, row)
    return row
  }

  /** The same id twice in one batch is one event: it keeps its first place and its last content. */
  private collapse(events: readonly CapturedEvent[]): CapturedEvent[] {
    const byId = new Map<string, CapturedEvent>()
    for (const event of events) {
      const key = event.id.toString('latin1')
      const earlier = byId.get(key)
      if (earlier) this.result[earlier.digest.equals(event.digest) ? 'repeated' : 'changed']++
      byId.set(key, event)
    }
    return [...byId.values()]
  }

  /** Loads the events' sessions; in an adopted one nothing is copied. */
  private async own(events: readonly CapturedEvent[]): Promise<CapturedEvent[]> {
    for (const { session } of events) {
      if (!this.sessions.has(session)) await this.session(session)
    }
    return events.map((event) => {
      const session = this.sessions.get(event.session)
      return event.copied && session && session.adopted_after !== null ? { ...event, copied: false } : event
    })
  }

  /** An event's id names its session, so those of a session that is new need not be looked up. */
  private perhapsStored(events: readonly CapturedEvent[]): CapturedEvent[] {
    return events.filter(({ session }) => !this.made.has(session))
  }

  private async lookUp(events: readonly CapturedEvent[]): Promise<Map<string, EventRow>> {
    if (events.length === 0) return new Map()
    const ids = events.map(({ id }) => id)
    // A fixed number of parameters keeps this one prepared statement; the filler repeats the last id.
    while (ids.length < LOOKUP) ids.push(ids[ids.length - 1] as Buffer)
    const rows = await this.tx.all<EventRow>(
      `SELECT pk, id, session_pk, turn_pk, type, digest, text, copied FROM event WHERE owner = ? AND id IN (${'?, '.repeat(LOOKUP - 1)}?)`,
      [this.owner, ...ids],
    )
    return new Map(rows.map((row) => [row.id.toString('latin1'), row]))
  }

  private async place(event: CapturedEvent, known: ReadonlyMap<string, EventRow>): Promise<void> {
    const session = await this.session(event.session)
    if (!session) return
    const existing = known.get(event.id.toString('latin1'))
    if (existing && isBeforeAdoption(existing.turn_pk, session)) {
      await this.move(existing, event, session)
    } else if (existing) {
      // Reading goes on where this event stands, so that what follows a repeat joins the repeat's turn.
      if (existing.turn_pk !== 0) this.openTurns.set(session.pk, existing.turn_pk)
      if (existing.digest.equals(event.digest)) this.result.repeated++
      else await this.replace(existing, event, session)
    } else {
      await this.insert(event, session)
    }
  }

  private async insert(event: CapturedEvent, session: SessionRow): Promise<void> {
    const pk = ++this.next.event
    const turn = event.copied ? undefined : await this.turnFor(event, session)
    if (turn) this.note(event, pk, turn, session)
    this.inserts.push(eventValues(this.owner, pk, session.pk, turn, event, this.batch.checkpoint.path))
    this.touch(pk, event, session)
    this.index(pk, event, session)
    this.result.added++
  }

  /** Counts an event that is new to its turn. */
  private note(event: CapturedEvent, pk: number, turn: TurnRow, session: SessionRow): void {
    noteTurnEvent(turn, event, pk)
    noteEvent(session, event)
    if (turn.pk === session.last_turn_pk) session.last_turn_started_at = turn.started_at
  }

  private touch(pk: number, event: CapturedEvent, session: SessionRow): void {
    if (event.copied) return
    event.touches.forEach((touch, place) => {
      this.touches.push(touchValues(this.owner, pk, place, session.pk, event, touch))
    })
  }

  /** Gives an event of an adopted session the place it would have had, had it never counted as copied. */
  private async move(existing: EventRow, event: CapturedEvent, session: SessionRow): Promise<void> {
    const turn = await this.turnFor(event, session)
    if (event.opensTurn && !this.prompted.has(session.pk)) {
      if (!(await hasPlacedPrompt(this.tx, session))) session.first_prompt = null
      this.prompted.add(session.pk)
    }
    this.note(event, existing.pk, turn, session)
    if (existing.turn_pk !== 0) {
      session.event_count--
      if (await leaveTurn(this.tx, this.owner, existing, event)) await this.forgetTurn(existing.turn_pk, session)
    }
    await this.tx.run(
      'UPDATE event SET turn_pk = ?, ordinal = ?, copied = 0, usage_id = ? WHERE owner = ? AND pk = ?',
      [turn.pk, turn.event_count, event.usage?.id ?? null, this.owner, existing.pk],
    )
    if (existing.copied === 0 && existing.digest.equals(event.digest)) {
      session.generation++
      this.result.repeated++
    } else {
      await this.rewrite(existing, event, session)
    }
  }

  private async forgetTurn(pk: number, session: SessionRow): Promise<void> {
    session.turn_count--
    if (session.last_turn_pk !== pk) return
    await saveTurns(this.tx, [...this.turns.values()])
    const latest = await latestTurn(this.tx, this.owner, session.pk)
    session.last_turn_pk = latest?.pk ?? null
    session.last_turn_started_at = latest?.started_at ?? 0
  }

  /** A record rewritten under its own id, as a running answer is: the later reading wins. */
  private async replace(existing: EventRow, event: CapturedEvent, session: SessionRow): Promise<void> {
    const turn = existing.turn_pk === 0 ? undefined : await this.loadedTurn(existing.turn_pk)
    if (turn) noteTurnEvent(turn, event, existing.pk, true)
    await this.rewrite(existing, event, session)
  }

  /** Writes an event's content over what it was. */
  private async rewrite(existing: EventRow, event: CapturedEvent, session: SessionRow): Promise<void> {
    await this.tx.run(
      `UPDATE event SET type = ?, at = ?, digest = ?, text = ?, payload = ?, model = ?, tool_name = ?, tool_server = ?,
        call_id = ?, input = ?, exit_code = ?, failed = ?, ending = ? WHERE owner = ? AND pk = ?`,
      [
        typeNumber(event.type),
        event.at,
        event.digest,
        event.text,
        event.payload,
        event.model,
        event.tool?.name ?? null,
        event.tool?.server ?? null,
        event.tool?.callId ?? null,
        event.input,
        event.tool?.exitCode ?? null,
        event.tool?.failed ? 1 : 0,
        event.ends,
        this.owner,
        existing.pk,
      ],
    )
    session.generation++
    await this.tx.run('DELETE FROM touch WHERE owner = ? AND event_pk = ?', [this.owner, existing.pk])
    this.touch(existing.pk, event, session)
    const before = indexDocument(this.owner, existing.pk, existing, session)
    if (before && existing.copied === 0) this.stale.push(before)
    this.index(existing.pk, event, session)
    this.result.changed++
  }

  private index(pk: number, event: CapturedEvent, session: SessionRow): void {
    if (event.copied) return
    const document = indexDocument(this.owner, pk, { type: typeNumber(event.type), text: event.text }, session)
    if (document) this.documents.push(document)
  }

  /**
   * The turn an event belongs to. A prompt opens a new one, unless the open turn is still waiting for its first prompt:
   * what a client writes before the first prompt belongs to that prompt's turn. That holds across files, too: a file
   * of notes alone that a client leaves of a session elsewhere must not look like one more turn.
   */
  private async turnFor(event: CapturedEvent, session: SessionRow): Promise<TurnRow> {
    const openPk = this.openTurns.get(session.pk)
    const open = openPk === undefined ? undefined : await this.loadedTurn(openPk)
    if (open && !(event.opensTurn && open.has_prompt === 1)) return open
    const lastPk = session.last_turn_pk
    const isLast = !open && lastPk !== null && !isBeforeAdoption(lastPk, session)
    const last = isLast ? await this.loadedTurn(lastPk) : undefined
    if (last && isNote(event)) return last
    if (last && hasNotesAlone(last)) {
      this.openTurns.set(session.pk, last.pk)
      return last
    }
    const turn = newTurn(this.owner, ++this.next.turn, event, session.pk)
    session.turn_count++
    this.turns.set(turn.pk, turn)
    this.openTurns.set(session.pk, turn.pk)
    if (session.last_turn_pk === null || event.at >= session.last_turn_started_at) {
      session.last_turn_pk = turn.pk
      session.last_turn_started_at = turn.started_at
    }
    return turn
  }

  private async loadedTurn(pk: number): Promise<TurnRow | undefined> {
    const loaded = this.turns.get(pk) ?? (await loadTurn(this.tx, this.owner, pk))
    if (loaded) this.turns.set(pk, loaded)
    return loaded
  }
}
