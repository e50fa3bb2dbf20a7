import { describe, expect, it } from 'vitest'
import { find, findInside, holds, searchable } from './match.ts'
import { parseQuery, type Unit } from './query.ts'

function unitOf(input: string): Unit {
  const { required, optional } = parseQuery(input)
  const [unit] = [...required, ...optional]
  if (!unit) throw new Error(`nothing to look for in ${input}`)
  return unit
}

const strength = (input: string, text: string) => find(unitOf(input), searchable(text)).strength
const found = (input: string, text: string) =>
  find(unitOf(input), searchable(text)).spans.map(({ start, end }) => text.slice(start, end))

describe('finding a unit in a text', () => {
  it('finds whole words, whatever their case and accents', () => {
    expect(found('cafe', 'Café, café; cafeteria')).toEqual(['Café', 'café'])
    expect(strength('art', 'start party')).toBe(0)
  })

  it('finds words of camelCase names, as the index does', () => {
    expect(found('user', 'getUserName userId superuser users')).toEqual(['User', 'user', 'users'])
    expect(found('server', 'HTTPServer')).toEqual(['Server'])
    expect(found('http', 'HTTPServer')).toEqual(['HTTP'])
    expect(found('utf', 'utf8Decode')).toEqual(['utf'])
    expect(found('sha', 'sha256')).toEqual([])
  })

  it('ranks an identifier as typed over other spellings over its parts', () => {
    const asTyped = strength('file_attention', 'call file_attention now')
    const respelled = strength('file_attention', 'the file attention view')
    const apart = strength('file_attention', 'attention: a file is missing')
    const half = strength('file_attention', 'pay attention')
    expect(asTyped).toBe(1)
    expect(asTyped).toBeGreaterThan(respelled)
    expect(respelled).toBeGreaterThan(apart)
    expect(apart).toBeGreaterThan(half)
    expect(half).toBeGreaterThan(0)
  })

  it('knows a name in another style', () => {
    expect(strength('getUserName', 'get_user_name()')).toBeGreaterThan(strength('getUserName', 'name of a user to get'))
    expect(strength('getUserName', 'getUserName()')).toBe(1)
  })

  it('finds a phrase only where its words follow each other', () => {
    expect(found('"fails after"', 'it fails after a day, and fails soon after')).toEqual(['fails after'])
    expect(holds(unitOf('"fails after"'), searchable('fails\n  after'))).toBe(true)
    expect(holds(unitOf('"fails after"'), searchable('after it fails'))).toBe(false)
  })

  it('finds scripts without blanks anywhere in a run', () => {
    expect(found('错误', '这是一个认证错误。')).toEqual(['错误'])
    expect(found('认证错误', '这是一个认证错误。')).toEqual(['认证错误'])
    expect(found('youer', '修改youer服务端')).toEqual(['youer'])
    expect(found('안녕', '안녕하세요')).toEqual(['안녕'])
  })

  it('tells C++ from C', () => {
    expect(found('C++', 'C, C# and C++17')).toEqual(['C++'])
    expect(found('C#', 'C, C# and C++')).toEqual(['C#'])
  })

  it('shows an option with its hyphens', () => {
    expect(found('--force', 'git push --force')).toEqual(['--force'])
    expect(strength('--force', 'git push --force')).toBeGreaterThan(strength('--force', 'use the force'))
  })

  it('finds prefixes at the beginning of words only', () => {
    expect(found('migrat*', 'migrate, migration, immigration')).toEqual(['migrat', 'migrat'])
  })

  it('keeps its place behind characters of two units (fault 41)', () => {
    const text = '🚀🎉 don’t deploy'
    expect(found('deploy', text)).toEqual(['deploy'])
  })

  it('finds a piece of an id inside it', () => {
    const { spans } = findInside(unitOf('e29b-41d4'), searchable('id 550e8400-E29B-41d4-a716'))
    expect(spans).toEqual([{ start: 12, end: 21 }])
  })
})
