import { describe, expect, it } from 'vitest'
import { formsOf, isEmptyWord, isFunctionWord, isLightWord, rootOf } from './words.ts'

describe('the forms of a word', () => {
  it.each([
    ['painting', ['paint', 'painted', 'paints']],
    ['run', ['running', 'ran', 'runs']],
    ['hobby', ['hobbies']],
    ['decided', ['decide', 'decides', 'deciding']],
    ['migration', ['migrate', 'migrated', 'migrations', 'migrating']],
    ['child', ['children']],
    ['go', ['went', 'gone', 'going']],
    ['color', ['colour', 'colours', 'coloured']],
    ['behaviours', ['behavior', 'behaviour']],
    ['initialize', ['initializing', 'initialized', 'initialise', 'initialised']],
    ['cancel', ['cancelled', 'canceled', 'cancelling']],
    ['organisation', ['organization', 'organize', 'organise']],
  ])('of %s hold %s', (word, expected) => {
    const forms = formsOf(word)
    expect(forms?.others).toEqual(expect.arrayContaining(expected))
    expect(forms?.others).not.toContain(word)
  })

  it('all begin with one of the leads', () => {
    for (const word of ['painting', 'go', 'children', 'hobby', 'used']) {
      const { all, leads } = formsOf(word) ?? { all: new Set<string>(), leads: [] }
      expect(leads.length).toBeGreaterThan(0)
      for (const form of all) expect(leads.some((lead) => form.startsWith(lead))).toBe(true)
    }
  })

  it('are none of what is no English word', () => {
    for (const word of ['认证', 'utf8', 'x', 'a_b']) expect(formsOf(word)).toBeUndefined()
  })

  it('have one root, irregular ones too', () => {
    expect(rootOf('went')).toBe(rootOf('go'))
    expect(rootOf('indices')).toBe(rootOf('index'))
    expect(rootOf('painted')).toBe(rootOf('painting'))
  })
})

describe('function words', () => {
  it('are told from what a text is about, and those that say a little from the rest', () => {
    for (const word of ['the', 'not', "don't", 'before']) expect(isFunctionWord(word)).toBe(true)
    for (const word of ['schema', 'go', 'use']) expect(isFunctionWord(word)).toBe(false)
    expect(isLightWord('not')).toBe(true)
    expect(isLightWord('the')).toBe(false)
  })

  it('of a pack are fewer: `before` counts there (statement 21)', () => {
    expect(isEmptyWord('before')).toBe(false)
    expect(isEmptyWord('the')).toBe(true)
    expect(isEmptyWord('a')).toBe(true)
  })
})
