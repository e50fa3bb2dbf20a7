import { describe, expect, it } from 'vitest'
import type { DocumentRole } from '../documents/index.ts'
import { statementsOf } from './extract.ts'

const found = (text: string, path: string, role: DocumentRole) =>
  statementsOf(text, { kind: 'document', path, role }).map(({ kind, text: own, line, date }) => [kind, own, line, date])

describe('statements of documents', () => {
  it('17: a line of a tracker that begins with a date is a decision of that day', () => {
    const text =
      '# State\n\n2026-10-09 — Importer shipped, all gates green.\n- **2026-10-08**: gateway moved.\n- open point\n'
    expect(found(text, 'PROJECT_STATE.md', 'tracker')).toEqual([
      ['decision', '2026-10-09 — Importer shipped, all gates green.', 3, '2026-10-09'],
      ['decision', '**2026-10-08**: gateway moved.', 4, '2026-10-08'],
    ])
    expect(found(text, 'README.md', 'document')).toEqual([])
  })

  it('17: what begins an item or paragraph under a heading of decisions is one, below it as well', () => {
    const text = [
      '# Design',
      '## Decisions',
      'The index lives in one file. It is small.',
      '### 2026-05-01 Storage',
      '- Rows are keyed by owner.',
      '- Which driver?',
      '### Open questions',
      '- The cache is shared.',
      '## Notes',
      '- The disk is fast.',
    ].join('\n')
    expect(found(text, 'DESIGN.md', 'document')).toEqual([
      ['decision', 'The index lives in one file.', 3, undefined],
      ['decision', 'Rows are keyed by owner.', 5, '2026-05-01'],
    ])
  })

  it('17: of a decision record the section with the decision counts, while it is in force', () => {
    const record = (status: string) =>
      `# 3. Use queues\n\n## Status\n\n${status}\n\n## Context\n\nWe have jobs.\n\n## Decision\n\nJobs go through a queue. It is durable.\n\n## Consequences\n\nMore moving parts.\n`
    expect(found(record('Accepted'), 'docs/adr/0003-queues.md', 'tracker')).toEqual([
      ['decision', 'Jobs go through a queue.', 13, undefined],
    ])
    expect(found(record('Superseded by 7'), 'docs/adr/0003-queues.md', 'tracker')).toEqual([])
  })

  it('18: rules and trackers hold constraints; imperatives count under a heading of rules', () => {
    const text =
      '# Guide\n\nNever push to main.\n\n## Conventions\n\n- Name tests after the behaviour.\n- Tests are fast.\n\n## Setup\n\n- Install the tools.\n'
    expect(found(text, 'AGENTS.md', 'rule')).toEqual([
      ['constraint', 'Never push to main.', 3, undefined],
      ['constraint', 'Name tests after the behaviour.', 7, undefined],
    ])
    expect(found(text, 'README.md', 'document')).toEqual([])
  })

  it('manifests and scripts state nothing', () => {
    expect(found('# never run this by hand\nNever run this.', 'install.sh', 'script')).toEqual([])
  })
})
