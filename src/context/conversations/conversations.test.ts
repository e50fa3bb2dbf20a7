import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Caller, LOCAL_OWNER } from '../../core/caller.ts'
import { answer, call, prompt, response, START, TEST_ENGINES, writeSession } from '../../store/archive.testing.ts'
import { type Engine, listSessions, proseSize } from '../../store/index.ts'
import { conversationBytes, conversationText } from './conversation-text.ts'
import { charactersBefore, fullOf, middleOf, storedText, WHOLE_BYTES } from './stored-text.ts'

const caller: Caller = { owner: LOCAL_OWNER, admin: true, launchDirectory: '/' }

async function sessionPks(engine: Engine): Promise<number[]> {
  const listing = { from: 0, to: START * 2, sort: 'asc', limit: 10 } as const
  return (await listSessions(engine, caller, listing)).map(({ pk }) => pk)
}

for (const { name, open } of TEST_ENGINES) {
  describe(`the text of a conversation on ${name}`, () => {
    let engine: Engine
    beforeEach(async () => {
      engine = await open()
    })
    afterEach(() => engine.close())

    it('is its prose in order, without tool traffic and copied history', async () => {
      await writeSession(engine, {
        session: 's',
        events: [
          prompt('Old', { copied: true }),
          prompt('Fix the 😀 bug'),
          call('Bash', { command: 'ls' }),
          response('Bash', 'files'),
          answer('Looking.', { ends: null }),
          answer(''),
          answer('Fixed:\n\nthe “bug”.'),
          prompt('Thanks'),
        ],
      })
      const [pk = 0] = await sessionPks(engine)
      const text = await conversationText(engine, caller, pk)
      const whole = 'User: Fix the 😀 bug\n\nAssistant: Looking.\n\nAssistant: Fixed:\n\nthe “bug”.\n\nUser: Thanks'
      expect(await text.read(0, text.characters)).toBe(whole)
      expect(text.characters).toBe([...whole].length)
      expect(text.bytes).toBe(Buffer.byteLength(whole))
      expect(conversationBytes(await proseSize(engine, caller, pk))).toBe(text.bytes)
      expect(text.pieces.map(({ eventPk }) => text.startOf(eventPk))).toEqual([6, 32, 53, 79])
      expect(text.startOf(999_999)).toBeUndefined()
    })

    it('22: any slice of it, and the bytes before any place, are those of the whole', async () => {
      await writeSession(engine, {
        session: 's',
        events: [prompt('aé😀\n\n漢'), answer('b'), prompt('User: c😀'), answer('')],
      })
      const [pk = 0] = await sessionPks(engine)
      const text = await conversationText(engine, caller, pk)
      const all = [...(await text.read(0, text.characters))]
      for (let from = 0; from <= all.length; from++) {
        const before = all.slice(0, from).join('')
        expect(await text.bytesBefore(from)).toBe(Buffer.byteLength(before))
        for (let to = from; to <= all.length + 1; to++) {
          expect(await text.read(from, to)).toBe(all.slice(from, to).join(''))
        }
      }
    })

    it('of a session without prose is empty', async () => {
      await writeSession(engine, { session: 's', events: [call('Bash', {})] })
      const [pk = 0] = await sessionPks(engine)
      const text = await conversationText(engine, caller, pk)
      expect([text.characters, text.bytes, await text.read(0, 5), await text.bytesBefore(3)]).toEqual([0, 0, '', 0])
      expect(conversationBytes(await proseSize(engine, caller, pk))).toBe(0)
    })
  })
}

