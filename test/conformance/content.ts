/** Pieces of content that several fixtures send. */

export const text = (content: string) => ({ content: [{ type: 'text' as const, text: content }] })

/** One red pixel, as a PNG. */
export const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='

/** No samples at all, as a WAV: the header alone (RIFF, PCM, mono, 8 kHz, 8 bit). */
export const SILENCE = Buffer.concat([
  Buffer.from('RIFF'),
  int32(36),
  Buffer.from('WAVEfmt '),
  int32(16),
  Buffer.from([1, 0, 1, 0]),
  int32(8_000),
  int32(8_000),
  Buffer.from([1, 0, 8, 0]),
  Buffer.from('data'),
  int32(0),
]).toString('base64')

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32LE(value)
  return bytes
}
