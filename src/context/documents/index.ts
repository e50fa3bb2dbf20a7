/** Documents: the living files of a project, by reading them; Git's state without running Git. */

export {
  type DiscoverOptions,
  type DocumentScan,
  discoverDocuments,
  type KnownDocument,
  type SkipReason,
} from './discover.ts'
export {
  DOCUMENT_ROLES,
  type DocumentLook,
  type DocumentRole,
  type DocumentState,
  type ReadDocument,
  type Section,
  type TrustLevel,
  type UnchangedDocument,
} from './document.ts'
export type { DocumentFiles } from './document-files.ts'
export { trustOf } from './roles.ts'
export { sectionsOf } from './sections.ts'
