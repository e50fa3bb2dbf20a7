/** For tests of the context tools: an archive to ask, with conversations, documents and saves. */

import { expect } from 'vitest'
import { z } from 'zod'
import { type TestContext, testContext } from '../../context/pack/pack.testing.ts'
import type { Caller } from '../../core/caller.ts'
import type { Engine } from '../../store/index.ts'
import { at, gitAt, START, testArchive } from '../sessions/tools.testing.ts'
import type { Services, Tool, ToolAnswer } from '../tool.ts'

export { OTHER, PROJECT } from '../../context/pack/pack.testing.ts'
export * from '../sessions/tools.testing.ts'

export interface ContextArchive extends TestContext {
  services: Services
  caller: Caller
  /** Calls a tool; the answer is held against the schema the tool publishes, and its text is its data. */
  ask(tool: Tool, args: unknown, caller?: Caller): Promise<ToolAnswer>
  /** The same for a call that must succeed: its data. */
  tell(tool: Tool, args: unknown, caller?: Caller): Promise<ToolAnswer>
  close(): Promise<void>
}

export async function contextArchive(
  engine: Engine,
  changed: Partial<Services['context']['settings']> = {},
): Promise<ContextArchive> {
  const { services, caller } = await testArchive({ engine, projects: gitAt('/home/me/project', '/home/me/other') })
  const changedServices = {
    ...services,
    context: { ...services.context, settings: { ...services.context.settings, ...changed } },
  }
  const ask = async (tool: Tool, args: unknown, by: Caller = caller): Promise<ToolAnswer> => {
    const answer = await tool.call(changedServices, by, args, START)
    const checked = tool.output.strict().safeParse(answer.structured)
    expect(checked.error ? z.prettifyError(checked.error) : 'fits').toBe('fits')
    if (answer.isError) expect(answer.text).toContain(String(at(answer, 'code')))
    else expect(JSON.parse(answer.text)).toEqual(JSON.parse(JSON.stringify(answer.structured)))
    return answer
  }
  return {
    ...testContext(engine),
    services: changedServices,
    caller,
    ask,
    async tell(tool, args, by) {
      const answer = await ask(tool, args, by)
      expect(answer.isError, answer.text).toBe(false)
      return answer
    },
    close: async () => {
      await services.context.savesSettled()
      await engine.close()
    },
  }
}

/** Holds that a call is refused, naming the argument to blame. */
export function expectRefusal(answer: ToolAnswer, code: string, field?: string): void {
  expect([answer.isError, at(answer, 'code')]).toEqual([true, code])
  expect(at(answer, 'details.remedy')).toEqual(expect.any(String))
  if (field !== undefined) expect(at(answer, 'details.field')).toBe(field)
}
