/** The list of harnesses. Adding one is its file, its test and a line here. */

import { claudeCode } from './claude-code/index.ts'
import { codex } from './codex/index.ts'
import type { Harness } from './harness.ts'

export type { Harness, Host, NativeRecord, SourceDefinition, SourceFile } from './harness.ts'

export const harnesses: readonly Harness[] = [claudeCode, codex]
