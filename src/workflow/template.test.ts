import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { scopeWith } from './template.testing.ts'
import { authorFragments, renderTemplate, renderWithNotes, UNDEFINED_VARIABLE as U } from './template.ts'

const render = (text: string, variables: Record<string, unknown> = {}) => renderTemplate(text, scopeWith(variables))

describe('values', () => {
  it('C31: prints primitives plainly and a string without quotes', () => {
    expect(render('{{a}} {{ b }} {{c}} {{d}}', { a: 'x', b: 1.5, c: false, d: 0 })).toBe('x 1.5 false 0')
  })

  it('C31: prints objects and arrays as real JSON, quotes and all', () => {
    expect(render('{{o}} {{l}}', { o: { k: 'say "hi"' }, l: ['a', 1] })).toBe('{"k":"say \\"hi\\""} ["a",1]')
  })

  it('C32: a missing value, a missing field and an index out of range print the marker', () => {
    expect(render('{{no}}|{{a.b}}|{{l[5]}}|{{l[0].x}}|{{no-such}}|{{nil}}', { a: {}, l: [{}], nil: null })).toBe(
      Array(6).fill(U).join('|'),
    )
  })

  it('C38: reads names in kebab-case, alone, in paths, in indexes and in each', () => {
    const variables = { 'a-node': { items: ['p', 'q'] }, 'the-index': 1 }
    expect(render('{{a-node.items[the-index]}} {{#each a-node.items}}{{this}}{{/each}}', variables)).toBe('q pq')
  })

  it('C40: an index variable is a whole number from 0 or its digits; anything else prints the marker', () => {
    const l = ['zero', 'one']
    for (const good of [1, '1']) expect(render('{{l[i]}}', { l, i: good })).toBe('one')
    for (const bad of [undefined, null, -1, 0.5, {}, [], 'x', '', '-1', true]) {
      expect(render('{{l[i]}}', { l, i: bad })).toBe(U)
    }
    expect(render('{{m[r][c].v}}', { m: [[{ v: 1 }, { v: 2 }]], r: 0, c: '1' })).toBe('2')
  })

  it('prints the names every run has, and data cannot stand in for them', () => {
    const text = '{{executionId}} {{workflowId}} {{userId}} {{context.variables}}'
    expect(render(text, { userId: 'forged' })).toBe('run-1 flow-1 user-1 {"userId":"forged"}')
  })

  it('weak point 15: {{userId}} and indices render', () => {
    expect(render('{{userId}} {{a[0].b}}', { a: [{ b: 'c' }] })).toBe('user-1 c')
  })

  it('never reads what objects inherit', () => {
    expect(render('{{constructor}}{{a.constructor.name}}{{__proto__}}{{toString}}', { a: {} })).toBe(U.repeat(4))
  })

  it('prints replacement patterns such as $& as they are', () => {
    expect(render('<{{a}}>', { a: "$& $1 $' $$" })).toBe("<$& $1 $' $$>")
  })
})

