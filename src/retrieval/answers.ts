/** Which kind of answer a question asks for, and which texts hold such. English; a hint, never a condition. Pure. */

export type AnswerKind = 'time' | 'number'

/** `when did`, `what day is`, `on which date`. */
const ASKS_TIME = /^\W*when\b|\b(?:what|which) (?:date|day|week|month|year|time)\b/i

/** `how many`, `how long did`. */
const ASKS_NUMBER = /\bhow (?:many|much|long|old|often|far|big|large)\b/i

const words = (text: string): string => text.trim().split(/\s+/).join('|')

const TIME = new RegExp(
  `\\b(?:${words(`
    yesterday today tonight tomorrow ago last next recently since weekend
    seconds? minutes? hours? days? weeks? months? years?
    mondays? tuesdays? wednesdays? thursdays? fridays? saturdays? sundays?
    january february march april may june july august september october november december
  `)}|(?:19|20)\\d\\d|\\d{1,2}:\\d\\d)\\b`,
)

const NUMBER = new RegExp(
  `\\b(?:\\d+|${words('one two three four five six seven eight nine ten dozen hundred thousand once twice couple few')})`,
)

/** What a query asks for; undefined where any text may answer. */
export function answerKind(query: string): AnswerKind | undefined {
  if (ASKS_TIME.test(query)) return 'time'
  return ASKS_NUMBER.test(query) ? 'number' : undefined
}

/** Whether a folded text holds something of a kind. */
export function holdsAnswer(kind: AnswerKind, folded: string): boolean {
  return (kind === 'time' ? TIME : NUMBER).test(folded)
}
