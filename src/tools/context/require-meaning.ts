/** The one context tool that needs search by meaning says so when it is off. */

import { UserError } from '../../core/errors.ts'
import type { Services } from '../tool.ts'

/** @throws UserError `semantic_unavailable` when meaning is off and keywords alone are not allowed to answer for it */
export function requireMeaning({ context: { settings } }: Services): void {
  if (settings.meaning !== 'off' || settings.conversationsSearchLexicalFallback) return
  throw new UserError('semantic_unavailable', 'search by meaning is off, and this tool needs it', {
    remedy:
      'use rift_search, which needs none; or set provider = "associations" (no key, no network) in the section [context.meaning] of config.toml, or conversations_search_lexical_fallback = true in [context]',
  })
}
