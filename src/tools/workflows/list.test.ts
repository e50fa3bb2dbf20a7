import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { create, smallWorkflow, type TestServer, testServer } from './workflows.testing.ts'

let server: TestServer
beforeEach(async () => {
  server = await testServer({ bundled: [{ slug: 'quick-task', definition: smallWorkflow('Quick task') as never }] })
})
afterEach(() => server.close())

interface Page {
  workflows: { id: string; name: string; visibility: string; own: boolean; version: string }[]
  total: number
  offset: number
  limit: number
  returnedCount: number
  hasMore: boolean
  nextOffset: number | null
}

const list = (args: object = {}) => server.get<Page>('list', args)
const names = async (args: object = {}) => (await list(args)).workflows.map(({ name }) => name)

/** One workflow after another, a second apart. */
async function createAll(...all: string[]): Promise<void> {
  for (const name of all) {
    server.advance(1000)
    await create(server, smallWorkflow(name))
  }
}

describe('list', () => {
  it('T11: shows own and public workflows, and nothing of others that is private', async () => {
    await create(server, smallWorkflow('Mine'))
    await create(server, smallWorkflow('Theirs'), server.stranger)
    await create(server, smallWorkflow('Theirs for all', { visibility: 'public' }), server.stranger)
    expect((await names()).sort()).toEqual(['Mine', 'Quick task', 'Theirs for all'])
    const { workflows } = await list({ search: 'for all' })
    expect(workflows[0]).toMatchObject({ id: 'user-2/theirs-for-all', own: false, visibility: 'public' })
  })

  it('T12, T15, C76: search looks in names and descriptions in any case, and combines with visibility', async () => {
    await createAll('Deploy to prod')
    await create(server, smallWorkflow('Release', { visibility: 'public' }))
    expect(await names({ search: 'DEPLOY to' })).toEqual(['Deploy to prod'])
    expect(await names({ search: 'about rel' })).toEqual(['Release'])
    expect(await names({ search: 'deploy', visibility: 'public' })).toEqual([])
    expect(await names({ visibility: 'private' })).toEqual(['Deploy to prod'])
    expect((await names({ visibility: 'public' })).sort()).toEqual(['Quick task', 'Release'])
    expect(
      await names({ visibility: 'all', search: 'about', sort: 'name', sortOrder: 'asc', limit: 1, offset: 1 }),
    ).toEqual(['Quick task'])
    expect(await list({ search: 'nowhere' })).toMatchObject({ total: 0, workflows: [], nextOffset: null })
    expect((await list({ search: 'Deploy' })).workflows[0]?.version).toBe('1.0.0')
  })

  it('T13: limit is 1 to 100 and 20 when left out; offset is 0 or more', async () => {
    expect(await list()).toMatchObject({ limit: 20, offset: 0 })
    expect(await list({ limit: 1 })).toMatchObject({ limit: 1, returnedCount: 1 })
    expect(await list({ limit: 100 })).toMatchObject({ limit: 100 })
    for (const bad of [
      { limit: 0 },
      { limit: 101 },
      { limit: 1.5 },
      { offset: -1 },
      { limit: '5' },
      { sort: 'size' },
    ]) {
      expect(await server.refused('list', bad)).toMatchObject({ code: 'invalid_request', retry: 'never' })
    }
    expect((await server.refused('list', { limit: 101 })).text).toContain('A right call: list({"limit":20})')
  })

  it('T14: the newest first, unless asked otherwise', async () => {
    await list()
    await createAll('B', 'A', 'C')
    expect((await names()).slice(0, 3)).toEqual(['C', 'A', 'B'])
    expect(await names({ visibility: 'private', sortOrder: 'asc' })).toEqual(['B', 'A', 'C'])
    expect(await names({ visibility: 'private', sort: 'name', sortOrder: 'asc' })).toEqual(['A', 'B', 'C'])
    expect(await names({ visibility: 'private', sort: 'name' })).toEqual(['C', 'B', 'A'])
  })

  it('T16, T17, T18: says which page it is, how many match, and where the next begins', async () => {
    await createAll('A', 'B', 'C')
    const mine = { visibility: 'private', limit: 2 }
    expect(await list(mine)).toMatchObject({
      total: 3,
      offset: 0,
      limit: 2,
      returnedCount: 2,
      hasMore: true,
      nextOffset: 2,
    })
    expect(await list({ ...mine, offset: 2 })).toMatchObject({
      total: 3,
      returnedCount: 1,
      hasMore: false,
      nextOffset: null,
    })
  })

  it('T19: past the end is an empty last page', async () => {
    expect(await list({ offset: 500 })).toMatchObject({ total: 1, returnedCount: 0, hasMore: false, nextOffset: null })
  })

  it('T20: walking the pages meets every workflow once', async () => {
    await Promise.all(Array.from({ length: 23 }, (_, index) => create(server, smallWorkflow(`Number ${index}`))))
    const met: string[] = []
    for (let offset: number | null = 0; offset !== null; ) {
      const page: Page = await list({ limit: 5, offset })
      met.push(...page.workflows.map(({ id }) => id))
      offset = page.nextOffset
    }
    expect(met).toHaveLength(24)
    expect(new Set(met).size).toBe(24)
  })

  it('T7: an argument it does not have is refused', async () => {
    expect(await server.refused('list', { owner: 'me' })).toMatchObject({ details: { field: 'owner' } })
  })

  it('C88: its text is the data as pretty JSON', async () => {
    const answer = await server.ask('list', {})
    expect(answer.text).toMatch(/^\{\n {2}"workflows"/)
    expect(JSON.parse(answer.text)).toEqual(answer.structured)
  })
})
