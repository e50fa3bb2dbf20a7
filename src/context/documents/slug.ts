/** Names for links. Pure. */

const MAX_SLUG = 80

/** Lower-case letters and digits of any script, everything else as single hyphens; `section` when nothing is left. */
export function slugOf(text: string): string {
  const slug = text
    .slice(0, 4 * MAX_SLUG)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
  return [...slug].slice(0, MAX_SLUG).join('').replace(/-$/, '') || 'section'
}

/** Slugs of one document: a name that was given gets a number. */
export function uniqueSlugs(): (text: string) => string {
  const given = new Set<string>()
  const counts = new Map<string, number>()
  return (text) => {
    const slug = slugOf(text)
    let count = counts.get(slug) ?? 0
    let name = slug
    while (given.has(name)) name = `${slug}-${++count}`
    counts.set(slug, count)
    given.add(name)
    return name
  }
}
