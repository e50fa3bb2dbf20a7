import { describe, expect, test } from 'vitest'
import { defineCommand } from './command.ts'
import { commandHelp } from './help.ts'
import { parseInput } from './parse.ts'

const command = defineCommand({
  name: 'dig',
  summary: 'Dig a hole',
  arguments: [
    { name: 'PLACE', description: 'where', required: true },
    { name: 'DEPTH', description: 'how deep' },
  ],
  options: {
    fast: { type: 'boolean', description: 'hurry' },
    tool: { type: 'text', description: 'with what', choices: ['spade', 'shovel'], repeated: true },
    hours: { type: 'number', description: 'for how long' },
  },
  async run() {
    return 0
  },
})

describe('a command line', () => {
  test('becomes arguments and options', () => {
    const input = parseInput(command, ['garden', '--tool', 'spade', '--tool=shovel', '--hours', '2', '--fast'])
    expect(input).toMatchObject({
      arguments: ['garden'],
      options: { fast: true, tool: ['spade', 'shovel'], hours: 2 },
      help: false,
    })
  })

  test('leaves absent options undefined, false or empty', () => {
    expect(parseInput(command, ['garden']).options).toEqual({ fast: false, tool: [], hours: undefined })
  })

  test('takes what follows -- as it is', () => {
    expect(parseInput(command, ['--', '--fast']).arguments).toEqual(['--fast'])
  })

  test.each([
    ['a missing argument', [], /PLACE is missing/],
    ['an argument too many', ['a', 'b', 'c'], /unexpected argument 'c'/],
    ['an unknown option', ['a', '--slow'], /--slow/],
    ['a value that is no choice', ['a', '--tool', 'fork'], /--tool must be one of spade, shovel, not 'fork'/],
    ['a number that is none', ['a', '--hours', 'two'], /--hours must be a number, not 'two'/],
    ['an empty number', ['a', '--hours', ''], /--hours must be a number/],
    ['an option without its value', ['a', '--hours'], /--hours/],
    ['a flag with a value', ['a', '--fast=yes'], /--fast/],
  ])('is refused for %s', (_what, words, message) => {
    expect(() => parseInput(command, words)).toThrow(
      expect.objectContaining({ code: 'usage', message: expect.stringMatching(message) }),
    )
  })

  test('asks for help whatever else it holds', () => {
    expect(parseInput(command, ['--help']).help).toBe(true)
  })
})

test('help names every argument and option', () => {
  expect(commandHelp(command)).toBe(
    `Dig a hole.

Usage:
  varve dig [OPTIONS] PLACE [DEPTH]

Arguments:
  PLACE  where
  DEPTH  how deep

Options:
  --fast               hurry
  --tool spade|shovel  with what (may be repeated)
  --hours N            for how long
  -h, --help           show this help`,
  )
})
