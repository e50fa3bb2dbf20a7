/** The session that the tests of `open` look into. */

import { answer, call, prompt, response, type Written } from '../tools.testing.ts'

export const MIGRATION: Written = {
  session: 's1',
  facts: { title: 'Fix the migration', cwd: '/home/me/project', branch: 'main', slug: 'fix', summary: 'Fixed it' },
  events: [
    prompt('The migration is failing. Please fix it.', { key: 'p1' }),
    call(
      'exec_command',
      { cmd: 'cargo test', workdir: '/src' },
      { key: 'c1', tool: { name: 'exec_command', callId: 'k' } },
    ),
    response('exec_command', 'tests failed\nin order', {
      key: 'o1',
      tool: { name: 'exec_command', callId: 'k', exitCode: 101, failed: true },
    }),
    answer('Updated the order.', { key: 'a1', model: 'gpt-5', payload: '{"phase":"final"}' }),
    prompt('Summarize', { key: 'p2' }),
    answer('All passed.', { key: 'a2', model: 'gpt-5' }),
  ],
}
