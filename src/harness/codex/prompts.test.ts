import { describe, expect, it } from 'vitest'
import { done, event, item, kinds, message, prompts, readRecords, record, types } from './testing.ts'

describe('prompts', () => {
  it('tells injected messages by what the client says of their content', () => {
    const values = [
      message('user', 'plain words of a harness', kinds('environments.environment_context')),
      message('user', '<my_tag> is a prompt', kinds('user.text')),
      done({ type: 'UserMessage', id: 'u1', content: [{ type: 'text', text: '<my_tag> is a prompt' }] }),
    ]
    expect(types(values)).toEqual(['system', 'user_input', 'runtime'])
    expect(prompts(values)).toEqual(['<my_tag> is a prompt'])
  })

  it('counts a prompt told twice once, whichever side comes first', () => {
    const itemSide = message('user', 'Fly it.')
    const eventSide = event('user_message', { message: 'Fly it.' })
    expect(types([itemSide, eventSide])).toEqual(['user_input', 'runtime'])
    expect(types([eventSide, itemSide])).toEqual(['user_input', 'runtime'])
  })

  it('takes what the editor put in front of a prompt for no part of it', () => {
    const context =
      '# Context from my IDE setup:\n\n## Active file: knots.md\n\n## Open tabs:\n- knots.md: docs/knots.md'
    const text = `${context}\n\n## My request for Codex:\nTie it.\n\n## My request for Codex:\nis a heading\n`
    const values = [message('user', text), event('user_message', { message: text })]
    expect(prompts(values)).toEqual(['Tie it.\n\n## My request for Codex:\nis a heading'])
    expect(readRecords(values).records[0]?.[0]).toMatchObject({ payload: { context } })
    expect(prompts([message('user', `${context}\n\n## My request for Codex:\n`)])).toEqual([
      `${context}\n\n## My request for Codex:\n`,
    ])
  })

  it('waits for the event once events were seen to confirm prompts, so that notices open no turn', () => {
    const values = [
      message('user', 'Fly it.'),
      event('user_message', { message: 'Fly it.' }),
      event('task_complete', { last_agent_message: 'Done.' }),
      message('user', 'Warning: too many processes'),
      message('user', 'Again.'),
      event('user_message', { message: 'Again.' }),
    ]
    expect(prompts(values)).toEqual(['Fly it.', 'Again.'])
    expect(readRecords(values).records[3]?.[0]).toMatchObject({
      type: 'system',
      text: '',
      payload: { text: 'Warning: too many processes' },
    })
  })

  it('keeps equal prompts apart', () => {
    const pair = [message('user', 'go on'), event('user_message', { message: 'go on' })]
    expect(prompts([...pair, ...pair, ...pair])).toEqual(['go on', 'go on', 'go on'])
    expect(prompts([message('user', 'go on'), message('user', 'go on')])).toEqual(['go on', 'go on'])
  })

  it('takes messages for prompts in files without events, unless they look injected', () => {
    const injected = [
      '<environment_context>\n<cwd>/x</cwd>\n</environment_context>',
      '<user_instructions>\nUse tabs.\n</user_instructions>',
      '# AGENTS.md instructions for /x\n\nUse tabs.',
      '<turn_aborted>\nstopped\n</turn_aborted>',
      '<subagent_notification>\n{}\n</subagent_notification>',
      '<user_shell_command>\nls\n</user_shell_command>',
      '<skill>\n<name>knots</name>\n</skill>',
    ]
    const values = [...injected.map((text) => message('user', text)), message('user', '<div> is not closed here')]
    expect(prompts(values)).toEqual(['<div> is not closed here'])
  })

  it('knows a prompt with a picture again and keeps the picture out', () => {
    const content = [
      { type: 'input_text', text: '<image name=[Image #1]>' },
      { type: 'input_image', image_url: 'data:image/png;base64,aGVsbG8=' },
      { type: 'input_text', text: '</image>' },
      { type: 'input_text', text: 'What is this?' },
    ]
    const values = [item('message', { role: 'user', content }), event('user_message', { message: 'What is it?' })]
    const { drafts } = readRecords(values)
    expect(drafts.map(({ type }) => type)).toEqual(['user_input', 'runtime'])
    expect(drafts[0]).toMatchObject({
      text: 'What is this?',
      payload: { images: ['data:image/png;base64 (30 characters)'] },
    })
    expect(JSON.stringify(drafts)).not.toContain('aGVsbG8')
  })

  it('does not take an injected text the client repeats as an event for a prompt', () => {
    expect(types([event('user_message', { message: 'Use tabs.', kind: 'user_instructions' })])).toEqual(['runtime'])
  })

  it('takes a task a parent agent gives for the prompt of its child, and news from a child for none', () => {
    const traffic = (author: string, recipient: string) =>
      item('agent_message', { author, recipient, content: [{ type: 'input_text', text: 'Count.' }] })
    const trigger = record(1, 'inter_agent_communication_metadata', { trigger_turn: true })
    expect(types([trigger, traffic('/root', '/root/knots')])).toEqual(['runtime', 'user_input'])
    expect(types([trigger, traffic('/root/knots', '/root')])).toEqual(['runtime', 'system'])
    expect(types([traffic('/root', '/root/knots')])).toEqual(['system'])
  })
})
