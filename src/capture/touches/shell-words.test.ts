import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cpuTime } from '../../core/cpu-time.testing.ts'
import { type Dialect, readShell } from './shell-words.ts'

const read = (script: string, dialect: Dialect = 'posix') => readShell(script, dialect)

/** The words of every command, `( )` for subshells. */
const words = (script: string, dialect: Dialect = 'posix') =>
  read(script, dialect).map((step) =>
    step.kind === 'command' ? step.command.words.map((word) => word.text) : step.kind === 'open' ? '(' : ')',
  )

const only = (script: string) => {
  const [step] = read(script)
  if (step?.kind !== 'command') throw new Error('no command')
  return step.command
}

describe('words of a shell script', () => {
  it('are cut at blanks, operators and line ends', () => {
    expect(words('cat a.ts|head -5&&ls ; wc b.ts\nrm c &')).toEqual([
      ['cat', 'a.ts'],
      ['head', '-5'],
      ['ls'],
      ['wc', 'b.ts'],
      ['rm', 'c'],
    ])
  })

  it('keep what quotes and backslashes protect', () => {
    expect(words(`cat 'a b' "c \\"d\\" e" f\\ g h'i'"j" 'it'\\''s'`)).toEqual([
      ['cat', 'a b', 'c "d" e', 'f g', 'hij', "it's"],
    ])
    expect(words('cat a \\\n b')).toEqual([['cat', 'a', 'b']])
  })

  it('leave backslashes alone in PowerShell, where the backquote escapes', () => {
    expect(words('type C:\\work\\a.ts; cat "a`"b" c` d', 'windows')).toEqual([
      ['type', 'C:\\work\\a.ts'],
      ['cat', 'a"b', 'c d'],
    ])
  })

  it('end at comments, but not inside a word', () => {
    expect(words('cat a#b # see src/c.ts; rm d\nls')).toEqual([['cat', 'a#b'], ['ls']])
  })

  it('know subshells', () => {
    expect(words('(cd a && ls) && ls')).toEqual(['(', ['cd', 'a'], ['ls'], ')', ['ls']])
  })

  it('tell globs and braces from quoted ones', () => {
    const globs = only('ls *.ts "*.ts" a?.ts {a,b}.ts {1..3} {x} [id].ts').words.map((word) => word.glob)
    expect(globs).toEqual([false, true, false, true, true, true, false, false])
  })

  it('mark variables and put substitutions aside', () => {
    const command = only(`cat $A/\${B}.ts "$C" '$D' $(git ls-files | head) \`pwd\`/x "$(cat "a)b")" <(sort e.txt) $5 $`)
    expect(command.words.map((word) => word.text)).toEqual([
      'cat',
      '$<A>/$<B>.ts',
      '$<C>',
      '$D',
      '$<>',
      '$<>/x',
      '$<>',
      '$<5>',
      '$',
    ])
    expect(command.words.map((word) => word.dynamic)).toEqual([false, true, true, false, true, true, true, true, false])
    expect(command.nested).toEqual(['git ls-files | head', 'pwd', 'cat "a)b"', 'sort e.txt'])
  })

  it('set redirections apart', () => {
    const command = only('cmd <in.txt >out.txt 2>>err.log &>both.log >|forced 2>&1 >&2 3<&- x')
    expect(command.words.map((word) => word.text)).toEqual(['cmd', 'x'])
    expect(command.redirections.map(({ access, target }) => [access, target.text])).toEqual([
      ['read', 'in.txt'],
      ['write', 'out.txt'],
      ['write', 'err.log'],
      ['write', 'both.log'],
      ['write', 'forced'],
    ])
  })

  it('set here-documents and here-strings apart, with the command that announced them', () => {
    const steps = read("cat <<'EOF' > a.txt && wc <<-END\nrm b.txt\n\tEOF\nEOF\n\tmore\n\tEND\nls <<< word")
    const commands = steps.flatMap((step) => (step.kind === 'command' ? [step.command] : []))
    expect(commands.map((command) => command.words.map((word) => word.text))).toEqual([['cat'], ['wc'], ['ls']])
    expect(commands.map((command) => command.documents)).toEqual([['rm b.txt\n\tEOF\n'], ['\tmore\n'], ['word']])
  })

  it('take what is not closed to the end', () => {
    expect(words('cat "a b')).toEqual([['cat', 'a b']])
    expect(words("cat 'a b")).toEqual([['cat', 'a b']])
    expect(only('cat $(ls').nested).toEqual(['ls'])
    expect(only('cat <<EOF\nabc').documents).toEqual(['abc'])
    expect(words('cat >')).toEqual([['cat']])
    expect(words(')')).toEqual([')'])
  })

  it('never fail, whatever the text', () => {
    const piece = fc.oneof(
      fc.constantFrom(...'\\\'"`$(){}<>|&;#\n\t *?=!'),
      fc.constantFrom('<<', '<<<', '$(', '${', 'EOF'),
      fc.string(),
    )
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 40 }),
        fc.constantFrom<Dialect>('posix', 'windows'),
        (parts, dialect) => {
          read(parts.join(''), dialect)
        },
      ),
    )
  })

  it('are read in linear time', () => {
    for (const unit of ['$(', '`', '"', "'", '{a,', '<<E ', '\\', '( ', '> ', '$' + '{a', "$(' "]) {
      const time = cpuTime(() => read(unit.repeat(100_000 / unit.length)))
      expect.soft(time, `100 kB of ${unit}`).toBeLessThan(1000)
    }
  })
})
