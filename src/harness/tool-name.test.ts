import { describe, expect, test } from 'vitest'
import { type ToolNameHints, toolName } from './tool-name.ts'

describe('the nine spellings of an MCP tool', () => {
  const spellings: [string, string, ToolNameHints | undefined][] = [
    ['mcp__server__tool (Claude Code, Kimi Code)', 'mcp__probe__echo', undefined],
    ['a plugin server (Claude Code)', 'mcp__plugin_probe_probe__echo', undefined],
    ['a namespace beside the name (Codex)', 'echo', { namespace: 'mcp__probe' }],
    ['server-tool with the server beside it (Copilot CLI)', 'probe-echo', { server: 'probe' }],
    ['server_tool of a known server (OpenCode, Kilo)', 'probe_echo', { servers: ['other', 'probe'] }],
    ['the argument of tool_call (Qwen Code)', 'tool_call', { wrapped: 'mcp__probe__echo' }],
    ['the argument of use_tool (Grok)', 'use_tool', { wrapped: 'probe__echo' }],
    ['mcp_server_tool (Gemini CLI)', 'mcp_probe_echo', undefined],
    ['server__tool (Cline)', 'probe__echo', undefined],
    ['a bare name with the server beside it (Continue, Codex items)', 'echo', { server: 'probe' }],
  ]
  test.each(spellings)('%s', (_what, name, hints) => {
    expect(toolName(name, hints)).toEqual({ name: 'echo', server: 'probe' })
  })
})

test('a builtin tool has no server', () => {
  for (const name of ['Bash', 'apply_patch', 'read_file', 'ToolSearch', 'mcp__', 'mcp__lonely', '__init__', '']) {
    expect(toolName(name)).toEqual({ name })
  }
})

test('underscores and dashes inside server and tool survive', () => {
  expect(toolName('mcp__linear-server__get_issue')).toEqual({ server: 'linear-server', name: 'get_issue' })
  expect(toolName('mcp__a__b__c')).toEqual({ server: 'a', name: 'b__c' })
  expect(toolName('mcp__a__b__c', { servers: ['a__b'] })).toEqual({ server: 'a__b', name: 'c' })
  expect(toolName('my_probe_echo_all', { servers: ['my', 'my_probe'] })).toEqual({
    server: 'my_probe',
    name: 'echo_all',
  })
  expect(toolName('mcp_my_probe_echo', { servers: ['my_probe'] })).toEqual({ server: 'my_probe', name: 'echo' })
})

test('the part of a plugin name after the plugin is the server', () => {
  expect(toolName('mcp__plugin_tracker_api__list')).toEqual({ server: 'api', name: 'list' })
  expect(toolName('mcp__plugin_my_notes_my_notes__list')).toEqual({ server: 'my_notes', name: 'list' })
})

test('a named server wins over the prefix and is taken off the name however it is joined', () => {
  for (const name of ['mcp__probe__echo', 'mcp_probe_echo', 'probe__echo', 'probe-echo', 'probe_echo', 'echo']) {
    expect(toolName(name, { server: 'probe' })).toEqual({ server: 'probe', name: 'echo' })
  }
  expect(toolName('mcp__plugin_x_probe__echo', { server: 'probe' })).toEqual({ server: 'probe', name: 'echo' })
  expect(toolName('mcp__probe__echo', { server: 'probe', tool: 'echo' })).toEqual({ server: 'probe', name: 'echo' })
})

test('a namespace that names no MCP server is ignored', () => {
  expect(toolName('exec', { namespace: 'functions' })).toEqual({ name: 'exec' })
})
