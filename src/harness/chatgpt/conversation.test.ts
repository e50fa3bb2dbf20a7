import { describe, expect, test } from 'vitest'
import { foldTurns } from '../reading.testing.ts'
import { readConversations, told } from '../web-export.testing.ts'
import { chatgpt } from './index.ts'

interface Made {
  parent?: string | null
  role?: string
  name?: string
  content?: object
  recipient?: string
  end_turn?: boolean | null
  status?: string
  metadata?: object
  create_time?: number | null
}

const text = (...parts: unknown[]): object => ({ content_type: 'text', parts })

/** Nodes by name, each behind the one before unless it says otherwise; without `children`, as some exports are. */
function conversation(nodes: Record<string, Made>, more: object = {}): object {
  let before: string | null = 'root'
  const mapping: Record<string, object> = { root: { id: 'root', message: null, parent: null } }
  for (const [
    id,
    { parent, role = 'assistant', name, content = text(`said ${id}`), recipient = 'all', ...rest },
  ] of Object.entries(nodes)) {
    const message = {
      id,
      author: { role, name: name ?? null },
      content,
      recipient,
      create_time: 1_700_000_000.5,
      ...rest,
    }
    mapping[id] = { id, message, parent: parent === undefined ? before : parent }
    before = id
  }
  return { id: 'talk', title: 'Talk', create_time: 1_700_000_000, current_node: before, mapping, ...more }
}

const user: Made = { role: 'user' }
const answer: Made = { end_turn: true }
const read = (nodes: Record<string, Made>, more?: object) => readConversations(chatgpt, conversation(nodes, more))
const turns = (nodes: Record<string, Made>, more?: object) => foldTurns(read(nodes, more).drafts)

describe('turns', () => {
  test('82: all of many are told, each with its prompt and its answer', () => {
    const nodes: Record<string, Made> = {}
    for (let turn = 0; turn < 40; turn++) Object.assign(nodes, { [`u${turn}`]: user, [`a${turn}`]: answer })
    const told = turns(nodes)
    expect(told.length).toBe(40)
    expect(told[39]).toMatchObject({ prompt: 'said u39', answer: 'said a39', ending: 'answered' })
  })

  test('80: the tree is built from parents alone, with a root that says nothing and times in fractions of a second', () => {
    const { drafts, sessions } = read({ u: user, a: { ...answer, create_time: 1_700_000_001.25 } })
    expect(drafts.at(-1)?.at).toBe(1_700_000_001_250)
    expect(sessions).toEqual([{ nativeId: 'talk', title: 'Talk' }])
  })

  test('what the page puts in opens none', () => {
    const hidden = { ...user, metadata: { is_visually_hidden_from_conversation: true } }
    const profile = {
      ...user,
      content: { content_type: 'user_editable_context', user_profile: 'Ada', user_instructions: 'Brief.' },
    }
    const { drafts } = read({ hidden, profile, s: { role: 'system' }, u: user })
    expect(drafts.map(({ type }) => type)).toEqual(['system', 'system', 'system', 'system', 'user_input'])
    expect(foldTurns(drafts).length).toBe(1)
  })

  test.each<[string, Made, string | undefined]>([
    ['by its own word', { end_turn: true }, 'answered'],
    ['by how the model stopped, in older exports', { metadata: { finish_details: { type: 'stop' } } }, 'answered'],
    ['by being stopped', { metadata: { finish_details: { type: 'interrupted' } } }, 'interrupted'],
    ['by being stopped, newer', { status: 'finished_partial_completion' }, 'interrupted'],
    ['by an error', { end_turn: true, metadata: { is_error: true } }, 'failed'],
    ['not, where nothing says so', { end_turn: null }, undefined],
    ['not, where more is to come', { end_turn: false }, undefined],
  ])('one ends %s', (_how, message, ending) => {
    expect(turns({ u: user, a: message })[0]?.ending).toBe(ending)
  })
})

describe('branches', () => {
  test('an answer that was asked for again stays in its turn, marked, and is not the answer', () => {
    const reading = read({ u: user, a: answer, b: { ...answer, parent: 'u' } })
    expect(told(reading)).toEqual(['said u', '(said a)', 'said b'])
    expect(foldTurns(reading.drafts)).toMatchObject([{ answer: 'said b', ending: 'answered' }])
  })

  test('an edited prompt stays a turn of its own, marked, ahead of the one that replaced it', () => {
    const reading = read({ u: user, a: answer, v: { ...user, parent: 'root' }, b: answer })
    expect(told(reading)).toEqual(['(said u)', '(said a)', 'said v', 'said b'])
    expect(foldTurns(reading.drafts).map((turn) => turn.prompt)).toEqual(['said u', 'said v'])
  })

  test('the current node decides, not the newest', () => {
    const nodes = { u: user, a: answer, b: { ...answer, parent: 'u', create_time: 1_700_000_009 } }
    expect(told(read(nodes, { current_node: 'a' }))).toEqual(['said u', '(said b)', 'said a'])
  })

  test('switched to the other branch, every event keeps its name', () => {
    const nodes = { u: user, a: answer, b: { ...answer, parent: 'u' }, v: user, c: answer }
    const names = (current: string) =>
      read(nodes, { current_node: current })
        .drafts.map(({ native }) => `${native.id} ${native.index}`)
        .sort()
    expect(names('a')).toEqual(names('c'))
  })
})

