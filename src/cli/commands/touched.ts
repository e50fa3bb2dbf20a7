import { toolCommand } from '../tool-command.ts'

export const touched = toolCommand({
  name: 'touched',
  summary: 'List the sessions that read or changed a file',
  tool: 'file_attention',
  argument: {
    property: 'path',
    name: 'PATH',
    description: 'a file, relative to where you are or absolute',
    required: true,
  },
  examples: ['varve touched src/time.ts'],
})
