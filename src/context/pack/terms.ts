/** The terms of a task and how many of them a text holds: the `k/n` of a passage. */

export { termsIn, termsOf as taskTerms } from '../../retrieval/terms.ts'
