/** Which files a tool call touches, read from its arguments alone. Pure: paths are resolved as text. */

import { isRecord } from '../../core/json.ts'
import { argumentTouches } from './arguments.ts'
import { codeModeTouches } from './code-mode.ts'
import { resolvePath } from './lexical-path.ts'
import { isPatch, patchedPaths } from './patch.ts'
import type { PathTouch, TouchSink } from './path-touch.ts'
import { shellTouches } from './shell.ts'
import { dialectOf, isOwnTool, isShellTool } from './tool-access.ts'

export interface ToolCall {
  name: string
  server?: string
  input: unknown
  /** Working directory of the call's event. */
  cwd?: string
}

export type { PathTouch } from './path-touch.ts'

/** More touches than this a call does not get. */
const MAX_TOUCHES = 200

/** Text beyond this, in characters, is not looked at. */
const MAX_TEXT = 1_000_000

/**
 * The files a call touches, each once, in the order they are named; one that is read and written counts as written.
 *
 * A path is taken where an argument of a known name holds one, where a patch's header names one, and where a shell
 * command has one as an operand of a command that takes files, or in a redirection. Directories are no files: those of
 * searching tools and of listing commands are taken only where their last part has an ending or is a usual file name.
 */
export function touchesOf(call: ToolCall): PathTouch[] {
  if (isOwnTool(call.name, call.server)) return []
  const found = new Map<string, PathTouch>()
  const touch: TouchSink = (item) => {
    const known = found.get(item.path)
    if (known === undefined && found.size < MAX_TOUCHES) found.set(item.path, item)
    else if (known?.access === 'read' && item.access === 'write') found.set(item.path, item)
  }
  const input = typeof call.input === 'string' ? readText(call.input.slice(0, MAX_TEXT)) : call.input
  if (typeof input === 'string') textTouches(call, input, touch)
  else if (Array.isArray(input)) argumentTouches(call, { input }, touch)
  else if (isRecord(input)) argumentTouches(call, input, touch)
  return [...found.values()]
}

/** Arguments are often JSON inside a string. */
function readText(text: string): unknown {
  if (!/^\s*[{[]/.test(text)) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** A call whose input is bare text: a patch, a command, or a script that calls tools. */
function textTouches(call: ToolCall, text: string, touch: TouchSink): void {
  if (isPatch(text)) {
    for (const path of patchedPaths(text)) touch({ path: resolvePath(call.cwd, path), access: 'write', via: 'patch' })
  } else if (!codeModeTouches(text, call.cwd, touch) && isShellTool(call.name)) {
    shellTouches(text, call.cwd, dialectOf(call.name, call.cwd), touch)
  }
}
