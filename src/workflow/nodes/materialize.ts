import * as z from 'zod'
import type { Issue } from '../definition.ts'
import { nodeIssue } from '../validation/issue.ts'
import { nodeFields, target, text } from './node-schema.ts'
import type { NodeType } from './node-type.ts'
import { notAvailable } from './not-available.ts'

const fileSchema = z.strictObject({
  path: text.describe('A relative path with forward slashes, inside the target folder. A template.'),
  content: z.string().optional().describe('A template.'),
  fromVariable: text.optional().describe('Instead of content: the path of the value in the context.'),
  mode: z
    .string()
    .regex(/^0[0-7]{3}$/)
    .optional()
    .describe('Octal file mode, such as 0644.'),
})

export const materializeSchema = z.strictObject({
  ...nodeFields,
  type: z.literal('materialize'),
  files: z.array(fileSchema).min(1),
  directive: text.optional(),
  completionCondition: text.optional(),
  targetDir: text.optional().describe('The folder suggested to the agent.'),
  connections: z.strictObject({ success: target }),
})
export type MaterializeNode = z.infer<typeof materializeSchema>

/** Why a file may not be written under that path; null when it stays inside the folder it is put in. */
export function pathProblem(path: string): string | null {
  if (path.includes('\0')) return 'holds a NUL character'
  if (path.includes('\\')) return 'holds a backslash'
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path)) return 'is absolute'
  const parts = path.split('/')
  if (parts.includes('..')) return 'climbs out with ..'
  if (parts.some((part) => part === '' || part === '.')) return 'has an empty or "." segment'
  return null
}

/** A set of rendered files handed to the agent's machine; the agent confirms with an empty answer. */
export const materializeType: NodeType<MaterializeNode> = {
  type: 'materialize',
  title: 'Materialize files',
  waits: true,
  external: true,
  schema: materializeSchema,
  edges: { required: ['success'], optional: [] },
  templates: (node) => [
    ...node.files.flatMap((file, index) => [
      { field: `files[${index}].path`, text: file.path },
      ...(file.content === undefined ? [] : [{ field: `files[${index}].content`, text: file.content }]),
    ]),
    ...(node.directive === undefined ? [] : [{ field: 'directive', text: node.directive }]),
    ...(node.completionCondition === undefined
      ? []
      : [{ field: 'completionCondition', text: node.completionCondition }]),
  ],
  check(node) {
    return node.files.flatMap((file, index) => {
      const problem = pathProblem(file.path)
      const issues: Issue[] = []
      if (problem !== null) {
        issues.push(
          nodeIssue('V64', node, {
            field: `files[${index}].path`,
            message: `the path "${file.path}" ${problem}`,
            remedy: 'use a relative path with forward slashes that stays inside the target folder',
          }),
        )
      }
      if ((file.content === undefined) === (file.fromVariable === undefined)) {
        issues.push(
          nodeIssue('V65', node, {
            field: `files[${index}]`,
            message: `the file "${file.path}" needs either content or fromVariable`,
            remedy: 'give exactly one of the two',
          }),
        )
      }
      return issues
    })
  },
  run(node) {
    throw notAvailable(node)
  },
}
