/** What a document of a project is, before it is stored. */

/** Why a file is kept: what it is good for. */
export type DocumentRole = 'rule' | 'report' | 'tracker' | 'manifest' | 'script' | 'document'

export const DOCUMENT_ROLES: readonly DocumentRole[] = ['rule', 'report', 'tracker', 'manifest', 'script', 'document']

/**
 * How Git sees a file: `tracked` or `untracked`; `deleted` is in Git's index and gone from disk; `generated` was written by
 * a program, tracked or not; `none` where there is no Git.
 */
export type DocumentState = 'tracked' | 'untracked' | 'deleted' | 'generated' | 'none'

/** How far an item can be trusted to say what is true now, best first. `discussion` is any conversation. */
export type TrustLevel = 'live_state' | 'tracker' | 'committed_doc' | 'discussion' | 'discounted'

/** What a file looks like from outside; equal looks mean that nothing was written, but for the clock's grain. */
export interface DocumentLook {
  /** Bytes. */
  size: number
  /** Milliseconds since 1970, whole. */
  modifiedAt: number
  /** Device and inode. */
  identity: string
}

/** A document whose content was read. */
export interface ReadDocument {
  /** Relative to the root that was scanned; forward slashes. */
  path: string
  look: DocumentLook
  role: DocumentRole
  state: DocumentState
  /** First heading, or the file's name; at most 160 characters. */
  title: string
  /** `rule:<slug>` or `report_card:<slug>` of a rule or report. */
  ruleId?: string
  /** The text as it is on disk, without a byte order mark. */
  content: string
}

/** A document that looks as it did when it was last read; its state may still have changed. */
export interface UnchangedDocument {
  path: string
  look: DocumentLook
  state: DocumentState
}

/** A stretch of a document under one heading. All sections of a document in a row are its content. */
export interface Section {
  /** Without marks; empty before the first heading. */
  heading: string
  /** Unique in the document, as in `#slug`; empty before the first heading. */
  slug: string
  /** 1 is the outermost heading; 0 before the first heading. */
  level: number
  /** Offsets in the content, in UTF-16 units: `content.slice(start, end) === text`. The heading's line is part of it. */
  start: number
  end: number
  /** Line of `start`, from 1. */
  line: number
  text: string
}
