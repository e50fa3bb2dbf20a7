/** What a save is asked and what it answers. Field names are those of the tool. */

/** What an agent files. Limits are checked by `save`, which refuses with the field's name. */
export interface SaveRequest {
  /** `claude_code`, `codex_cli`, `gemini_cli`; the tool checks which are offered. */
  source: string
  /** 1 to 8,000 characters. */
  summary: string
  /** The whole transcript; at most 4 MiB of UTF-8. */
  content?: string
  /** Each list at most 100 texts of at most 2,000 characters. */
  decisions?: readonly string[]
  key_outputs?: readonly string[]
  topics?: readonly string[]
  /** `tech` by default. */
  domain?: string
  /** 1 to 200 characters. */
  idempotency_key?: string
  replace_idempotency_key?: string
}

/** How findable the save will be. */
export interface SaveQuality {
  /** `full` with a transcript of substance, `partial` with a short one, `summary_only` without. */
  tier: 'full' | 'partial' | 'summary_only'
  warnings: string[]
}

export interface SaveReceipt {
  job_id: string
  quality: SaveQuality
  /** The same save is there already; nothing was done. */
  duplicate?: true
}

/** `meta` of a save's item, as JSON. */
export interface SaveMeta {
  summary: string
  decisions: readonly string[]
  key_outputs: readonly string[]
  topics: readonly string[]
  domain: string
  job_id: string
  idempotency_key: string | null
}
