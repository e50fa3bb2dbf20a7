/** How much a session is worth coming back to. Pure. */

import { acceptsPrevious } from '../statements/index.ts'
import type { Quality, SessionEvidence } from './label.ts'

/** Signs of a result that make a session good, when it is long enough to tell of it. */
const SIGNS = 3
const MANY_PROMPTS = 6
const MUCH_PROSE = 8 * 1024

const LITTLE_PROSE = 600

/** What test runners and agents write of a run. */
const TESTED =
  /\b\d+ (?:tests? |specs? )?(?:passed|passing|pass|ok)\b|\btests? (?:now |all )?(?:pass|passed|are green|is green)\b|\ball (?:tests )?green\b/i

export function qualityOf(session: SessionEvidence): Quality {
  if (isPoor(session)) return 'low'
  const { decisions, filesChanged, answers, prompts, ending, promptCount, proseBytes } = session
  const tested = answers.some((answer) => TESTED.test(answer))
  const accepted = ending === 'answered' && acceptsPrevious(prompts.at(-1) ?? '')
  const signs = decisions.length + filesChanged.length + Number(tested) + Number(accepted)
  return signs >= SIGNS && (promptCount >= MANY_PROMPTS || proseBytes >= MUCH_PROSE) ? 'high' : 'medium'
}

/** Next to nothing was said; one prompt without result; interrupted at once; nothing but commands to the client. */
function isPoor({
  prompts,
  promptCount,
  proseBytes,
  ending,
  decisions,
  filesChanged,
  answers,
}: SessionEvidence): boolean {
  if (proseBytes < LITTLE_PROSE) return true
  if (promptCount < 2 && decisions.length === 0 && filesChanged.length === 0) return true
  if (promptCount < 2 && ending === 'interrupted' && answers.length === 0) return true
  return prompts.every((prompt) => /^\s*\/[a-z][\w:-]*(?:\s|$)/i.test(prompt))
}
