export { contradictions, distinctStatements } from './compare.ts'
export { acceptsPrevious, statementsOf } from './extract.ts'
export type {
  ComparedStatement,
  Contradiction,
  SaidBy,
  Statement,
  StatementKind,
  StatementOrigin,
} from './statement.ts'
