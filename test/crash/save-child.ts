/** Saves one thing after another into an archive; started, and killed, by the crash test. Says what it was promised. */

import { createSaves } from '../../src/context/saves/save.ts'
import { LOCAL_OWNER } from '../../src/core/caller.ts'
import { systemClock } from '../../src/core/clock.ts'
import { timeOrderedUuid } from '../../src/core/uuid.ts'
import { openStore } from '../../src/store/index.ts'

const [url = '', first = '0', count = '0'] = process.argv.slice(2)

const engine = await openStore({ url })
const saves = createSaves({
  engine,
  clock: systemClock,
  newId: () => timeOrderedUuid(systemClock()),
  scrub: (text) => text,
  projects: { projectOf: () => undefined },
  log: (line) => process.stderr.write(`${line}\n`),
  abandonedAfter: 0,
})
const caller = { owner: LOCAL_OWNER, admin: true, launchDirectory: '/' }
process.stdout.write('begins\n')
for (let number = Number(first); number < Number(first) + Number(count); number++) {
  // Every third save replaces the one before it.
  const replaces = number % 3 === 2 ? { replace_idempotency_key: `key-${number - 1}` } : {}
  await saves.save(caller, {
    source: 'claude_code',
    summary: `Save number${number}`,
    content: `text${number} and ${'many other words '.repeat(500)}`,
    decisions: [`Decision${number} is final`],
    idempotency_key: `key-${number}`,
    ...replaces,
  })
  process.stdout.write(`saved ${number}\n`)
}
await saves.settled()
await engine.close()
process.stdout.write('ends\n')
