import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cpuTime } from '../../core/cpu-time.testing.ts'
import { touchesOf } from './index.ts'

const CWD = '/home/ada/site'

/** `r path` or `w path` of every touch, the directory left out. */
function touched(name: string, input: unknown, cwd: string | undefined = CWD): string[] {
  const call = cwd === undefined ? { name, input } : { name, input, cwd }
  return touchesOf(call).map(({ access, path }) => `${access.charAt(0)} ${path.replace(`${CWD}/`, '')}`)
}

const bash = (command: string) => touched('Bash', { command })

describe('path arguments', () => {
  it.each([
    ['Read', { file_path: '/home/ada/site/src/a.ts', limit: 10 }, 'r src/a.ts'],
    ['Write', { file_path: 'src/a.ts', content: 'see src/b.ts' }, 'w src/a.ts'],
    ['Edit', { file_path: './src/../src/a.ts', old_string: 'x', new_string: 'y' }, 'w src/a.ts'],
    ['MultiEdit', { file_path: 'src/a.ts', edits: [{ old_string: 'path', new_string: 'y' }] }, 'w src/a.ts'],
    ['NotebookEdit', { notebook_path: 'n.ipynb', new_source: '' }, 'w n.ipynb'],
    ['NotebookRead', { notebookPath: 'n.ipynb' }, 'r n.ipynb'],
    ['EditNotebook', { target_notebook: 'n.ipynb', new_string: '' }, 'w n.ipynb'],
    ['read', { filePath: 'src/a.ts' }, 'r src/a.ts'],
    ['edit', { filePath: 'src/a.ts', oldString: '', newString: '' }, 'w src/a.ts'],
    ['read_file', { absolute_path: '/home/ada/site/src/a.ts' }, 'r src/a.ts'],
    ['read_file', { absolutePath: '/home/ada/site/src/a.ts' }, 'r src/a.ts'],
    ['edit_file', { target_file: 'src/a.ts', code_edit: '...' }, 'w src/a.ts'],
    ['read_file', { targetFile: 'src/a.ts' }, 'r src/a.ts'],
    ['search_replace', { relative_workspace_path: 'src/a.ts' }, 'w src/a.ts'],
    ['read_file', { relativeWorkspacePath: 'src/a.ts' }, 'r src/a.ts'],
    ['write_to_file', { path: 'src/a.ts' }, 'w src/a.ts'],
    ['replace_in_file', { path: 'src/a.ts', diff: '<<<<<<< SEARCH' }, 'w src/a.ts'],
    ['fs_write', { command: 'create', path: 'src/a.ts', file_text: '' }, 'w src/a.ts'],
    ['str_replace_based_edit_tool', { command: 'view', path: 'src/a.ts' }, 'r src/a.ts'],
    ['str_replace_based_edit_tool', { command: 'str_replace', path: 'src/a.ts' }, 'w src/a.ts'],
    ['fs_read', { operations: [{ mode: 'Line', path: 'src/a.ts' }] }, 'r src/a.ts'],
    ['open_document', { uri: 'file:///home/ada/site/src/a%20b.ts' }, 'r src/a b.ts'],
    ['view_image', { path: '/tmp/shot.png', detail: 'high' }, 'r /tmp/shot.png'],
    ['unknown_tool', { filename: 'Makefile' }, 'r Makefile'],
    ['unknown_tool', { 'file-name': 'notes', content: 'x' }, 'w notes'],
    ['mcp__fs__write_file', { path: 'src/a.ts' }, 'w src/a.ts'],
    ['Read', JSON.stringify({ file_path: 'src/a.ts' }), 'r src/a.ts'],
    ['Edit', { file_path: 'app/[id]/(group)/page.tsx', old_string: '' }, 'w app/[id]/(group)/page.tsx'],
  ])('%s %j touches its file', (name, input, expected) => {
    expect(touched(name, input)).toEqual([expected])
  })

  it('give one touch per path, however deep and however often they name it', () => {
    expect(touched('read_many_files', { paths: ['a.ts', 'b.ts', './a.ts'] })).toEqual(['r a.ts', 'r b.ts'])
    expect(touched('Read', { filePaths: ['a.ts'], files: [{ path: 'b.ts' }, { path: 'c.ts' }, 'd.ts'] })).toEqual([
      'r a.ts',
      'r b.ts',
      'r c.ts',
      'r d.ts',
    ])
    expect(touched('multi_edit', { edits: [{ file_path: 'a.ts' }, { file_path: 'b.ts' }] })).toEqual([
      'w a.ts',
      'w b.ts',
    ])
  })

  it('of moves and copies name both ends', () => {
    expect(touched('move_file', { source: 'a.ts', destination: 'b.ts' })).toEqual(['w a.ts', 'w b.ts'])
    expect(touched('copy_file', { source: 'a.ts', destination: 'b.ts' })).toEqual(['r a.ts', 'w b.ts'])
    expect(touched('rename', { old_path: 'a.ts', newPath: 'b.ts' })).toEqual(['w a.ts', 'w b.ts'])
  })

  it('of searches count only where they name a file', () => {
    expect(touched('Grep', { pattern: 'src/a.ts', path: 'src' })).toEqual([])
    expect(touched('Grep', { pattern: 'x', path: 'src/a.ts' })).toEqual(['r src/a.ts'])
    expect(touched('Glob', { pattern: '**/*.ts', path: '/home/ada/site' })).toEqual([])
    expect(touched('LS', { path: '/home/ada/site/src' })).toEqual([])
    expect(touched('list_directory', { dir_path: 'src', path: 'docs' })).toEqual([])
  })

  it.each([
    ['an URL', { path: 'https://example.com/a.ts' }],
    ['another scheme', { uri: 'ui://widget/a.ts' }],
    ['a glob', { path: 'src/**/*.ts' }],
    ['a directory with a slash', { path: 'src/' }],
    ['here', { path: '.' }],
    ['nothing', { path: '  ' }],
    ['several in one', { path: 'a.ts;b.ts' }],
    ['lines', { path: 'a.ts\nb.ts' }],
    ['a command', { path: 'cat a.ts | head' }],
    ['a NUL', { path: 'a\0.ts' }],
    ['a web request', { method: 'GET', path: '/api/users.json' }],
    ['no text', { path: 7, file: null, files: [1, null, [], {}] }],
    ['a schema', { properties: { path: { type: 'string' } } }],
    ['prose', { prompt: 'read src/a.ts', query: 'src/b.ts', pattern: 'src/c.ts' }],
  ])('that hold %s touch nothing', (_what, input) => {
    expect(touched('Read', input)).toEqual([])
  })

  it('stay as written where no directory is known, and are resolved against the call’s own', () => {
    expect(touchesOf({ name: 'Read', input: { path: './src/a.ts' } })).toEqual([
      { path: 'src/a.ts', access: 'read', via: 'path' },
    ])
    expect(touched('Read', { path: 'a.ts', cwd: 'sub' })).toEqual(['r sub/a.ts'])
  })

  it('of Windows come out with forward slashes', () => {
    const read = (path: string, cwd?: string) => touched('Read', { file_path: path }, cwd)
    expect(read('c:\\work\\src\\a.ts')).toEqual(['r C:/work/src/a.ts'])
    expect(read('src\\a.ts', 'C:\\work')).toEqual(['r C:/work/src/a.ts'])
  })
})

