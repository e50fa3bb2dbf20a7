/** Opens Varve for one command and closes it again, whatever happens. */

import { type App, createApp } from '../app.ts'
import type { Terminal } from './terminal.ts'

export async function withApp<Result>(terminal: Terminal, work: (app: App) => Promise<Result>): Promise<Result> {
  const app = await createApp(terminal)
  try {
    return await work(app)
  } finally {
    await app.close()
  }
}
