/** Values that belong to a database rather than to a process. */

import type { Engine } from './engine.ts'

/** The value of a setting; made and stored at the first call, the same for every process ever after. */
export async function settingOr(engine: Engine, name: string, make: () => string): Promise<string> {
  const read = () => engine.get<{ value: string }>('SELECT value FROM setting WHERE name = ?', [name])
  const stored = await read()
  if (stored) return stored.value
  await engine.run('INSERT INTO setting (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING', [name, make()])
  const kept = await read()
  if (!kept) throw new Error(`setting ${name} was stored and is not there`)
  return kept.value
}
