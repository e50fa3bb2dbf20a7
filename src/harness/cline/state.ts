/** What is remembered along one transcript. */

/** Of a session of the terminal client. */
export interface SessionState {
  session: string
  /** The newest message's id. */
  last: string
  cwd: string
  /** A turn is under way. */
  isOpen: boolean
}

/** Of a task of the extension. */
export interface TaskState {
  session: string
  cwd: string
  /** A turn is under way. */
  isOpen: boolean
  /** The newest call that can still be answered. */
  call: { id: string; name: string; server: string } | null
}
