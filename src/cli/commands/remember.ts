import { defineCommand } from '../command.ts'
import { withApp } from '../with-app.ts'

/** What notes of the person at the keyboard are filed under; agents file under their own names. */
const SOURCE = 'varve'

export const remember = defineCommand({
  name: 'remember',
  summary: 'Keep a note or decision, to be found by every agent',
  description: 'It is searched by rift_search and varve pack from then on. Agents do the same with rift_save.',
  arguments: [{ name: 'TEXT', description: 'what to remember', required: true, repeated: true }],
  options: {
    decision: {
      type: 'text',
      repeated: true,
      value: 'TEXT',
      description: 'something that was decided, in one sentence',
    },
    topic: { type: 'text', repeated: true, value: 'NAME', description: 'what it is about' },
    key: { type: 'text', value: 'KEY', description: 'keep it once: the same key again changes nothing' },
    replace: {
      type: 'text',
      value: 'KEY',
      description: 'put it in the place of the note that was kept under this key',
    },
    json: { type: 'boolean', description: 'print the receipt as data' },
  },
  examples: [`varve remember "Installer checks run in a VM" --decision "Docker is rejected for installer checks"`],
  async run({ arguments: words, options }, terminal) {
    const receipt = await withApp(terminal, async (app) => {
      const [{ context }, caller] = [await app.services(), await app.caller()]
      const saved = await context.save(caller, {
        source: SOURCE,
        summary: words.join(' '),
        decisions: options.decision,
        topics: options.topic,
        ...(options.key === undefined ? {} : { idempotency_key: options.key }),
        ...(options.replace === undefined ? {} : { replace_idempotency_key: options.replace }),
      })
      await context.savesSettled()
      return saved
    })
    if (options.json) terminal.print(JSON.stringify(receipt, null, 2))
    else terminal.print(receipt.duplicate ? 'That is kept already; nothing was changed.' : 'Kept.')
    return 0
  },
})
