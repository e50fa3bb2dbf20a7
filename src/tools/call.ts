/** Calling a tool by its name, for every door that takes a name. */

import type { Caller } from '../core/caller.ts'
import { UserError } from '../core/errors.ts'
import { tools } from './index.ts'
import type { Services, Tool, ToolAnswer } from './tool.ts'

/** The tool of a name. @throws UserError when there is none. */
export function findTool(name: string): Tool {
  const tool = tools.find((candidate) => candidate.name === name)
  if (tool) return tool
  throw new UserError('invalid_request', `there is no tool called ${JSON.stringify(name.slice(0, 100))}`, {
    field: 'tool',
    remedy: `the tools are ${tools.map((candidate) => candidate.name).join(', ')}`,
  })
}

/**
 * Calls a tool. `acceptedAt` is when the call was accepted; the time it waited since is part of the time reported.
 * @throws UserError when there is no such tool; every other failure is an answer with `isError`.
 */
export async function callTool(
  services: Services,
  caller: Caller,
  name: string,
  args: unknown,
  acceptedAt: number = services.clock(),
): Promise<ToolAnswer> {
  return findTool(name).call(services, caller, args, acceptedAt)
}
