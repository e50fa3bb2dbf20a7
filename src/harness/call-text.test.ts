import { expect, test } from 'vitest'
import { callText } from './call-text.ts'

test.each([
  ['a command', { command: 'ls', description: 'List' }, 'ls'],
  ['a command in words', { cmd: ['git', 'status'] }, 'git status'],
  ['a path', { file_path: '/a.ts', limit: 10 }, '/a.ts'],
  ['a change', { path: '/a.ts', old_str: 'x', new_str: 'y' }, '/a.ts\n- x\n+ y'],
  ['several changes', { path: '/a.ts', edits: [{ oldString: 'x', newString: 'y' }] }, '/a.ts\n- x\n+ y'],
  ['a new file', { file_path: '/a.ts', content: 'z' }, '/a.ts\nz'],
  ['an editor that is told what to do', { command: 'create', path: '/a.ts', file_text: 'z' }, 'create\n/a.ts\nz'],
  ['a search', { pattern: 'x', path: 'src' }, 'src\nx'],
  ['a task for a subagent', { description: 'Count', prompt: 'Count the beds.' }, 'Count\nCount the beds.'],
  ['a list of things to do', { todos: [{ status: 'pending', content: 'Dig' }] }, '[pending] Dig'],
  ['bare text', 'ls', 'ls'],
  ['arguments without a telling name', { a: 2, b: 40 }, '{"a":2,"b":40}'],
  ['a list', [1, 2], '[1,2]'],
  ['no arguments', {}, ''],
  ['nothing', undefined, ''],
])('%s is read as a person would', (_what, input, said) => expect(callText(input)).toBe(said))

test('what a call writes is shown in part', () => {
  const text = 'x'.repeat(100_000)
  for (const input of [{ content: text }, { old_string: text }, { a: text }, text]) {
    expect(callText(input).length).toBeLessThan(4100)
  }
})
