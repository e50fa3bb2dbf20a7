/**
 * Gemini on the web (Google): prompts of AI Studio, one JSON file each in the Drive folder `Google AI Studio`; and the
 * activity of the Gemini app, which Takeout gives as a list of single prompts with their answers, newest first.
 */

import type { Reading } from '../../core/event.ts'
import { defineHarness, type NativeRecord, type SourceFile } from '../harness.ts'
import { type ExportState, exportLayout, exportSource, unknownRecord } from '../web-conversation.ts'
import { isActivity, readActivity } from './activity.ts'
import { isPromptFile, readPromptFile } from './prompt-file.ts'

export const geminiWeb = defineHarness({
  id: 'gemini-web',
  title: 'Gemini (web)',
  sources: [exportSource('gemini-web')],
  layouts: [
    exportLayout({ member: isMember, list: [], recognizes: (value) => isPromptFile(value) || isActivity(value) }, read),
  ],
  missing: [
    'Takeout does not say which prompts of the Gemini app were one conversation: where no link tells, each is a session of its own.',
    'Takeout has to be asked for JSON: activity in HTML is not read.',
    'AI Studio tells the tokens of what the model wrote, not of what it read.',
    'Pictures, videos and files on Drive are named, not read.',
  ],
})

/** `My Activity/Gemini Apps/MyActivity.json`, in the owner's language. The folder `Gemini` holds other things. */
const ACTIVITY = /(^|\/)(?!Gemini\/)[^/]*Gemini[^/]*\/[^/]+\.json$/

/** Prompts of AI Studio have mostly no ending; what lies beside them was uploaded to them. */
const PROMPT_FILE = /(^|\/)Google AI Studio\/[^/]+$/
const OTHER_ENDING = /\.(?!json$)[a-z][a-z0-9]{1,4}$/i

function isMember(path: string): boolean {
  return ACTIVITY.test(path) || (PROMPT_FILE.test(path) && !OTHER_ENDING.test(path))
}

function read({ value }: NativeRecord, state: ExportState, file: SourceFile): Reading {
  if (isPromptFile(value)) return readPromptFile(value, state, file)
  if (isActivity(value)) return readActivity(value, state)
  return unknownRecord(value, state)
}
