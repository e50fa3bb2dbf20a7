/** Labels a session by rules alone: no network, no model. Pure. */

import { domainOf } from './domain.ts'
import { intentOf } from './intent.ts'
import type { Labels, SessionEvidence, TermFrequencies } from './label.ts'
import { qualityOf } from './quality.ts'
import { summaryOf, titleOf } from './summary.ts'
import { topicsOf } from './topics.ts'

const MAX_DECISIONS = 20

export function labelsOf(session: SessionEvidence, frequencies: TermFrequencies): Labels {
  return {
    domain: domainOf(session),
    intent: intentOf(session),
    quality: qualityOf(session),
    topics: topicsOf(session, frequencies),
    decisions: [...new Set(session.decisions)].slice(-MAX_DECISIONS),
    title: titleOf(session),
    summary: summaryOf(session),
    labelSource: 'rules',
  }
}
