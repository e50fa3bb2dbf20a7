import { describe, expect, test } from 'vitest'
import { inThreadOrder, type ThreadNode } from './thread.ts'

/** `p1` and the like are prompts, all others answers; time runs with the list. `a1<p1`: a1 follows p1. */
function nodes(...links: string[]): ThreadNode<null>[] {
  return links.map((link, at) => {
    const [id = '', parent = ''] = link.split('<')
    return { id, parent, at, isPrompt: id.startsWith('p'), value: null }
  })
}

const order = (current: string, ...links: string[]): string =>
  inThreadOrder(nodes(...links), current)
    .map(({ node, branch }) => (branch === 'main' ? node.id : branch === 'turn' ? `(${node.id})` : `[${node.id}]`))
    .join(' ')

describe('a conversation with branches', () => {
  test('without any is told as it went', () => {
    expect(order('a2', 'root', 'p1<root', 'a1<p1', 'p2<a1', 'a2<p2')).toBe('root p1 a1 p2 a2')
  })

  test('tells an answer that was asked for again in its turn, before the one that was kept', () => {
    expect(order('b1', 'p1', 'a1<p1', 'b1<p1')).toBe('p1 [a1] b1')
    expect(order('a1', 'p1', 'a1<p1', 'b1<p1', 'c1<b1')).toBe('p1 [b1] [c1] a1')
  })

  test('tells an edited prompt with all that came of it before the prompt that replaced it', () => {
    expect(order('b2', 'p1', 'a1<p1', 'p2<a1', 'a2<p2', 'p3<a1', 'b2<p3')).toBe('p1 a1 (p2) (a2) p3 b2')
    expect(order('b1', 'root', 'p1<root', 'a1<p1', 'p2<root', 'b1<p2')).toBe('root (p1) (a1) p2 b1')
  })

  test('tells what went on from an abandoned answer before the turn that was answered differently', () => {
    expect(order('b1', 'p1', 'a1<p1', 'p2<a1', 'a2<p2', 'b1<p1')).toBe('(p2) (a2) p1 [a1] b1')
  })

  test('goes by the newest branch where no current one is named', () => {
    expect(order('', 'p1', 'a1<p1', 'b1<p1', 'p2<a1', 'a2<p2')).toBe('p1 [b1] a1 p2 a2')
    expect(order('gone', 'p1', 'a1<p1', 'b1<p1')).toBe('p1 [a1] b1')
  })

  test('keeps what hangs behind the current node', () => {
    expect(order('a1', 'p1', 'a1<p1', 'p2<a1', 'a2<p2')).toBe('(p2) (a2) p1 a1')
    expect(order('a1', 'p1', 'a1<p1', 'c1<a1')).toBe('p1 [c1] a1')
    expect(order('p1', 'p1', 'a1<p1', 'p2<a1')).toBe('(p2) p1 [a1]')
  })

  test('is told of branches off branches, too', () => {
    expect(order('b1', 'p0', 'p1<p0', 'a1<p1', 'c1<p1', 'p2<c1', 'p3<c1', 'b1<p0')).toBe(
      '(p1) [a1] (c1) (p2) (p3) p0 b1',
    )
  })

  test('loses nothing and doubles nothing, whatever hangs on what', () => {
    let seed = 7
    const random = (below: number): number => {
      seed = (seed * 1103515245 + 12345) % 2147483648
      return seed % below
    }
    for (let round = 0; round < 300; round++) {
      const size = 1 + random(12)
      const made = Array.from(
        { length: size },
        (_, place): ThreadNode<null> => ({
          id: `${place}`,
          parent: `${random(size + 2)}`,
          at: random(3) === 0 ? undefined : random(5),
          isPrompt: random(2) === 0,
          value: null,
        }),
      )
      const told = inThreadOrder(made, `${random(size + 1)}`).map(({ node }) => node.id)
      expect(told.sort(), JSON.stringify(made)).toEqual(made.map(({ id }) => id).sort())
    }
  })

  test('may be long', () => {
    const links = Array.from({ length: 20_000 }, (_, place) => (place === 0 ? 'p0' : `p${place}<p${place - 1}`))
    expect(inThreadOrder(nodes(...links), 'p19999').length).toBe(20_000)
  })
})
