/** A file one tool call reads or changes. */
export interface PathTouch {
  /** Absolute where the working directory is known or the call says so, else as written; forward slashes, normalized. */
  path: string
  access: 'read' | 'write'
  /** Where it was found: a path argument, a patch's header, or a shell command. */
  via: 'path' | 'patch' | 'shell'
}

/** Where what is found goes. */
export type TouchSink = (touch: PathTouch) => void
