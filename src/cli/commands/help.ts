import { defineCommand } from '../command.ts'
import { commandHelp, programHelp } from '../help.ts'
import { usageError } from '../parse.ts'

export const help = defineCommand({
  name: 'help',
  summary: 'Show what Varve can do, or how to use one command',
  arguments: [{ name: 'COMMAND', description: 'the command to explain' }],
  options: {},
  async run({ arguments: [name] }, terminal) {
    const { loadCommands } = await import('./index.ts')
    const commands = await loadCommands()
    if (name === undefined) {
      terminal.print(programHelp(commands))
      return 0
    }
    const command = commands.find((each) => each.name === name)
    if (!command) throw usageError(`there is no command '${name}'`)
    terminal.print(commandHelp(command))
    return 0
  },
})
