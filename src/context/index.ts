/**
 * The context of an agent's work: documents, statements, labels, saves and the log of evidence, derived from the archive
 * and from the folders it speaks of. Other folders enter here.
 *
 * Reading: rows are read through the store (`findItem`, `listItems`, `itemContent`, `loadPassages`, `loadStatements`,
 * `listStatements`, `loadLabels`), found through retrieval (`contextCandidates`), and what tools do
 * goes through `ContextServices`.
 */

export { type ContextParts, createContextServices, createProcessSaves } from './create-services.ts'
export { citationBoost } from './evidence/log.ts'
export * from './evidence/types.ts'
export { improveStoredLabels } from './indexing/improve-labels.ts'
export {
  type ContextIndexer,
  createContextIndexer,
  type IndexerOptions,
  type IndexReport,
} from './indexing/index-context.ts'
export { DOMAINS, INTENTS as SESSION_INTENTS, QUALITIES } from './labels/index.ts'
export { buildPack, type PackParts, type SearchPassages } from './pack/build.ts'
export type { Pack, PackConversation, PackPassage, PackRequest, PackStatement } from './pack/pack.ts'
export { findProjectScope } from './project-scope.ts'
export { type Expand, TIERS, type Tier } from './rows.ts'
export type { Saves } from './saves/save.ts'
export type { SaveMeta, SaveQuality, SaveReceipt, SaveRequest } from './saves/types.ts'
export { type ConversationFilter, filterConversations } from './search/conversation-filter.ts'
export { openRow, openTarget, type RowRequest } from './search/open-row.ts'
export { DETAILS, type Row, type RowSource } from './search/row.ts'
export { type FoundRow, type RowSearch, type SearchParts, searchRows } from './search/search-rows.ts'
export type { ContextServices, ContextSettings, ContextStatus, MeaningStatus } from './services.ts'
export { harnessesNamed, sourceNameOf } from './source-names.ts'
