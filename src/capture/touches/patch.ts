/** Which files a patch changes, as its headers say. */

/** Lines of the patch format of Codex's `apply_patch`. */
const SECTION = /^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/

/** Lines git adds to a unified diff for files that only move. */
const RENAME = /^(?:rename|copy) (?:from|to) (.+)$/

const NEW_FILE = /^\+\+\+ (.+)$/
const OLD_FILE = /^--- (.+)$/

/** Whether a text is a patch at all, as opposed to prose or code that speaks of one. */
export function isPatch(text: string): boolean {
  return /^\s*\*\*\* Begin Patch/.test(text) || /^(?:diff --git |--- .+\r?\n\+\+\+ )/m.test(text)
}

/** The paths a patch names, as written, without the `a/` and `b/` of a unified diff; a path may come twice. */
export function patchedPaths(patch: string): string[] {
  const paths: string[] = []
  const lines = patch.split(/\r?\n/)
  lines.forEach((line, index) => {
    const named = SECTION.exec(line)?.[1] ?? RENAME.exec(line)?.[1]
    if (named !== undefined) paths.push(named.trim())
    // A removed line may look like an old file's header: both headers must stand together.
    const newFile = NEW_FILE.exec(line)?.[1]
    const oldFile = newFile === undefined ? undefined : OLD_FILE.exec(lines[index - 1] ?? '')?.[1]
    if (newFile === undefined || oldFile === undefined) return
    for (const header of [oldFile, newFile]) {
      const path = headerPath(header)
      if (path !== undefined) paths.push(path)
    }
  })
  return paths
}

/** A header's path: up to the tab before its date, unquoted, without git's one-letter prefix. */
function headerPath(header: string): string | undefined {
  const path = (header.split('\t')[0] ?? '').trim().replace(/^"(.*)"$/, '$1')
  if (path === '' || path === '/dev/null') return undefined
  return path.replace(/^[abciow]\//, '')
}
