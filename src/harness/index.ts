/** The list of harnesses. Adding one is its file, its test and a line here. */

import type { Harness } from './harness.ts'

export type { Harness, Host, NativeRecord, SourceDefinition, SourceFile } from './harness.ts'

export const harnesses: readonly Harness[] = []