describe('tools', () => {
  const call = (recipient: string, said: string): Made => ({
    recipient,
    content: { content_type: 'code', text: said },
    end_turn: false,
  })

  test('are called by a message to them, and answer in their own', () => {
    const result = { role: 'tool', name: 'python', content: { content_type: 'execution_output', text: '12' } }
    const { drafts } = read({ u: user, c: call('python', 'print(12)'), r: result, a: answer })
    expect(drafts.filter(({ tool }) => tool).map(({ text, tool }) => [text, tool])).toEqual([
      ['print(12)', { name: 'python', callId: 'c', phase: 'call', input: 'print(12)' }],
      ['12', { name: 'python', callId: 'c', phase: 'response' }],
    ])
  })

  test('that fail say so', () => {
    const failed = { aggregate_result: { status: 'failed_with_in_kernel_exception' } }
    const result = {
      role: 'tool',
      name: 'python',
      content: { content_type: 'execution_output', text: 'no' },
      metadata: failed,
    }
    const error = { role: 'tool', name: 'web', content: { content_type: 'system_error', name: 'E', text: 'no net' } }
    const nodes = { u: user, c: call('python', 'x'), r: result, d: call('web.run', '{"q":1}'), s: error }
    expect(turns(nodes)[0]?.calls).toEqual(['python failed', 'web.run failed'])
  })

  test('that answer twice, or nobody called, are told as they stand', () => {
    const result = { role: 'tool', name: 'file_search', content: text('found') }
    const { drafts } = read({ u: user, c: call('web', '{"q":1}'), r: result })
    expect(drafts.at(-1)?.tool).toEqual({ name: 'file_search', phase: 'response' })
    const twice = read({ u: user, c: call('file_search.msearch', '{"q":1}'), r: result, s: result })
    expect(twice.drafts.slice(-2).map(({ tool }) => tool?.callId)).toEqual(['c', 'c'])
  })
})

describe('content', () => {
  const said = (content: object, more: Made = {}) => read({ u: user, m: { content, ...more } }).drafts.at(-1)

  test('thoughts are reasoning, in each of their shapes', () => {
    const thoughts = [{ summary: 'Adding', content: 'Two and two.' }]
    expect(said({ content_type: 'thoughts', thoughts })).toMatchObject({
      type: 'reasoning',
      text: 'Adding\nTwo and two.',
    })
    expect(said({ content_type: 'reasoning_recap', content: 'Thought for 3s' })?.type).toBe('reasoning')
  })

  test('46: pictures and sound leave by reference, and attachments by name', () => {
    const parts = [
      { content_type: 'image_asset_pointer', asset_pointer: 'sediment://x' },
      { content_type: 'audio_transcription', text: 'spoken words', direction: 'in' },
      { content_type: 'audio_asset_pointer' },
      'typed words',
    ]
    const attachments = [{ name: 'beds.csv' }, { name: 'beds.csv' }, { id: 'nameless' }]
    const draft = said({ content_type: 'multimodal_text', parts }, { role: 'user', metadata: { attachments } })
    expect(draft?.text).toBe('[image]\nspoken words\n[audio]\ntyped words\n[file beds.csv]')
  })

  test('quotes, pages and memories are told by what they say', () => {
    expect(said({ content_type: 'tether_quote', title: 'T', url: 'u', text: 'q' })?.text).toBe('T\nu\nq')
    expect(said({ content_type: 'tether_browsing_display', summary: 's', result: 'r' })?.text).toBe('s\nr')
    expect(said({ content_type: 'model_editable_context', model_set_context: 'm' })).toMatchObject({
      type: 'system',
      text: 'm',
    })
  })

  test('an author nobody knows is kept as unknown', () => {
    expect(said(text('x'), { role: 'critic' })?.type).toBe('unknown')
  })
})

test('a conversation without messages is kept', () => {
  const { drafts, sessions } = read({})
  expect(drafts.map(({ type }) => type)).toEqual(['system'])
  expect(sessions[0]?.title).toBe('Talk')
})
