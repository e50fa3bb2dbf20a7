/** What is asked of file_attention, once checked. */

export const SCOPES = ['project', 'all'] as const
export const GRANULARITIES = ['sessions', 'events'] as const
export interface Request {
  path: string
  scope: (typeof SCOPES)[number]
  granularity: (typeof GRANULARITIES)[number]
  from: number | undefined
  to: number | undefined
  tool: string | undefined
  harness: string | undefined
  source: string | undefined
  mutationsOnly: boolean
  limit: number
}