describe('own tools', () => {
  it('never touch what they ask about', () => {
    for (const name of ['file_attention', 'mcp__moraine__file_attention', 'varve_file_attention', 'mcp__varve__open']) {
      expect(touched(name, { path: 'src/a.ts' })).toEqual([])
    }
    expect(touchesOf({ name: 'search', server: 'varve', input: { path: 'a.ts' } })).toEqual([])
    expect(touchesOf({ name: 'read', server: 'files', input: { path: 'a.ts' } })).toHaveLength(1)
  })
})

const PATCH = '*** Begin Patch\n*** Update File: src/a.ts\n@@\n-x\n+y\n*** Add File: src/b.ts\n+z\n*** End Patch'

describe('patches', () => {
  it('touch the files in their headers, wherever the patch is', () => {
    const both = [
      { path: `${CWD}/src/a.ts`, access: 'write', via: 'patch' },
      { path: `${CWD}/src/b.ts`, access: 'write', via: 'patch' },
    ]
    for (const input of [
      PATCH,
      { input: PATCH },
      { patch: PATCH },
      { patchText: PATCH },
      { command: ['apply_patch', PATCH] },
      { command: ['bash', '-lc', `apply_patch <<'EOF'\n${PATCH}\nEOF`] },
      { cmd: `cd ${CWD} && apply_patch <<"PATCH"\n${PATCH}\nPATCH\n` },
    ]) {
      expect(touchesOf({ name: 'apply_patch', input, cwd: CWD }), JSON.stringify(input)).toEqual(both)
    }
  })

  it('are resolved where they are applied', () => {
    expect(
      touched('shell', { command: ['bash', '-lc', `cd sub && apply_patch <<'E'\n${PATCH}\nE`], workdir: 'pkg' }),
    ).toEqual(['w pkg/sub/src/a.ts', 'w pkg/sub/src/b.ts'])
    expect(touched('apply_patch', { input: PATCH, workdir: '/tmp/x' })).toEqual([
      'w /tmp/x/src/a.ts',
      'w /tmp/x/src/b.ts',
    ])
  })

  it('of git are read from here-documents and patch files', () => {
    const diff = '--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-x\n+y\n'
    expect(bash(`git apply <<'EOF'\n${diff}EOF`)).toEqual(['w src/a.ts'])
    expect(bash(`patch -p1 <<'EOF'\n${diff}EOF`)).toEqual(['w src/a.ts'])
    expect(bash('git apply fix.patch')).toEqual(['r fix.patch'])
    expect(touched('apply_diff', { diff })).toEqual(['w src/a.ts'])
  })

  it('of Codex name their files in the keys of `changes`', () => {
    const changes = { 'src/a.ts': { update: { move_path: 'src/b.ts' } }, '/tmp/c.ts': { type: 'add' } }
    expect(touched('FileChange', { changes })).toEqual(['w src/a.ts', 'w src/b.ts', 'w /tmp/c.ts'])
    expect(touched('file_change', { changes: [{ path: 'src/a.ts', kind: 'add' }] })).toEqual(['w src/a.ts'])
  })

  it('inside a file that is written are only its content', () => {
    expect(touched('Write', { file_path: 'p.md', content: PATCH })).toEqual(['w p.md'])
  })
})

