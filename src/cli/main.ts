/** The entry of the command line; `bin/varve.js` loads nothing else. */

import { runProgram } from './program.ts'
import { processTerminal } from './terminal.ts'

process.exitCode = await runProgram(process.argv.slice(2), processTerminal())
