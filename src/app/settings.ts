/** What capture and the index of the context are told: plain data, since it may cross into another thread. */

import type { CaptureSettings } from '../capture/index.ts'
import type { ModelSettings } from './models.ts'

export interface ContextIndexSettings {
  enabled: boolean
  /** Folders that sessions worked in are read; not those the sample speaks of. */
  documents: boolean
  folders: readonly string[]
  exclude: readonly string[]
  maxFileBytes: number
  /** What makes vectors and improves labels; nothing when absent. */
  models?: ModelSettings
}

export interface CapturingSettings extends CaptureSettings {
  context: ContextIndexSettings
}
