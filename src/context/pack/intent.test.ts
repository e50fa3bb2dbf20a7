import { describe, expect, it } from 'vitest'
import { readIntent } from './intent.ts'

describe('16: the intent of a task', () => {
  it.each([
    ['Check the Mac installer on a clean machine before a release', 'blended'],
    ['Why was Docker rejected for checking the installer?', 'reasoning_archive'],
    ['What did we consider originally, and which alternatives were tried?', 'reasoning_archive'],
    ['What is the current status of the migration?', 'current_truth'],
    ['Is the login page done, and is it still on the latest version?', 'current_truth'],
    ['Why does the current build fail?', 'blended'],
    ['', 'blended'],
  ])('of %j is %s', (task, intent) => {
    expect(readIntent(task)).toBe(intent)
  })

  it('does not depend on letter case, and no word is found inside another', () => {
    expect(readIntent('WHY WAS IT REJECTED')).toBe('reasoning_archive')
    expect(readIntent('Snowy knowledge, statuses, reasonable discussedness')).toBe('blended')
  })
})
