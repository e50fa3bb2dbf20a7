import { describe, expect, it } from 'vitest'
import { packLines } from './pack-text.ts'

const plain = { paint: (_style: unknown, text: string) => text }

const EMPTY = { decisions: [], constraints: [], examples: [], rules: [], truncated: false, total_bytes: 200 }

describe('a pack in a terminal', () => {
  it('shows headings, texts and where they stand, and no JSON', () => {
    const conversation = {
      id: 'session:ses_1',
      title: 'Installer',
      source: 'codex_cli',
      timestamp: '2026-09-30T15:57:49.995Z',
      passage: { text: 'We checked it\nin a VM.', offset: 3, matched: '1/2' },
      more: [{ text: 'Never in \u001b[31mDocker.', offset: 90, matched: '1/2' }],
      expand: { params: { id: 'session:ses_1', tier: 'hot' } },
    }
    const digest = {
      ...conversation,
      id: 'c5:2026-W46',
      source: 'digests',
      more: [],
      expand: { params: { id: 'c5:2026-W46', tier: 'digest' } },
    }
    const lines = packLines(
      {
        ...EMPTY,
        decisions: [
          { text: 'Use a VM', source: 'tracker', timestamp: '2026-10-09T00:00:00.000Z', source_path: 'STATE.md:23' },
          { text: 'Say no', source: 'codex_cli', timestamp: '2026-10-09T00:00:00.000Z', id: 'session:ses_2' },
        ],
        examples: [conversation, digest],
        rules: [{ id: 'rule:agents', title: 'Agents', source_path: 'AGENTS.md' }],
        conflicts: [{ a: 'Use Docker', b: 'Use a VM', subject: 'use', newer: 'b' }],
        current_truth_caveat: 'tracker-backed, not live-verified',
        truncated: true,
      },
      plain,
    )
    expect(lines).toEqual([
      'Decisions',
      '  > Use a VM',
      '    STATE.md:23, 2026-10-09',
      '  > Say no',
      '    session:ses_2, 2026-10-09',
      '',
      'Conversations',
      '  Installer  codex_cli, 2026-09-30',
      '    > We checked it in a VM.',
      '    > Never in [31mDocker.',
      '    varve open session:ses_1',
      '  Installer  digests, 2026-09-30',
      '    > We checked it in a VM.',
      `    varve call rift_search '{"id":"c5:2026-W46","tier":"digest"}'`,
      '',
      'Rules',
      '  Agents  AGENTS.md',
      '',
      'They disagree',
      '  Use Docker',
      '  now: Use a VM',
      '',
      'tracker-backed, not live-verified; there is more: raise --max-bytes',
    ])
  })

  it('says that there is nothing', () => {
    expect(packLines(EMPTY, plain)).toEqual(['Nothing that is held bears on this task.'])
  })
})