describe('blocks', () => {
  it.each([null, undefined, false, 0, '', 'no', 'false', [], {}])('C33: %j is not true', (value) => {
    expect(render('{{#if v}}yes{{else}}no{{/if}}{{#unless v}}yes{{else}}no{{/unless}}', { v: value })).toBe('noyes')
  })

  it.each([true, 1, -1, 'x', 'No', '0', [0], { a: null }])('C33: %j is true', (value) => {
    expect(render('{{#if v}}yes{{else}}no{{/if}}', { v: value })).toBe('yes')
  })

  it('C34: if, unless, eq and neq with else, either quotes, paths, several lines and nesting', () => {
    const text = [
      "{{#eq a.b 'x y'}}E{{else}}-{{/eq}}",
      '{{#neq a.b "x y"}}N{{else}}-{{/neq}}',
      '{{#if a}}',
      '  {{#unless none}}inner{{/unless}}',
      '{{/if}}',
    ].join('\n')
    expect(render(text, { a: { b: 'x y' } })).toBe('E\n-\n\n  inner\n')
  })

  it('C34: an else belongs to the innermost open block', () => {
    const text = '{{#if a}}{{#if b}}ab{{else}}a{{/if}}{{else}}-{{/if}}'
    expect([render(text, { a: 1, b: 1 }), render(text, { a: 1 }), render(text, {})]).toEqual(['ab', 'a', '-'])
  })

  it('C35: a missing value equals the empty text', () => {
    expect(render("{{#eq none ''}}empty{{/eq}}{{#neq none 'x'}}differs{{/neq}}")).toBe('emptydiffers')
  })

  it('compares numbers and booleans by their text', () => {
    expect(render('{{#eq n \'5\'}}5{{/eq}}{{#eq b "true"}}t{{/eq}}', { n: 5, b: true })).toBe('5t')
  })

  it('C36: each over primitives and objects, with this, @index, fields, paths, nested each and if', () => {
    expect(render('{{#each l}}{{@index}}:{{this}} {{/each}}', { l: ['a', 2, true] })).toBe('0:a 1:2 2:true ')
    const people = [
      { name: 'Ann', tags: ['x', 'y'], boss: { of: 3 } },
      { name: 'Bob', tags: [], boss: null },
    ]
    const text =
      '{{#each people}}{{name}}/{{this.name}}{{#if boss}}({{boss.of}}){{/if}}[{{#each tags}}{{@index}}{{this}}{{name}}{{/each}}]{{/each}}'
    expect(render(text, { people })).toBe('Ann/Ann(3)[0xAnn1yAnn]Bob/Bob[]')
  })

  it('C36: an empty or missing list prints nothing, or the else', () => {
    expect(
      render('{{#each l}}x{{/each}}{{#each none}}x{{else}}none{{/each}}{{#each s}}x{{/each}}', { l: [], s: 'ab' }),
    ).toBe('none')
  })

  it('C37: a missing field of this prints the marker', () => {
    expect(render('{{#each l}}{{this.x}}{{/each}}', { l: [{}] })).toBe(U)
  })

  it('leaves what is unbalanced or unreadable as it is written', () => {
    for (const text of [
      '{{#if a}}x',
      'x{{/if}}',
      '{{else}}',
      '{{a',
      'a}}',
      '{{#each l}}{{/if}}',
      '{{not a path}}',
      '{{}}',
      '{{#what a}}x{{else}}y{{/what}}',
      '{{#eq a b}}x{{/eq}}',
      '{{note:a b}}',
    ]) {
      expect(render(text, { a: 1, l: [1] })).toBe(text)
    }
    expect(render('{{#if a}}{{#each l}}{{b}}{{/if}}', { a: 1, b: 2 })).toBe('{{#each l}}2')
  })

  it('reads tags inside single braces', () => {
    expect(render('{{{a}}} {"k":{{a}}}', { a: 1 })).toBe('{1} {"k":1}')
  })
})

describe('escapes', () => {
  it('C41: \\{{ prints braces, for variables, blocks and JSON, next to real variables', () => {
    expect(render('\\{{x}} {{x}} \\{{#if x}}y\\{{/if}} \\{{"a":1}}', { x: 1 })).toBe(
      '{{x}} 1 {{#if x}}y{{/if}} {{"a":1}}',
    )
  })

  it('C41: of two backslashes one stays', () => {
    expect(render('\\\\{{x}}', { x: 1 })).toBe('\\{{x}}')
  })

  it('C41: escapes hold when notes are rendered too', async () => {
    expect(await renderWithNotes('\\{{note:a}} {{note:a}}', scopeWith({}), async () => 'body')).toBe('{{note:a}} body')
  })
})

describe('notes', () => {
  const stored = new Map([
    ['a', 'A'],
    ['cfg-web', 'C {{secret}} $& {{note:a}}'],
    ['key_2-x', 'K'],
    ['ref', 'a'],
  ])
  const read = async (key: string) => {
    if (key === 'broken') throw new Error('disk')
    return stored.get(key) ?? null
  }
  const withNotes = (text: string, variables: Record<string, unknown> = {}) =>
    renderWithNotes(text, scopeWith(variables), read)

  it('C39: quotes a note, and says when it is missing or cannot be read', async () => {
    expect(await withNotes('{{note:a}} {{note:key_2-x}} {{note:none}} {{note:broken}}')).toBe(
      'A K [NOTE NOT FOUND: none] [NOTE ERROR: broken]',
    )
  })

  it('C39: fills in variables and notes inside a key', async () => {
    expect(await withNotes('{{note:cfg-{{project}}}}', { project: 'web' })).toBe('C {{secret}} $& {{note:a}}')
    expect(await withNotes('{{note:{{note:ref}}}}')).toBe('A')
    expect(await withNotes('{{note:{{#if yes}}a{{/if}}}}', { yes: true })).toBe('A')
  })

  it('weak point 26: the text of a note is never read as a template', async () => {
    expect(await withNotes('{{note:cfg-web}}', { secret: 's' })).toBe('C {{secret}} $& {{note:a}}')
  })

  it('C39: rendering without notes leaves them, with their keys filled in', () => {
    expect(render('{{note:cfg-{{project}}}}', { project: 'web' })).toBe('{{note:cfg-web}}')
  })

  it('does not look up a key that data made impossible', async () => {
    const asked: string[] = []
    const text = await renderWithNotes('{{note:x{{k}}}}', scopeWith({ k: '/../etc' }), async (key) => {
      asked.push(key)
      return 'body'
    })
    expect([text, asked]).toEqual(['[NOTE NOT FOUND: x/../etc]', []])
  })

  it('reads each note once, and none in a branch that is not taken', async () => {
    const asked: string[] = []
    const text = '{{note:a}}{{note:a}}{{#if no}}{{note:b}}{{/if}}{{#each l}}{{note:{{this}}}}{{/each}}'
    await renderWithNotes(text, scopeWith({ l: ['a', 'c'] }), async (key) => {
      asked.push(key)
      return key
    })
    expect(asked.sort()).toEqual(['a', 'c'])
  })
})

