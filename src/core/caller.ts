/** Who asks. Every store query takes a caller and sees only what that caller may see. */

export interface Caller {
  /** Number of the account whose archive is read; 1 is the owner of this machine. */
  owner: number
  admin: boolean
  /** Name the MCP client gave itself, for logs. */
  client?: string
  /** Directory the client was started in; relative paths and project scope are resolved against it. */
  launchDirectory: string
  /**
   * `--project-only`: absolute roots outside which nothing exists for this caller. A session belongs when its first
   * known working directory is one of the roots or below it. Absent: no floor.
   */
  projectRoots?: readonly string[]
  /** Aborted when the client cancels or goes away. */
  signal?: AbortSignal
  /** Tells the client how far a long call is, from 0 to `total`; absent when the client did not ask. Never throws. */
  progress?: (done: number, total: number, message: string) => void
}

/** The account of whoever runs Varve on their own machine. */
export const LOCAL_OWNER = 1
