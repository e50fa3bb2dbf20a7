/**
 * Makes foreign text fit to be stored, searched and sent: valid Unicode without control characters, and encoded binary
 * data replaced by a short marker. The picture itself stays in the transcript, at the path and record of its event.
 */

import { withoutBase64 } from './base64.ts'

const SURROGATE = /[\ud800-\udfff]/
const LONE_SURROGATE = /\p{Surrogate}/gu

/** C0 controls but tab, line feed and carriage return; PostgreSQL refuses NUL, and none of them is text. */
const CONTROL = /[\0-\x08\x0b\x0c\x0e-\x1f]/
const CONTROLS = /[\0-\x08\x0b\x0c\x0e-\x1f]/g

/** Colours, cursor movements and titles a program wrote for a terminal (ECMA-48: CSI and OSC). */
const TERMINAL_SEQUENCES = /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]{0,4096}(?:\x07|\x1b\\))/g

const REPLACEMENT = '\ufffd'

/** Characters of a data URI's body from which on it is replaced; below lie the few bytes of an empty picture. */
const DATA_URI_BODY = 64
const DATA_URI = new RegExp(
  `data:([a-z]+/[a-z0-9.+-]+)((?:;[a-z0-9_=.+-]+)*),([^\\s"'\`<>()\\\\]{${DATA_URI_BODY},})`,
  'gi',
)

/** Valid Unicode without control characters and terminal sequences. */
export function cleanText(text: string): string {
  let clean = text
  if (SURROGATE.test(clean)) clean = clean.replace(LONE_SURROGATE, REPLACEMENT)
  if (CONTROL.test(clean)) clean = clean.replace(TERMINAL_SEQUENCES, '').replace(CONTROLS, REPLACEMENT)
  return clean
}

/** An escape in JSON that stands for a lone surrogate or a control character, or any other escape, to step over it. */
const JSON_ESCAPE = /\\(?:u(d[89a-f][0-9a-f]{2}|00(?:0[0-8bcef]|1[0-9a-f]))|.)/g
const JSON_SHORT_CONTROL = /\\[bf]/

/**
 * The same for the text of a JSON value, as `JSON.stringify` wrote it, which escapes lone surrogates and controls in
 * lower case. What is put in needs no escaping, so the result is JSON again.
 */
export function cleanJson(json: string): string {
  if (!json.includes('\\ud') && !json.includes('\\u00') && !JSON_SHORT_CONTROL.test(json)) return json
  return json.replace(JSON_ESCAPE, (sequence: string, code: string | undefined) =>
    code !== undefined || sequence === '\\b' || sequence === '\\f' ? REPLACEMENT : sequence,
  )
}

/** Longest name kept; indexes refuse values of some kilobytes. */
const NAME_CHARACTERS = 500

/** A short foreign name: an id, a tool, a model. */
export function cleanName(name: string): string {
  const clean = SURROGATE.test(name) ? name.replace(LONE_SURROGATE, REPLACEMENT) : name
  const safe = CONTROL.test(clean) ? clean.replace(CONTROLS, REPLACEMENT) : clean
  return safe.length > NAME_CHARACTERS ? safe.slice(0, NAME_CHARACTERS) : safe
}

/** Text or JSON text with data URIs and long runs of base64 replaced by what they were and how long. */
export function withoutBinary(text: string): string {
  const clean = text.includes('data:') ? text.replace(DATA_URI, dataUriMarker) : text
  return withoutBase64(clean)
}

function dataUriMarker(_uri: string, type: string, parameters: string, body: string): string {
  const encoded = parameters.toLowerCase().endsWith(';base64')
  const bytes = encoded ? Math.floor((body.replace(/=+$/, '').length * 3) / 4) : body.length
  return `[${type.toLowerCase()}, ${bytes} bytes]`
}