describe('fragments', () => {
  const definition = {
    variableRegistry: {
      guide: { default: 'Read {{topic}}{{#if deep}} deeply{{/if}}.' },
      loop: { default: '{{loop}}' },
      plain: { default: 'no template' },
      steps: { default: [{ text: 'Do {{topic}}' }] },
      topic_detail: { default: '' },
    },
    nodes: [
      { type: 'start', initialData: { variables: { intro: { description: 'd', value: 'Hello {{topic}}' } } } },
      { type: 'expression', expressions: ['hint = "Check {{topic}}"', 'n = 1'] },
    ],
  }
  const fragments = authorFragments(definition)
  const withFragments = (text: string, variables: Record<string, unknown>) =>
    renderTemplate(text, scopeWith(variables, fragments))
  const guide = definition.variableRegistry.guide.default

  it('C42: the author’s text in a variable is read as a template, conditionals included', () => {
    expect(withFragments('{{guide}}', { guide, topic: 'trees', deep: true })).toBe('Read trees deeply.')
  })

  it('knows registry defaults, their inner texts, initial data and what expressions assign', () => {
    const variables = {
      steps: definition.variableRegistry.steps.default,
      topic: 'T',
      intro: 'Hello {{topic}}',
      hint: 'Check {{topic}}',
    }
    expect(
      withFragments('{{steps[0].text}} {{intro}} {{hint}} {{#each steps}}{{this.text}}{{text}}{{/each}}', variables),
    ).toBe('Do T Hello T Check T Do TDo T')
  })

  it('weak point 26: once an agent wrote the variable it is plain data, whatever its name', () => {
    const evil = '{{context.variables}}{{#if deep}}x{{/if}}'
    for (const name of ['guide', 'topic_detail', 'plain', 'x_instruction', 'hint']) {
      expect(withFragments(`{{${name}}}`, { [name]: evil, deep: true })).toBe(evil)
    }
  })

  it('weak point 26: a fragment’s text in another variable is plain data, and so are items of a loop', () => {
    expect(withFragments('{{other}} {{#each l}}{{this}}{{/each}}', { other: guide, l: [guide], topic: 'x' })).toBe(
      `${guide} ${guide}`,
    )
  })

  it('data printed by a fragment is not read as a template', () => {
    expect(withFragments('{{guide}}', { guide, topic: '{{guide}}' })).toBe('Read {{guide}}.')
  })

  it('a fragment that holds itself stops after ten rounds', () => {
    expect(withFragments('{{loop}}', { loop: '{{loop}}' })).toBe('{{loop}}')
  })
})

describe('hostile texts', () => {
  it('renders a megabyte of braces, backslashes and blocks in linear time', () => {
    const pieces = [
      '{{',
      '}}',
      '\\',
      '{',
      '}',
      '{{#if a}}',
      '{{/if}}',
      '{{note:',
      '{{a}}',
      "{{#eq a '",
      '{{a[',
      '{{else}}',
    ]
    for (const piece of pieces) {
      const text = piece.repeat(Math.ceil(1_000_000 / piece.length))
      const start = performance.now()
      render(text, { a: 1 })
      expect(performance.now() - start, piece).toBeLessThan(10_000)
    }
  }, 120_000)

  it('stops a text that grows without bound', () => {
    const l = Array(1000).fill('x')
    const text = '{{#each l}}{{#each l}}{{#each l}}{{this}}{{/each}}{{/each}}{{/each}}'
    expect(() => render(text, { l })).toThrow('too large to render')
    expect(() => render('{{big}}'.repeat(2000), { big: 'x'.repeat(10_000) })).toThrow('too large to render')
  })

  it('renders any text over any data, never throws, and plain text stays as it is', () => {
    const token = fc.constantFrom(
      '{{',
      '}}',
      '{',
      '}',
      '\\',
      '#if ',
      '/if',
      'else',
      '#each ',
      '/each',
      'a',
      'note:',
      ' ',
      "'",
      '.',
      '[0]',
      'this',
    )
    fc.assert(
      fc.property(fc.array(token, { maxLength: 40 }), fc.jsonValue(), (tokens, a) => {
        const text = tokens.join('')
        const rendered = render(text, { a })
        if (!/\{\{|\}\}/.test(text)) expect(rendered).toBe(text)
      }),
    )
  })

  it('a value is printed whole, whatever it holds', () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        expect(render('[{{a}}]', { a: value })).toBe(`[${value}]`)
      }),
    )
  })
})
