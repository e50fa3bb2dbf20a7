/** Whether the archive is complete, from what capture wrote down about itself. Pure. */

import { formatTime } from '../core/time.ts'
import type { CaptureStatus } from '../store/index.ts'
import type { Coverage } from '../tools/index.ts'

export interface CoverageFacts {
  /** What capture last wrote down; undefined when nothing was ever captured. */
  status: CaptureStatus | undefined
  /** A living process captures. */
  capturing: boolean
  /** `capture.enabled` */
  enabled: boolean
  /** The sample is served. */
  sample: boolean
  /** Now, in milliseconds. */
  now: number
}

/** How long what was read counts as all there is when nobody watches, in milliseconds. */
const FRESH = 60_000

export const SAMPLE_REASON = 'sample data: this machine has no transcripts yet, these sessions are made up'

export function judgeCoverage(facts: CoverageFacts): Coverage {
  return { ...judge(facts), observed_at_unix_ms: Math.round(facts.now) }
}

function judge({ status, capturing, enabled, sample, now }: CoverageFacts): Pick<Coverage, 'state' | 'reason'> {
  if (sample) return { state: 'partial', reason: SAMPLE_REASON }
  if (status === undefined || (status.finishedAt === null && !capturing)) {
    const reason = enabled ? 'transcripts have not been read completely yet' : 'reading transcripts is switched off'
    return { state: status === undefined && !enabled ? 'unknown' : 'partial', reason }
  }
  if (status.running && capturing) {
    const { filesDone, filesTotal } = status
    return {
      state: 'partial',
      reason: `transcripts are being read: ${filesDone} of ${filesTotal} files with something new`,
    }
  }
  const [first] = status.unreadable
  if (first) {
    const { length } = status.unreadable
    const reason = `${length} ${length === 1 ? 'place' : 'places'} cannot be read, such as ${first.path} (${first.reason})`
    return { state: 'partial', reason }
  }
  const readAt = formatTime(status.finishedAt ?? 0)
  if (capturing) return { state: 'complete', reason: `transcripts are watched; all were read at ${readAt}` }
  if (now - (status.finishedAt ?? 0) <= FRESH)
    return { state: 'complete', reason: `all transcripts were read at ${readAt}` }
  return { state: 'unknown', reason: `all transcripts were read at ${readAt}, and nobody watches them now` }
}
