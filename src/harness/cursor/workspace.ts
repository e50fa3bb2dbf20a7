/** Folders of a workspace, as addresses. */

/** The path of a `file://` address, also of one on another machine; a path stays; empty for anything else. */
export function pathOfAddress(address: string): string {
  if (/^(?:\/|[A-Za-z]:[\\/])/.test(address)) return address
  const match = /^(?:file|vscode-remote):\/\/([^/]*)(\/.*)$/.exec(address)
  if (!match) return ''
  const path = decoded(match[2] ?? '')
  // `file:///c%3A/work` is a path of Windows.
  return /^\/[A-Za-z]:/.test(path) ? path.slice(1) : path
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
