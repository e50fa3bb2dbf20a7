import { harnessContract } from '../contract.suite.ts'
import { codex } from './index.ts'

const rollout = (folder: string, name: string) => ({
  root: `test/fixtures/codex/${folder}`,
  path: `rollout-${name}.jsonl`,
  copy: `2026/copy.jsonl`,
})

harnessContract(codex, [
  rollout('code-mode', '2026-03-01T11-00-00-019ca8d7-2d00-7000-8000-000000000002'),
  rollout('double-representation', '2026-03-01T11-00-00-019ca8d7-2d00-7000-8000-000000000001'),
  rollout('forks', '2026-03-01T11-02-00-019ca8d9-01c0-7000-8000-000000000005'),
  rollout('legacy', '2025-07-01T10-00-00-0d6c0b7e-1111-4222-8333-444455556666'),
  { root: 'test/fixtures/codex/exec-stream', path: 'stream.jsonl', copy: 'copy.jsonl' },
])