describe('48: the middle of a text', () => {
  it('of at most 12,000 bytes is the whole', async () => {
    const text = 'é'.repeat(WHOLE_BYTES / 2)
    expect(await middleOf(storedText(text))).toEqual({ text, truncated: false, offset: 0 })
    expect(await middleOf(storedText(text), 5)).toEqual({ text, truncated: false, offset: 0 })
  })

  it('is 6,000 bytes of each end, cut at line ends, with the bytes left out between', async () => {
    const lines = Array.from({ length: 2_000 }, (_, line) => `line ${line} of many`)
    const text = lines.join('\n')
    const { text: middle, truncated, offset } = await middleOf(storedText(text))
    const [head = '', left = '', tail = ''] = middle.split(/\n?\[… (\d+) bytes left out …\]\n/)
    expect([truncated, offset]).toEqual([true, 0])
    expect(text.startsWith(`${head}\n`) && text.endsWith(`\n${tail}`)).toBe(true)
    expect(Buffer.byteLength(head) + Number(left) + Buffer.byteLength(tail)).toBe(Buffer.byteLength(text))
    for (const end of [head, tail]) expect(Buffer.byteLength(end)).toBeGreaterThan(5_970)
    for (const end of [head, tail]) expect(Buffer.byteLength(end)).toBeLessThanOrEqual(6_000)
    expect(middle.length / 4).toBeGreaterThan(2_000)
  })

  it('around a place holds what stands there, and says where it begins', async () => {
    const text = `${'ab😀 cd\n'.repeat(4_000)}HERE ${'ef\n'.repeat(9_000)}`
    const place = [...text].indexOf('H')
    const { text: middle, truncated, offset } = await middleOf(storedText(text), place)
    expect(truncated).toBe(true)
    const [, skipped, inner = '', left] = middle.split(/\n?\[… (\d+) bytes left out …\]\n?/)
    expect(inner.slice(charactersUnits(inner, place - offset)).startsWith('HERE')).toBe(true)
    expect([...text].slice(offset, offset + [...inner].length).join('')).toBe(inner)
    expect(Number(skipped) + Buffer.byteLength(inner) + Number(left)).toBe(Buffer.byteLength(text))
  })

  it('for any text and place keeps to its size, cuts no character and loses no byte', async () => {
    const piece = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc.constantFrom('\n', ' ', '😀', 'x'.repeat(3_000)),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 20 }), fc.nat(30_000), fc.boolean(), async (pieces, at, placed) => {
        const text = Buffer.from(pieces.join('')).toString().repeat(20)
        const source = storedText(text)
        const found = await middleOf(source, placed ? at : undefined)
        const parts = found.text.split(/\n?\[… (\d+) bytes left out …\]\n?/)
        expect(found.text).not.toMatch(/\p{Surrogate}/u)
        expect(Buffer.byteLength(found.text)).toBeLessThanOrEqual(WHOLE_BYTES + 100)
        if (!found.truncated) expect(found.text).toBe(text)
        else {
          const sizes = parts.map((part, place) => (place % 2 === 1 ? Number(part) : Buffer.byteLength(part)))
          // What an elision stands on may itself end in the line end that is cut there.
          const total = sizes.reduce((sum, size) => sum + size, 0)
          expect(Buffer.byteLength(text) - total).toBeLessThanOrEqual(4)
        }
      }),
      { numRuns: 60 },
    )
  })
})

describe('a full text', () => {
  it('is whole up to 8 MB, and says what it left out beyond', async () => {
    const text = 'x'.repeat(7_999_999)
    expect((await fullOf(storedText(text))).text).toBe(text)
    const cut = await fullOf(storedText(`${text}yz`))
    expect(cut.truncated).toBe(true)
    expect(cut.text).toMatch(/x\n\[… \d+ bytes left out …\]\nx+yz$/)
  })
})

describe('characters before a place', () => {
  it('are counted as Unicode counts them', () => {
    expect([0, 1, 3, 4, 9].map((units) => charactersBefore('a😀b', units))).toEqual([0, 1, 2, 3, 3])
  })
})

/** Place in UTF-16 units of a number of characters. */
function charactersUnits(text: string, characters: number): number {
  return [...text].slice(0, characters).join('').length
}
