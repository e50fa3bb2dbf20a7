/** The text of the simple HTML in which Takeout keeps answers. */

const BLOCK_ENDS = /<(?:br|\/p|\/div|\/li|\/h[1-6]|\/tr|\/pre|hr)\b[^<>]*>/gi
const ITEM = /<li\b[^<>]*>/gi
const TAG = /<\/?[a-z!][^<>]*>/gi
const ENTITY = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi

const NAMED = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
])

export function textOfHtml(html: string): string {
  return joined(html)
    .replace(ITEM, '- ')
    .replace(BLOCK_ENDS, '\n')
    .replace(TAG, '')
    .replace(ENTITY, (whole, decimal, hex, name) => character(whole, decimal, hex, name))
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** Line breaks before a tag are of the HTML, all others of the text. */
function joined(html: string): string {
  const parts = html.split(/\r?\n/).map((line) => {
    const start = line.trimStart()
    return start.startsWith('<') ? start : `\n${line}`
  })
  return parts.join('')
}

function character(whole: string, decimal?: string, hex?: string, name?: string): string {
  if (name !== undefined) return NAMED.get(name.toLowerCase()) ?? whole
  const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
  return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code < 0xe000) ? String.fromCodePoint(code) : whole
}
