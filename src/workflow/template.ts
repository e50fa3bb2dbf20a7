/**
 * The template language of directives, notes and messages: `{{name}}`, `{{node.field[0].x}}`, blocks, notes.
 * text -> `template-parse` (a tree) -> `template-render` (text). Values are printed, never read as templates again;
 * the one exception are the author's own fragments, see `template-fragments`.
 */

export { authorFragments } from './template-fragments.ts'
export { type TemplateProblem, type TemplateReferences, templateReferences } from './template-references.ts'
export { type NoteReader, renderTemplate, renderWithNotes, UNDEFINED_VARIABLE } from './template-render.ts'
export { type Fragments, type Scope, systemNames } from './template-scope.ts'
