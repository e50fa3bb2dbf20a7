/** An expression's text cut into tokens, in one pass. */

export interface ExpressionToken {
  kind: 'number' | 'text' | 'name' | '=' | '+' | '-' | '*' | '/' | '(' | ')'
  /** A text without its quotes; anything else as written. */
  text: string
  /** Offset in the expression, from 0. */
  position: number
}

export interface Tokens {
  tokens: ExpressionToken[]
  problem: { message: string; position: number; remedy: string } | null
}

const signs: readonly string[] = ['=', '+', '-', '*', '/', '(', ')'] satisfies ExpressionToken['kind'][]

export function tokenizeExpression(text: string): Tokens {
  const tokens: ExpressionToken[] = []
  let at = 0
  const fail = (message: string, remedy: string): Tokens => ({ tokens, problem: { message, position: at, remedy } })
  while (at < text.length) {
    const character = text[at] ?? ''
    if (/\s/.test(character)) {
      at++
    } else if (isSign(character)) {
      tokens.push({ kind: character, text: character, position: at })
      at++
    } else if (/[0-9]/.test(character)) {
      const number = match(/\d+\.?\d*/y, text, at)
      if (!Number.isFinite(Number(number))) return fail('The number is too large', 'Numbers reach up to about 1.8e308.')
      tokens.push({ kind: 'number', text: number, position: at })
      at += number.length
    } else if (/[A-Za-z_]/.test(character)) {
      const name = match(/[A-Za-z_][A-Za-z0-9_.]*/y, text, at)
      tokens.push({ kind: 'name', text: name, position: at })
      at += name.length
    } else if (character === '"' || character === "'") {
      const end = text.indexOf(character, at + 1)
      if (end === -1) return fail('The text is never closed', `Close it with ${character}.`)
      tokens.push({ kind: 'text', text: text.slice(at + 1, end), position: at })
      at = end + 1
    } else {
      const remedy = 'Expressions hold names, numbers, texts in quotes, + - * / = and parentheses.'
      return fail(`"${String.fromCodePoint(text.codePointAt(at) ?? 0)}" cannot stand in an expression`, remedy)
    }
  }
  return { tokens, problem: null }
}

function isSign(character: string): character is ExpressionToken['kind'] {
  return signs.includes(character)
}

function match(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? ''
}
