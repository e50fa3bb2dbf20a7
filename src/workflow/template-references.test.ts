import { describe, expect, it } from 'vitest'
import { templateReferences } from './template.ts'

const names = (text: string) => templateReferences(text).roots.map(({ name }) => name)
const problems = (text: string) => templateReferences(text).problems.map(({ kind, position }) => [kind, position])

describe('templateReferences', () => {
  it('C55: lists every name, in variables, paths, indexes, blocks and keys of notes; helpers are none', () => {
    expect(
      names("{{a}} {{b-c.d}} {{l[i][m[j].k]}} {{#if p.q}}{{else}}{{r}}{{/if}} {{#eq s 'x'}}{{/eq}} {{note:k-{{t}}}}"),
    ).toEqual(['a', 'b-c', 'l', 'i', 'm', 'j', 'p', 'r', 's', 't'])
  })

  it('leaves out what is escaped, and this and @index', () => {
    expect(names('\\{{x}} {{#each l}}{{this.a}} {{@index}} {{m[@index]}}{{/each}}')).toEqual(['l', 'm'])
  })

  it('says which names stand inside an each block, where they may be fields of the item', () => {
    expect(templateReferences('{{#each l}}{{title}}{{else}}{{none}}{{/each}}').roots).toEqual([
      { name: 'l', position: 0, inEach: false },
      { name: 'title', position: 11, inEach: true },
      { name: 'none', position: 28, inEach: false },
    ])
  })

  it('lists the notes that are named in full', () => {
    expect(templateReferences('{{note:a}} {{note:b-{{c}}}}').notes).toEqual(['a'])
  })

  it('C54: an unclosed "{{" and a stray "}}" are found with their positions', () => {
    expect(problems('ab {{x')).toEqual([['unclosed', 3]])
    expect(problems('ab x}} c')).toEqual([['stray', 4]])
    expect(problems('{{a {{b}}')).toEqual([['unclosed', 0]])
    expect(problems('{{note:a-{{b}} c')).toEqual([['unclosed', 0]])
    const [problem] = templateReferences('ab {{x').problems
    expect(problem?.message).toContain('position 3')
    expect(problem?.remedy).toContain('}}')
  })

  it.each([
    ['{{#if a}}x', [['unbalanced', 0]]],
    ['x{{/if}}', [['unbalanced', 1]]],
    ['{{else}}', [['unbalanced', 0]]],
    ['{{#if a}}{{else}}{{else}}{{/if}}', [['unbalanced', 17]]],
    ['{{#if a}}{{#each l}}{{/if}}', [['unbalanced', 9]]],
    ['{{a b}}', [['malformed', 0]]],
    ['{{#eq a b}}x{{/eq}}', [['malformed', 0]]],
    ['{{#loop a}}x{{/loop}}', [['malformed', 0]]],
    ['{{note:a b}}', [['malformed', 0]]],
    ['{{this}}', [['outside-each', 0]]],
    ['{{a.__proto__}}', [['forbidden', 0]]],
  ])('reports what is wrong with %j', (text, expected) => {
    expect(problems(text)).toEqual(expected)
  })

  it('finds nothing wrong with a text of every form', () => {
    const text =
      "{{a}}{{#if a}}{{#unless b}}x{{/unless}}{{else}}y{{/if}}{{#each l}}{{this}}{{/each}}{{#neq c 'd'}}{{/neq}}\\{{e}}{f}"
    expect(problems(text)).toEqual([])
  })

  it('blocks nested beyond a hundred are reported, not overflowing', () => {
    const text = '{{#if a}}'.repeat(5000) + '{{/if}}'.repeat(5000)
    expect(templateReferences(text).problems[0]).toMatchObject({ kind: 'too-deep', position: 900 })
  })
})
