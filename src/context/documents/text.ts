/** Bytes of a file as text. Pure. */

/** Where a file that is no text gives itself away. */
const SNIFFED = 8_192

/** UTF-8, or UTF-16 with its mark; without the mark. Undefined for what is no text. Bytes that are no UTF-8 become U+FFFD. */
export function decodeText(bytes: Buffer): string | undefined {
  const isWide = bytes.length >= 2 && bytes.length % 2 === 0
  if (isWide && bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (isWide && bytes[0] === 0xfe && bytes[1] === 0xff)
    return new TextDecoder('utf-16le').decode(Buffer.from(bytes).swap16())
  if (bytes.subarray(0, SNIFFED).includes(0)) return undefined
  return new TextDecoder('utf-8').decode(bytes)
}
