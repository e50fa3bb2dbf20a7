/** The vectors of an owner in memory, kept up with the store: what a question is held against, all of them. */

import { setImmediate } from 'node:timers/promises'
import {
  type Engine,
  livingVectors,
  type StoredVector,
  seqBefore,
  type VectorKind,
  type VectorSpace,
  vectorsAfter,
} from '../../../store/index.ts'
import { dot, type Quantised } from './quantise.ts'

/** Where a near stretch stands, and how near it is. */
export interface Near {
  kind: VectorKind
  pk: number
  start: number
  cosine: number
}

export interface VectorMemory {
  /**
   * The `limit` texts nearest to a question, each with its nearest stretch, the nearest first.
   * @throws what `signal` was aborted with, and what the database throws
   */
  nearest(
    question: Quantised,
    wanted: { of: readonly VectorKind[]; limit: number },
    signal: AbortSignal,
  ): Promise<Near[]>
}

/** Bytes of vectors kept of one owner: 190,000 of 512 dimensions. Of more, those made last. */
export const MEMORY_BYTES = 96 * 1024 * 1024

/** Vectors read from the store at a time, and looked at before others get a turn. */
const READ = 2_000
const LOOK = 32_000

/** Candidates held against the store at a time: some may have been taken out since they were read. */
const CHECKED = 128

/** Opens the vectors of an owner and a space; the first question reads them. */
export function openVectorMemory(
  engine: Engine,
  owner: number,
  space: VectorSpace,
  maxBytes: number = MEMORY_BYTES,
): VectorMemory {
  const { dimensions } = space
  const most = Math.max(1, Math.floor(maxBytes / dimensions))
  const rows = new Rows(dimensions, most)
  let reading: Promise<void> | undefined

  /** Takes in what was written since; one at a time. */
  const refresh = async (): Promise<void> => {
    let after = rows.last === 0 ? await seqBefore(engine, owner, most) : rows.last
    for (;;) {
      const fresh = await vectorsAfter(engine, owner, space, after, READ)
      for (const each of fresh) rows.add(each)
      after = fresh.at(-1)?.seq ?? after
      if (fresh.length < READ) return
      await setImmediate()
    }
  }
  return {
    async nearest(question, { of, limit }, signal) {
      reading ??= refresh().finally(() => {
        reading = undefined
      })
      await reading
      signal.throwIfAborted()
      const scores = await rows.scores(question, signal)
      const order = bestFirst(scores, rows, of)
      const found = new Map<string, Near>()
      for (let start = 0; start < order.length && found.size < limit; start += CHECKED) {
        const some = order.slice(start, start + CHECKED)
        const living = await livingVectors(
          engine,
          owner,
          some.map((row) => rows.seqOf(row)),
        )
        signal.throwIfAborted()
        for (const row of some) {
          const { seq, kind, pk, start: at } = rows.at(row)
          if (!living.has(seq)) rows.drop(row)
          else if (found.size < limit && !found.has(`${kind}:${pk}`)) {
            found.set(`${kind}:${pk}`, { kind, pk, start: at, cosine: scores[row] ?? 0 })
          }
        }
      }
      return [...found.values()]
    },
  }
}

/** How many candidates are put in order at most: far more than are ever wanted, far fewer than there are. */
const ORDERED = 2_048

/** Rows of some kinds with the highest scores, the highest first; equals by row. */
function bestFirst(scores: Float32Array, rows: Rows, of: readonly VectorKind[]): number[] {
  const threshold = thresholdOf(scores)
  const chosen: number[] = []
  for (let row = 0; row < scores.length; row++) {
    const score = scores[row] ?? 0
    if (score > 0 && score >= threshold && rows.isOf(row, of)) chosen.push(row)
  }
  return chosen.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b).slice(0, ORDERED)
}

/** A score that about `ORDERED` rows reach: from a count of scores in hundredths. */
function thresholdOf(scores: Float32Array): number {
  if (scores.length <= ORDERED) return 0
  const counts = new Uint32Array(101)
  for (const score of scores) {
    const step = Math.max(0, Math.min(100, Math.floor(score * 100)))
    counts[step] = (counts[step] ?? 0) + 1
  }
  let count = 0
  for (let step = 100; step > 0; step--) {
    count += counts[step] ?? 0
    if (count >= ORDERED) return step / 100
  }
  return 0
}

/** Vectors one after another in one block, which grows; the oldest give way when it is full. */
class Rows {
  /** The highest number taken in. */
  last = 0
  private count = 0
  private room = 0
  /** Where the next vector goes when the block is full. */
  private next = 0
  private bytes = new Int8Array(0)
  private scales = new Float32Array(0)
  private seqs = new Float64Array(0)
  private pks = new Float64Array(0)
  private starts = new Float64Array(0)
  private isEvent = new Uint8Array(0)

  constructor(
    private readonly dimensions: number,
    private readonly most: number,
  ) {}

  add({ seq, kind, pk, start, scale, bytes }: StoredVector): void {
    this.last = Math.max(this.last, seq)
    // What is not as long as its row says cannot be compared.
    if (bytes.byteLength !== this.dimensions) return
    const row = this.count < this.most ? this.count++ : this.next++ % this.most
    if (row >= this.room) this.grow()
    this.bytes.set(new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength), row * this.dimensions)
    this.scales[row] = scale
    this.seqs[row] = seq
    this.pks[row] = pk
    this.starts[row] = start
    this.isEvent[row] = kind === 'event' ? 1 : 0
  }

  /** Cosines with a question, by row. */
  async scores({ bytes, scale }: Quantised, signal: AbortSignal): Promise<Float32Array> {
    const scores = new Float32Array(this.count)
    for (let row = 0; row < scores.length; row++) {
      if (row > 0 && row % LOOK === 0) {
        await setImmediate()
        signal.throwIfAborted()
      }
      scores[row] = dot(bytes, this.bytes, row * this.dimensions) * scale * (this.scales[row] ?? 0)
    }
    return scores
  }

  seqOf(row: number): number {
    return this.seqs[row] ?? 0
  }

  at(row: number): { seq: number; kind: VectorKind; pk: number; start: number } {
    const kind = this.isEvent[row] === 1 ? 'event' : 'passage'
    return { seq: this.seqOf(row), kind, pk: this.pks[row] ?? 0, start: this.starts[row] ?? 0 }
  }

  isOf(row: number, kinds: readonly VectorKind[]): boolean {
    return kinds.includes(this.isEvent[row] === 1 ? 'event' : 'passage')
  }

  /** What is gone from the store is like nothing from now on. */
  drop(row: number): void {
    this.scales[row] = 0
    this.bytes.fill(0, row * this.dimensions, (row + 1) * this.dimensions)
  }

  private grow(): void {
    this.room = Math.min(this.most, Math.max(1_024, this.room * 2))
    this.bytes = grown(this.bytes, new Int8Array(this.room * this.dimensions))
    this.scales = grown(this.scales, new Float32Array(this.room))
    this.seqs = grown(this.seqs, new Float64Array(this.room))
    this.pks = grown(this.pks, new Float64Array(this.room))
    this.starts = grown(this.starts, new Float64Array(this.room))
    this.isEvent = grown(this.isEvent, new Uint8Array(this.room))
  }
}

function grown<Numbers extends Int8Array | Uint8Array | Float32Array | Float64Array>(
  old: Numbers,
  larger: Numbers,
): Numbers {
  larger.set(old)
  return larger
}
