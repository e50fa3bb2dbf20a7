/** The progress bar of a first capture: a rate and the time left, where a person looks; nothing elsewhere. */

import type { CaptureProgress } from '../app.ts'
import { bytes, count, duration } from './numbers.ts'
import type { Terminal } from './terminal.ts'

export interface ProgressLine {
  show(progress: CaptureProgress): void
  /** Takes the line away. */
  done(): void
}

/** Time between two drawings, in milliseconds. */
const INTERVAL = 100

/** A pass that is over sooner needs no bar, in milliseconds. */
const PATIENCE = 400

export function progressLine(terminal: Terminal, now: () => number = Date.now): ProgressLine {
  if (!terminal.interactive) return { show: () => {}, done: () => {} }
  const begun = now()
  let drawnAt = 0
  return {
    show(progress) {
      const at = now()
      if (at - begun < PATIENCE || at - drawnAt < INTERVAL) return
      drawnAt = at
      terminal.redraw(progressText(progress, (at - begun) / 1000, terminal.columns))
    },
    done() {
      if (drawnAt > 0) terminal.redraw('')
    },
  }
}

/** `[######----]  42 %  120 MB of 285 MB  35 MB/s  5 s left  12 of 40 files`, cut to the width given. */
export function progressText(progress: CaptureProgress, seconds: number, columns: number): string {
  const { bytesDone, bytesTotal, filesDone, filesTotal } = progress
  const share = bytesTotal === 0 ? 1 : Math.min(1, bytesDone / bytesTotal)
  const rate = seconds > 0 ? bytesDone / seconds : 0
  const filled = Math.round(share * 20)
  return [
    `[${'#'.repeat(filled)}${'-'.repeat(20 - filled)}]`,
    `${Math.floor(share * 100)} %`.padStart(5),
    `${bytes(bytesDone)} of ${bytes(bytesTotal)}`,
    `${bytes(rate)}/s`,
    ...(rate > 0 ? [`${duration((bytesTotal - bytesDone) / rate)} left`] : []),
    `${filesDone} of ${count(filesTotal, 'file')}`,
  ]
    .join('  ')
    .slice(0, Math.max(0, columns - 1))
}
