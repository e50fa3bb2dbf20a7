import { UserError } from '../core/errors.ts'
import { parseId } from '../core/id.ts'

/** The bytes of a session's public id. @throws UserError `invalid_id` for anything else */
export function parseSessionId(text: string): Buffer {
  const { kind, bytes } = parseId(text, 'session')
  if (kind === 'session') return bytes
  throw new UserError('invalid_id', `this is the id of ${kind === 'event' ? 'an event' : 'a turn'}, not of a session`, {
    remedy: '`varve open ID` shows the session it belongs to',
  })
}
