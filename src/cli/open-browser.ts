/** Opens a page in the person's browser, where there is one. */

import { spawn } from 'node:child_process'
import type { Terminal } from './terminal.ts'

/** True when a browser can show something: a person is there, and so is a desktop. */
export function hasBrowser({ interactive, platform, env }: Terminal): boolean {
  if (!interactive || env['CI'] || env['SSH_CONNECTION']) return false
  return platform === 'darwin' || platform === 'win32' || Boolean(env['DISPLAY'] || env['WAYLAND_DISPLAY'])
}

/** Asks the desktop to open a URL. What becomes of it is the desktop's business: failures are silent. */
export function openBrowser(url: string, platform: NodeJS.Platform): void {
  const [program = '', ...words] = opener(platform, url)
  spawn(program, words, { detached: true, stdio: 'ignore' })
    .on('error', () => {})
    .unref()
}

function opener(platform: NodeJS.Platform, url: string): string[] {
  if (platform === 'darwin') return ['open', url]
  // `start` is a word of cmd; its first quoted argument would be taken for a window title.
  if (platform === 'win32') return ['cmd', '/c', 'start', '', url]
  return ['xdg-open', url]
}
