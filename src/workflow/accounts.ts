/** Who owns what where there are no accounts: what is bundled, and the owner of this machine. */

import { LOCAL_OWNER } from '../core/caller.ts'
import { SYSTEM_OWNER } from '../store/index.ts'
import type { Accounts } from './engine/types.ts'

const HANDLES = new Map([
  [SYSTEM_OWNER, 'varve'],
  [LOCAL_OWNER, 'local'],
])

export const localAccounts: Accounts = {
  handleOf: (owner) => HANDLES.get(owner) ?? `user-${owner}`,
  ownerOf(handle) {
    const known = [...HANDLES].find(([, name]) => name === handle)
    if (known) return known[0]
    const other = /^user-(\d{1,9})$/.exec(handle)
    return other ? Number(other[1]) : undefined
  },
}
