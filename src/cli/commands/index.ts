/** The list of commands. Adding one is its file, its test and a line here; a module is read only when it is asked for. */

import type { Command } from '../command.ts'

export const commandLoaders: Readonly<Record<string, () => Promise<Command>>> = {
  up: async () => (await import('./up.ts')).up,
  mcp: async () => (await import('./mcp.ts')).mcp,
  capture: async () => (await import('./capture.ts')).capture,
  search: async () => (await import('./search.ts')).search,
  open: async () => (await import('./open.ts')).open,
  sessions: async () => (await import('./sessions.ts')).sessions,
  touched: async () => (await import('./touched.ts')).touched,
  pack: async () => (await import('./pack.ts')).pack,
  remember: async () => (await import('./remember.ts')).remember,
  call: async () => (await import('./call.ts')).call,
  workflow: async () => (await import('./workflow.ts')).workflow,
  status: async () => (await import('./status.ts')).status,
  doctor: async () => (await import('./doctor.ts')).doctor,
  export: async () => (await import('./export.ts')).exportSessions,
  forget: async () => (await import('./forget.ts')).forget,
  help: async () => (await import('./help.ts')).help,
}

/** Every command, in the order help shows them. */
export function loadCommands(): Promise<Command[]> {
  return Promise.all(Object.values(commandLoaders).map((load) => load()))
}
