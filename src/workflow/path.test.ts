import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { UserError } from '../core/errors.ts'
import { parsePath, pathRoots, readPath, writePath } from './path.ts'

const variables = {
  plan: { steps: [{ name: 'one' }, { name: 'two' }], title: 'T' },
  'ask-user': { decision: 'yes' },
  idx: 1,
  text: '0',
  grid: [
    [1, 2],
    [3, 4],
  ],
}

describe('readPath', () => {
  it.each([
    ['plan.title', 'T'],
    ['plan.steps[0].name', 'one'],
    ['plan.steps[idx].name', 'two'],
    ['plan.steps[text].name', 'one'],
    ['plan.steps.length', 2],
    ['plan.steps.1.name', 'two'],
    ['ask-user.decision', 'yes'],
    ['grid[idx][text]', 3],
    ['grid[idx][grid[text][text]]', 4],
    ['plan.title.length', 1],
    ['plan.steps[2].name', undefined],
    ['plan.title[0]', undefined],
    ['nothing.at.all', undefined],
    ['plan..title', undefined],
    ['plan[', undefined],
    ['', undefined],
  ])('reads %s', (path, value) => {
    expect(readPath(variables, path)).toEqual(value)
  })

  it.each(['__proto__', 'constructor.name', 'plan.constructor', 'plan.__proto__.x', 'plan.steps.map', 'toString'])(
    'finds nothing at %s',
    (path) => {
      expect(readPath(variables, path)).toBeUndefined()
    },
  )

  it('names every variable a path reads by', () => {
    const path = parsePath('grid[row][m[col].v].x')
    expect(path && pathRoots(path)).toEqual(['grid', 'row', 'm', 'col'])
  })

  it('reads any text without throwing, and only what is there', () => {
    fc.assert(
      fc.property(fc.string(), fc.dictionary(fc.string(), fc.jsonValue()), (path, data) => {
        const value = readPath(data, path)
        expect(typeof value).not.toBe('function')
      }),
    )
  })
})

describe('writePath', () => {
  it('makes the objects on the way and shares the rest', () => {
    const written = writePath(variables, 'plan.report.url', 'u')
    expect(readPath(written, 'plan.report.url')).toBe('u')
    expect(written['grid']).toBe(variables.grid)
    expect(readPath(variables, 'plan.report')).toBeUndefined()
  })

  it('replaces and appends in arrays, by number and by variable', () => {
    expect(readPath(writePath(variables, 'plan.steps[idx].name', 'x'), 'plan.steps[1].name')).toBe('x')
    expect(readPath(writePath(variables, 'plan.steps[2]', 'x'), 'plan.steps.length')).toBe(3)
    expect(writePath({}, 'list[0]', 'x')).toEqual({ list: ['x'] })
  })

  it.each([
    ['plan.steps[9]', 'past the end'],
    ['plan.title.x', 'not an object'],
    ['plan[0]', 'not an array'],
    ['plan.steps[none]', 'whole number'],
  ])('refuses %s', (path, why) => {
    expect(() => writePath(variables, path, 1)).toThrow(why)
  })

  it.each(['__proto__.x', 'constructor', 'a.prototype.b', 'a b', ''])('refuses the path %j', (path) => {
    expect(() => writePath({}, path, 1)).toThrow(UserError)
  })

  it('never changes a prototype and never changes its argument', () => {
    const before = JSON.stringify(variables)
    fc.assert(
      fc.property(fc.string(), fc.jsonValue(), (path, value) => {
        try {
          writePath(variables, path, value)
        } catch (error) {
          expect(error).toBeInstanceOf(UserError)
        }
        expect(({} as Record<string, unknown>)['x']).toBeUndefined()
        expect(JSON.stringify(variables)).toBe(before)
      }),
    )
  })
})