describe('shell commands', () => {
  it.each([
    ['cat src/a.ts', 'r src/a.ts'],
    ['cat "my file.txt" | head -5', 'r my file.txt'],
    ["sed -n '1,80p' src/a.ts", 'r src/a.ts'],
    ["sed -i 's/a/b/' src/a.ts", 'w src/a.ts'],
    ["sed -i '' -e 's/a.ts/b.ts/' src/a.ts", 'w src/a.ts'],
    ["sed -i.bak 's#x#y#' src/a.ts", 'w src/a.ts'],
    ['head -n 20 README', 'r README'],
    ['tail -n20 -f log/server.log', 'r log/server.log'],
    ['grep -rn "src/b.ts" src/a.ts', 'r src/a.ts'],
    ['grep -e one -e two Makefile', 'r Makefile'],
    ['grep -E "^all:" Makefile', 'r Makefile'],
    ['rg -n -g "*.ts" needle src/a.ts docs', 'r src/a.ts'],
    ["awk -F: '{print $1}' data.csv", 'r data.csv'],
    ["perl -pi -e 's/a/b/' src/a.ts", 'w src/a.ts'],
    ["jq '.scripts.build' package.json", 'r package.json'],
    ["jq --arg file x.json '.a.b = $file' package.json", 'r package.json'],
    ['rm -f src/a.ts', 'w src/a.ts'],
    ['touch src/a.ts', 'w src/a.ts'],
    ['mkdir -p src/new', 'w src/new'],
    ['chmod +x run.sh', 'w run.sh'],
    ['echo hello > out.txt', 'w out.txt'],
    ['echo hello >> out.txt 2>&1', 'w out.txt'],
    ['make 2> /dev/null > build.log', 'w build.log'],
    ['echo x | tee -a out.txt', 'w out.txt'],
    ['wc -l < data.txt', 'r data.txt'],
    ['cat > src/a.ts <<EOF\nimport "./b.ts"\nrm c.ts\nEOF', 'w src/a.ts'],
    ['python3 scripts/run.py --verbose', 'r scripts/run.py'],
    ['node --import tsx src/a.ts', 'r src/a.ts'],
    ['npx prettier --write src/a.ts', 'w src/a.ts'],
    ['npx vitest run src/a.test.ts:12', 'r src/a.test.ts'],
    ['pytest tests/test_a.py::TestA::test_b', 'r tests/test_a.py'],
    ['cargo fmt -- src/lib.rs', 'r src/lib.rs'],
    ['tsc --project=tsconfig.build.json', 'r tsconfig.build.json'],
    ['./scripts/build.sh --fast', 'r scripts/build.sh'],
    ['bash scripts/build.sh', 'r scripts/build.sh'],
    ['source .env', 'r .env'],
    ['git add src/a.ts', 'r src/a.ts'],
    ['git diff main...feature/x.y -- src/a.ts', 'r src/a.ts'],
    ['git show HEAD~2:src/a.ts', 'r src/a.ts'],
    ['git checkout -- src/a.ts', 'w src/a.ts'],
    ['git -C sub rm a.ts', 'w sub/a.ts'],
    ['git commit -m "fix src/b.ts" src/a.ts', 'r src/a.ts'],
    ['sudo -u root cat /etc/hosts', 'r /etc/hosts'],
    ['timeout 10 cat src/a.ts', 'r src/a.ts'],
    ['FOO=src/b.ts cat src/a.ts', 'r src/a.ts'],
    ['if [ -f src/a.ts ]; then echo yes; fi', 'r src/a.ts'],
    ['while read line; do echo $line; done < list.txt', 'r list.txt'],
    ['curl -o out.json https://example.com/a.json', 'w out.json'],
    ['kubectl apply -f k8s/app.yaml', 'r k8s/app.yaml'],
    ['pip install -r requirements.txt', 'r requirements.txt'],
    ['dd if=/dev/zero of=disk.img', 'w disk.img'],
    ['eval "cat src/a.ts"', 'r src/a.ts'],
    ['echo "$(cat src/a.ts)"', 'r src/a.ts'],
    ['bash <<EOF\ncat src/a.ts\nEOF', 'r src/a.ts'],
    ['cat -n src/a.ts', 'r src/a.ts'],
    ['wc -c src/a.ts', 'r src/a.ts'],
    ['gcc -c main.c', 'r main.c'],
    ['grep -r needle src/a.ts', 'r src/a.ts'],
    ['cut -d, -f 2 data.csv', 'r data.csv'],
    ['cat -- -odd.txt ./-x.txt', 'r -x.txt'],
    ['cat ~/.bashrc', 'r ~/.bashrc'],
  ])('%s', (command, expected) => {
    expect(bash(command)).toEqual([expected])
  })

  it.each([
    ['echo "see src/a.ts"'],
    ['printf "%s" src/a.ts'],
    ['git commit -m "touch src/a.ts" -m "and src/b.ts"'],
    ['git push origin feature/a.ts'],
    ['git log --grep src/a.ts'],
    ['gh pr create --title x --body "changes src/a.ts"'],
    ['# cat src/a.ts'],
    ['curl https://example.com/src/a.ts'],
    ['wget example.com/a.tar.gz'],
    ['ls src/*.ts'],
    ['cat src/{a,b}.ts'],
    ['ls -la src'],
    ['find . -name a.ts -newer b.ts'],
    ['FILE=src/a.ts'],
    ['export PATH_TO=src/a.ts'],
    ['npm install lodash.merge left-pad@1.3.0'],
    ['docker run --rm node:20.1-slim cat /app/src/a.ts'],
    ['ssh host cat /etc/hosts.conf'],
    ['cat /dev/null > /dev/stderr'],
    ['cat $FILE "$(git ls-files)"'],
    ['node -e "require(\'./src/a.ts\')"'],
    ['cd src/app.d && ls'],
    ['python -c "open(\'a.txt\')"'],
    ['npm run build && npm test'],
    ['ping example.com'],
    ['sleep 1.5; nvm use v18.2.x'],
    ['claude -p src/a.ts'],
    ['grep needle -r src docs'],
    ['rg --files src | head'],
    ['for f in src/*.ts; do cat $f; done'],
  ])('%s touches nothing', (command) => {
    expect(bash(command)).toEqual([])
  })

  it('follow cd, subshells, pushd and the way back', () => {
    expect(bash('cd src && cat a.ts && cd .. && cat b.ts')).toEqual(['r src/a.ts', 'r b.ts'])
    expect(bash('(cd src && cat a.ts); cat a.ts')).toEqual(['r src/a.ts', 'r a.ts'])
    expect(bash('pushd src; cat a.ts; popd; cat a.ts')).toEqual(['r src/a.ts', 'r a.ts'])
    expect(bash('cd src; cd -; cat a.ts')).toEqual(['r a.ts'])
    expect(bash('cd /tmp; cat a.ts')).toEqual(['r /tmp/a.ts'])
    expect(bash('cd $UNKNOWN && cat a.ts /etc/hosts')).toEqual(['r a.ts', 'r /etc/hosts'])
    expect(touched('Bash', { command: 'cd src && cat a.ts' }, undefined)).toEqual(['r src/a.ts'])
  })

  it('follow variables with plain values, and loops over them', () => {
    expect(bash(`F=src/a.ts; cat $F "\${F}"`)).toEqual(['r src/a.ts'])
    expect(bash('for f in a.ts b.ts; do sed -i s/x/y/ "src/$f"; done')).toEqual(['w src/a.ts', 'w src/b.ts'])
    expect(bash('export D=/tmp/x; cat $D/a.ts $PWD/b.ts')).toEqual(['r /tmp/x/a.ts', 'r b.ts'])
  })

  it('tell what a copy reads and writes, and a move', () => {
    expect(bash('cp a.ts b.ts')).toEqual(['r a.ts', 'w b.ts'])
    expect(bash('cp a.ts b.ts lib/')).toEqual(['r a.ts', 'r b.ts', 'w lib/a.ts', 'w lib/b.ts'])
    expect(bash('mv src/a.ts lib/')).toEqual(['w src/a.ts', 'w lib/a.ts'])
    expect(bash('git mv a.ts b.ts')).toEqual(['w a.ts', 'w b.ts'])
    expect(bash('mv /tmp/a.ts .')).toEqual(['w /tmp/a.ts', 'w a.ts'])
  })

  it('that read and write a file count as writing it', () => {
    expect(bash('cat a.ts > b.ts; cat b.ts; sed -i s/x/y/ a.ts')).toEqual(['w a.ts', 'w b.ts'])
  })

  it('come as text, as a list of words, and as a list of lines', () => {
    expect(touched('shell', { command: ['bash', '-lc', 'cat src/a.ts'] })).toEqual(['r src/a.ts'])
    expect(touched('shell', { command: ['cat', 'my file.ts'] })).toEqual(['r my file.ts'])
    expect(touched('local_shell', { commands: ['cat a.ts', 'wc b.ts'] })).toEqual(['r a.ts', 'r b.ts'])
    expect(touched('run_commands', { commands: ['rm', 'cat a.ts'] })).toEqual(['r a.ts'])
    expect(touched('exec_command', '{"cmd":"cat a.ts","workdir":"/tmp"}')).toEqual(['r /tmp/a.ts'])
    expect(touched('bash', 'cat src/a.ts')).toEqual(['r src/a.ts'])
    expect(touched('run_terminal_cmd', { command: 'cat a.ts', working_directory: 'sub' })).toEqual(['r sub/a.ts'])
    expect(touched('run_shell_command', { command: 'cat a.ts', dir_path: 'sub' })).toEqual(['r sub/a.ts'])
    expect(touched('run_shell_command', { command: 'cat a.ts', directory: 'sub' })).toEqual(['r sub/a.ts'])
  })

  it('of PowerShell and cmd keep their backslashes', () => {
    expect(
      touched('shell', { command: ['powershell.exe', '-Command', 'Get-Content .\\src\\a.ts'] }, 'C:\\work'),
    ).toEqual(['r C:/work/src/a.ts'])
    expect(touched('PowerShell', { command: "Set-Content -Path src\\a.ts -Value 'x'" }, 'C:\\work')).toEqual([
      'w C:/work/src/a.ts',
    ])
    expect(touched('shell', { command: ['cmd', '/c', 'type a.txt'] }, 'C:\\work')).toEqual(['r C:/work/a.txt'])
  })

  it('are found in scripts that call tools', () => {
    const source = [
      'const a = await tools.exec_command({ cmd: "cat src/a.ts", workdir: "/repo" });',
      'await tools.exec_command({ cmd: ["sed", "-i", "s/x/y/", "b.ts"] });',
      'await tools.apply_patch("*** Begin Patch\\n*** Update File: c.ts\\n@@\\n*** End Patch");',
      'text("cat d.ts")',
    ].join('\n')
    const expected = ['r /repo/src/a.ts', 'w b.ts', 'w c.ts']
    expect(touched('exec', source)).toEqual(expected)
    expect(touched('functions.exec', { source })).toEqual(expected)
  })

  it('that are only sent as input to a running one are not read', () => {
    expect(touched('write_stdin', { session_id: 1, chars: 'cat a.ts\n' })).toEqual([])
  })
})

