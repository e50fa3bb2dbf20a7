import { harnessContract } from '../contract.suite.ts'
import { claudeCode } from './index.ts'

const SESSION = '-home-ada-garden/11111111-aaaa-4aaa-8aaa-00000000000'

harnessContract(claudeCode, [
  { root: 'test/fixtures/claude-code/conversation', path: `${SESSION}1.jsonl` },
  { root: 'test/fixtures/claude-code/endings', path: `${SESSION}2.jsonl`, copy: '-srv-garden/copy.jsonl' },
  { root: 'test/fixtures/claude-code/old-client', path: `${SESSION}4.jsonl` },
  { root: 'test/fixtures/claude-code/subagent', path: `${SESSION}3/subagents/agent-a5b6c7d.jsonl` },
])
