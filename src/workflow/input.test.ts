import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkInput, effectiveSchema, executionNoteIn, inputIdentity } from './input.ts'
import { parseLooseJson } from './input-text.ts'

const none = {}
const object = { inputSchema: { properties: { a: { type: 'number' }, value: {} } } }
const text = { inputSchema: { type: 'string' } }

const accepted = (node: { inputSchema?: Record<string, unknown> }, input: unknown) => {
  const checked = checkInput(node, none, input)
  return checked.ok ? checked.value : checked.errors
}

describe('intake', () => {
  it('1.5: nothing, null and blanks are the empty answer', () => {
    for (const input of [undefined, null, '', '  \n']) expect(accepted(object, input)).toEqual({})
  })

  it.each([
    ['{"a":1}', { a: 1 }],
    ["{'a': 1}", { a: 1 }],
    ['{a: 1,}', { a: 1 }],
    ['"{\\"a\\":1}"', { a: 1 }],
    ['"{a:1}"', { a: 1 }],
    ['plain words', { value: 'plain words' }],
    ['5', { value: 5 }],
    ['"five"', { value: 'five' }],
    [5, { value: 5 }],
    [true, { value: true }],
    [{ a: 1 }, { a: 1 }],
  ])('1.5: %j is read as %j', (input, value) => {
    expect(accepted(object, input)).toEqual(value)
  })

  it('1.5: an array stays an array, also as text', () => {
    const list = { inputSchema: { type: 'array', items: { type: 'string' } } }
    expect(accepted(list, ['x'])).toEqual(['x'])
    expect(accepted(list, "['x', 'y']")).toEqual(['x', 'y'])
  })

  it.each(['plain words', '{"a":1}', '5', 'null', '"quoted"', ' padded ', '', '{broken'])(
    '1.5: %j stays as it is where the schema asks for a string',
    (input) => {
      expect(accepted(text, input)).toBe(input)
    },
  )

  it('1.5: a string in JSON quotes satisfies a schema that its quotes would not', () => {
    expect(accepted({ inputSchema: { type: 'string', enum: ['yes', 'no'] } }, '"yes"')).toBe('yes')
    expect(accepted({ inputSchema: { enum: ['yes', 'no'] } }, 'yes')).toBe('yes')
  })

  it('1.5: numbers, booleans and null stay as they are where the schema asks for them', () => {
    expect(accepted({ inputSchema: { type: 'integer' } }, 5)).toBe(5)
    expect(accepted({ inputSchema: { type: 'number' } }, '5.5')).toBe(5.5)
    expect(accepted({ inputSchema: { type: ['boolean', 'null'] } }, 'true')).toBe(true)
    expect(accepted({ inputSchema: { type: ['boolean', 'null'] } }, null)).toBe(null)
  })

  it('a text that was meant to be JSON says where it breaks', () => {
    const checked = checkInput({ inputSchema: { properties: { a: {} } } }, none, '{"a": 1 "b": 2}')
    expect(checked.ok ? '' : checked.errors[0]).toMatch(/not valid JSON.*position 8/)
  })

  it('plain text where an object is expected is named as what it is', () => {
    const node = { inputSchema: { properties: { a: {} } } }
    const checked = checkInput(node, none, 'done')
    expect(checked.ok ? [] : checked.errors).toEqual([
      'input: expected object; received string "done". Send an object: { … }.',
    ])
  })

  it('loose JSON is JSON but for its quotes, commas and words, and nothing else', () => {
    expect(parseLooseJson("{a: [1, -2.5e3, True, None, 'it\\'s', \"x\\n\\u0041\"], 'b-c': {d: {}}}")).toEqual({
      a: [1, -2500, true, null, "it's", 'x\nA'],
      'b-c': { d: {} },
    })
    for (const wrong of [
      '{a}',
      '{a:}',
      '[1 2]',
      '{a:1}}',
      '[',
      "{'a:1}",
      '{a:b}',
      '[1,,2]',
      '',
      'a',
      '[01]',
      '{a:1;b:2}',
    ]) {
      expect(parseLooseJson(wrong), wrong).toBeUndefined()
    }
    expect(parseLooseJson('['.repeat(100_000))).toBeUndefined()
  })

  it('loose JSON reads all JSON as JSON does', () => {
    fc.assert(
      fc.property(fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue())), (value) => {
        const written = JSON.stringify(value)
        expect(parseLooseJson(written)).toEqual(JSON.parse(written))
      }),
    )
  })

  it('no input throws, whatever it is', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.jsonValue()), (input) => {
        for (const node of [{}, object, text]) expect(typeof checkInput(node, none, input).ok).toBe('boolean')
      }),
    )
    let deep: unknown = 1
    for (let depth = 0; depth < 100_000; depth++) deep = [deep]
    expect(checkInput(object, none, { value: deep }).ok).toBe(false)
    expect(checkInput(object, none, '['.repeat(100_000) + ']'.repeat(100_000)).ok).toBe(false)
  })
})

