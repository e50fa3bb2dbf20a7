/**
 * The layout of the extension: a task's folder holds what the user was shown (`ui_messages.json`), an item for each step
 * with its time, and which models were asked (`task_metadata.json`). The requests to the model beside them repeat the
 * steps without their times and are not read.
 */

import type { Draft, Reading, SessionFacts } from '../../core/event.ts'
import { type Fields, fields, foreign, list, number, text } from '../fields.ts'
import { defineLayout, type Files, type NativeRecord, type SourceFile } from '../harness.ts'
import { beside, folderName, isTaskFile } from './paths.ts'
import type { TaskState } from './state.ts'
import { readStep } from './steps.ts'

const METADATA = 'task_metadata.json'

export const taskLayout = defineLayout<TaskState>({
  matches: isTaskFile,
  format: { kind: 'bundle', related: (file) => [beside(file, METADATA)], records },
  open: (file) => ({ session: folderName(file), cwd: '', isOpen: false, call: null }),
  read,
})

function* records(files: Files, file: SourceFile): Generator<unknown> {
  const steps = files.json(file.path)
  if (!Array.isArray(steps)) {
    yield { type: 'unreadable', document: steps }
    return
  }
  const metadata = fields(files.json(beside(file, METADATA)))
  const models = list(metadata['model_usage']).map(fields)
  const environments = list(metadata['environment_history']).map(fields)
  yield { type: 'task', startedAt: fields(steps[0])['ts'], environment: environments.at(-1) ?? {} }
  const seen = new Map<string, number>()
  for (const step of steps) {
    const { ts, ask, say } = fields(step)
    const name = `${number(ts) ?? ''}:${text(say) || text(ask)}`
    const times = seen.get(name) ?? 0
    seen.set(name, times + 1)
    yield { type: 'step', id: times === 0 ? name : `${name}#${times}`, step, model: modelAt(models, number(ts)) }
  }
}

/** The model that was in use at a time. */
function modelAt(models: readonly Fields[], at: number | undefined): string {
  const used = models.findLast((model) => at !== undefined && (number(model['ts']) ?? 0) <= at) ?? models[0]
  return text(used?.['model_id'])
}

function read({ value }: NativeRecord, state: TaskState): Reading {
  const record = fields(value)
  switch (record['type']) {
    case 'task':
      return readTask(record, state)
    case 'step':
      return readStep(record, state)
    default:
      return {
        drafts: [{ session: state.session, type: 'unknown', text: '', payload: foreign(value), native: { index: 0 } }],
      }
  }
}

function readTask(record: Fields, state: TaskState): Reading {
  const { session } = state
  const version = text(fields(record['environment'])['cline_version'])
  const draft: Draft = { session, type: 'system', text: '', native: { id: session, index: 0 } }
  const at = number(record['startedAt'])
  if (at !== undefined) draft.at = at
  const facts: SessionFacts = { nativeId: session, ...(version !== '' && { cliVersion: version }) }
  return { drafts: [draft], sessions: [facts] }
}