describe('bounds', () => {
  it('stop at 200 touches', () => {
    const paths = Array.from({ length: 500 }, (_, index) => `src/${index}.ts`)
    expect(touched('Read', { paths })).toHaveLength(200)
    expect(bash(`cat ${paths.join(' ')}`)).toHaveLength(200)
  })

  it('leave what lies beyond a million characters unread', () => {
    const padding = `${'x '.repeat(600_000)}\n`
    expect(bash(`cat a.ts; echo ${padding}; cat b.ts`)).toEqual(['r a.ts'])
  })

  it('hold for deep, wide and odd input', () => {
    let deep: unknown = { path: 'a.ts' }
    for (let depth = 0; depth < 5000; depth++) deep = { deep }
    expect(touched('Read', deep)).toEqual([])
    expect(
      touched(
        'Read',
        Array.from({ length: 100_000 }, () => ({ x: 1 })),
      ),
    ).toEqual([])
    for (const input of [null, undefined, 7, true, '', '{', '[1', []]) expect(touched('Bash', input)).toEqual([])
  })

  it.each([
    'sudo ',
    'cd a; ',
    'cat $(',
    'eval "',
    'A=x$A$A; ',
    'for f in a b c d e f g h; do ',
    'cat $f$f$f$f$f ',
    'cat a.ts b.ts; ',
    "bash -c '",
    'cp a b ',
    'if ',
    '((',
    'x=y ',
    'git -C a ',
    'cat <<E\n',
    'tools.exec_command({cmd: "',
    'tools.apply_patch(`',
    '*** Begin Patch\n*** Add File: a\n',
    '--- a\n+++ b\n',
  ])('hold in linear time for many of %j', (unit) => {
    const loop = 'A=x; for f in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do '
    const text = loop + unit.repeat(Math.ceil(100_000 / unit.length))
    const time = cpuTime(() => {
      for (const input of [text, { command: text }, { source: text }, { patch: text }]) touched('bash', input)
    })
    expect(time).toBeLessThan(5000)
  })

  it('hold for any input', () => {
    const keys = fc.constantFrom('path', 'command', 'files', 'input', 'changes', 'edits', 'source', 'x')
    const text = fc.oneof(
      fc.string(),
      fc.constantFrom('cat a.ts', '$(', '*** Begin Patch\n*** Update File: x', 'tools.x({cmd:"'),
    )
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 4 }, text, fc.integer(), fc.array(tie('value')), fc.dictionary(keys, tie('value'))),
    }))
    fc.assert(
      fc.property(fc.constantFrom('Bash', 'Read', 'apply_patch', 'exec', 'copy'), value, (name, input) => {
        for (const touch of touchesOf({ name, input, cwd: CWD })) {
          expect(touch.path).not.toMatch(/[\n\r\0\\]|\/\.\.?\/|^$/)
        }
      }),
    )
  })
})