describe('effectiveSchema', () => {
  const registry = {
    variableRegistry: {
      kind: { type: 'string', enum: ['green', 'black'], description: 'tea kind', pattern: 'e' },
      list: { type: 'array', items: { type: 'object', properties: { n: { type: 'number' } } }, description: 'l' },
    },
  }

  it('C46: global inputs become properties with the complete registry entry, and the extension key is gone', () => {
    const node = {
      inputSchema: { globalInputs: ['kind', 'list'], properties: { why: { type: 'string' } }, required: ['kind'] },
    }
    expect(effectiveSchema(node, registry)).toEqual({
      type: 'object',
      properties: {
        why: { type: 'string' },
        kind: registry.variableRegistry.kind,
        list: {
          type: 'array',
          description: 'l',
          items: { type: 'object', properties: { n: { type: 'number' } }, additionalProperties: false },
        },
      },
      required: ['kind'],
      additionalProperties: false,
    })
    expect(checkInput(node, registry, { kind: 'green' })).toEqual({ ok: true, value: { kind: 'green' } })
    expect(checkInput(node, registry, { kind: 'red' }).ok).toBe(false)
  })

  it('a node without a schema has none; a schema without a type is of objects, unless it says otherwise', () => {
    expect(effectiveSchema({}, none)).toBeNull()
    expect(effectiveSchema({ inputSchema: {} }, none)).toEqual({ type: 'object' })
    expect(effectiveSchema({ inputSchema: { enum: ['a'] } }, none)).toEqual({ enum: ['a'] })
    expect(effectiveSchema({ inputSchema: { type: 'array' } }, none)).toEqual({ type: 'array' })
  })

  it('names that only branches declare are not additional', () => {
    const node = {
      inputSchema: {
        properties: { way: { enum: ['a', 'b'] } },
        oneOf: [
          { properties: { way: { const: 'a' }, x: { type: 'string' } }, required: ['x'] },
          { properties: { way: { const: 'b' }, y: { type: 'number' } }, required: ['y'] },
        ],
      },
    }
    expect(checkInput(node, none, { way: 'a', x: 't' }).ok).toBe(true)
    expect(checkInput(node, none, { way: 'b', y: 1 }).ok).toBe(true)
    expect(checkInput(node, none, { way: 'b', x: 't' }).ok).toBe(false)
    expect(checkInput(node, none, { way: 'b', y: 1, z: 1 }).ok).toBe(false)
  })

  it('does not change the definition', () => {
    const node = { inputSchema: { properties: { a: { properties: { b: {} } } }, globalInputs: ['kind'] } }
    const before = JSON.stringify([node, registry])
    effectiveSchema(node, registry)
    expect(JSON.stringify([node, registry])).toBe(before)
  })
})

describe('checkInput', () => {
  it('C21: without a schema only an empty answer is taken', () => {
    for (const input of [{}, null, undefined, '', '{}'])
      expect(checkInput({}, none, input)).toEqual({ ok: true, value: {} })
    const refused = checkInput({}, none, { a: 1 })
    expect(refused.ok).toBe(false)
    expect(refused.ok ? '' : refused.text).toContain('null or {}')
    expect(checkInput({}, none, 'words').ok).toBe(false)
  })

  it('C22: a missing required field and a wrong type are both told', () => {
    const node = { inputSchema: { properties: { a: { type: 'string' }, b: { type: 'number' } }, required: ['a', 'b'] } }
    const refused = checkInput(node, none, { b: 'x' })
    expect(refused.ok ? [] : refused.errors).toHaveLength(2)
  })

  it('C23: an extra property is refused, at any depth, unless the author opened the object', () => {
    const inner = { type: 'object', properties: { a: {} } }
    const closed = { inputSchema: { properties: { list: { type: 'array', items: inner } } } }
    const open = {
      inputSchema: {
        properties: { list: { type: 'array', items: { ...inner, additionalProperties: true } } },
        additionalProperties: true,
      },
    }
    for (const input of [{ x: 1 }, { list: [{ x: 1 }] }]) {
      expect(checkInput(closed, none, input).ok).toBe(false)
      expect(checkInput(open, none, input).ok).toBe(true)
    }
  })

  it('C14: execution_note still has to be declared', () => {
    expect(checkInput({}, none, { execution_note: 'hi' }).ok).toBe(false)
    expect(
      checkInput({ inputSchema: { properties: { execution_note: { type: 'string' } } } }, none, {
        execution_note: 'hi',
      }).ok,
    ).toBe(true)
  })
})

describe('executionNoteIn', () => {
  it('T71: a string of at most 500 characters is the run’s new note', () => {
    expect(executionNoteIn({ execution_note: 'x'.repeat(500) })).toHaveLength(500)
    expect(executionNoteIn('{"execution_note":"hi"}')).toBe('hi')
    for (const input of [{ execution_note: 'x'.repeat(501) }, { execution_note: 5 }, {}, null, 'hi', [1]]) {
      expect(executionNoteIn(input)).toBeNull()
    }
  })
})

describe('inputIdentity', () => {
  const identity = (node: typeof object | typeof none, input: unknown) => inputIdentity(node, none, input)

  it('Q5: absent and null are one input; {} is another, except where only an empty answer is taken', () => {
    expect(identity(object, undefined)).toBe(identity(object, null))
    expect(identity(object, undefined)).not.toBe(identity(object, {}))
    expect(identity(none, undefined)).toBe(identity(none, {}))
    expect(identity(none, null)).toBe(identity(none, '{}'))
  })

  it('the order of keys and the form of encoding make no difference, the values do', () => {
    expect(identity(object, { a: 1, b: 2 })).toBe(identity(object, '{"b":2,"a":1}'))
    expect(identity(object, { a: 1 })).not.toBe(identity(object, { a: '1' }))
  })
})
