/** LoCoMo: long talks between two people; a question is asked within its own conversation, its gold is turns. */

import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { archiveOf } from '../archive.ts'
import type { LabelledSet, Question, Said, Talk } from '../labelled.ts'

const turnSchema = z.object({ speaker: z.string(), dia_id: z.string(), text: z.string() })

const conversationSchema = z.object({
  conversation: z.record(z.string(), z.unknown()),
  qa: z.array(z.object({ question: z.string(), evidence: z.array(z.string()).default([]) })),
})

type Conversation = z.infer<typeof conversationSchema>

const DAY = 86_400_000
const FIRST_DAY = Date.UTC(2023, 0, 1)

/** One archive per conversation: each of its sessions a session, each turn an event. */
export function locomo(path: string): LabelledSet {
  return {
    name: 'LoCoMo',
    unit: 'event',
    async *archives() {
      for (const conversation of z.array(conversationSchema).parse(JSON.parse(readFileSync(path, 'utf8')))) {
        const talks = talksOf(conversation)
        const { engine, events } = await archiveOf(talks)
        const texts = new Map(talks.flatMap(({ said }) => said.map(({ key, text }) => [key, text])))
        yield { engine, events, questions: questionsOf(conversation, texts) }
        await engine.close()
      }
    },
  }
}

function talksOf({ conversation }: Conversation): Talk[] {
  const first = z.string().parse(conversation['speaker_a'])
  return Object.entries(conversation).flatMap(([name, value]) => {
    const number = Number(/^session_(\d+)$/.exec(name)?.[1] ?? Number.NaN)
    if (!Array.isArray(value) || Number.isNaN(number)) return []
    const said = z
      .array(turnSchema)
      .parse(value)
      .map(({ speaker, dia_id, text }): Said => {
        return { key: dia_id, type: speaker === first ? 'user_input' : 'assistant_response', text }
      })
    return [{ id: name, at: FIRST_DAY + number * DAY, said }]
  })
}

/** Questions with evidence that exists; its ids are separated in several ways and sometimes misspelled. */
function questionsOf({ qa }: Conversation, texts: ReadonlyMap<string, string>): Question[] {
  return qa.flatMap(({ question, evidence }, place) => {
    const ids = [...evidence.join(' ').matchAll(/D?(\d+):0*(\d+)/g)].map(([, talk, turn]) => `D${talk}:${turn}`)
    const gold = [...new Set(ids)].filter((id) => texts.has(id))
    if (gold.length === 0) return []
    return [{ id: `${place}`, text: question, gold, evidence: gold.map((id) => texts.get(id) ?? '') }]
  })
}
