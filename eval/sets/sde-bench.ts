/** sde-bench: developers' chats, one of which holds the decision a bug report needs. */

import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { archiveOf } from '../archive.ts'
import type { LabelledSet, Question, Talk } from '../labelled.ts'

const turnSchema = z.object({ role: z.enum(['user', 'assistant']), text: z.string() })

/** A task whose decision was amended has two chats, which count as one. */
const turnsSchema = z.array(z.union([turnSchema, z.array(turnSchema)])).transform((turns) => turns.flat())

const schema = z.object({
  tasks: z.array(z.object({ task_id: z.string(), bug_report: z.string(), conversations: turnsSchema })),
  decoys: z.array(z.object({ topic: z.string(), turns: turnsSchema })),
})

type Turns = z.output<typeof turnsSchema>

const DAY = 86_400_000
const FIRST_DAY = Date.UTC(2025, 0, 1)

/**
 * All chats in one archive. The gold is the chat; its evidence is what the user says after the opening complaint, which
 * is where each of these chats decides.
 */
export function sdeBench(path: string): LabelledSet {
  return {
    name: 'sde-bench',
    unit: 'conversation',
    async *archives() {
      const { tasks, decoys } = schema.parse(JSON.parse(readFileSync(path, 'utf8')))
      const talks = [
        ...tasks.map(({ task_id, conversations }, place) => talkOf(task_id, conversations, place)),
        ...decoys.map(({ turns }, place) => talkOf(`decoy-${place}`, turns, tasks.length + place)),
      ]
      const questions = tasks.map(({ task_id, bug_report, conversations }): Question => {
        const decided = conversations.filter(({ role }) => role === 'user').slice(1)
        return {
          id: task_id,
          text: bug_report,
          gold: conversations.map((_, place) => `${task_id}:${place}`),
          evidence: decided.map(({ text }) => text),
        }
      })
      const { engine, events } = await archiveOf(talks)
      yield { engine, events, questions }
      await engine.close()
    },
  }
}

function talkOf(id: string, turns: Turns, place: number): Talk {
  return {
    id,
    at: FIRST_DAY + place * DAY,
    said: turns.map(({ role, text }, turn) => ({
      key: `${id}:${turn}`,
      type: role === 'user' ? 'user_input' : 'assistant_response',
      text,
    })),
  }
}
