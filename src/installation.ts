/** This installation of Varve: its version, and where its parts lie. */

import { fileURLToPath } from 'node:url'
import packageJson from '../package.json' with { type: 'json' }

export const version: string = packageJson.version

/** The folder Varve is installed in. */
export const installedIn: string = fileURLToPath(new URL('..', import.meta.url))

/** What a client starts with Node. */
export const programFile: string = fileURLToPath(new URL('../bin/varve.js', import.meta.url))

/** A folder laid out like a home folder, with made-up transcripts. */
export const sampleHome: string = fileURLToPath(new URL('../sample/home', import.meta.url))

/** The workflows that come with Varve: one JSON file each, named after its slug. */
export const workflowsFolder: string = fileURLToPath(new URL('../workflows', import.meta.url))

/** The topics of `help`: one Markdown file each. */
export const helpFolder: string = fileURLToPath(new URL('../docs/help', import.meta.url))
