/** What the words after a command's name are: files it reads, files it writes, or neither. */

export interface CommandRule {
  /**
   * What it does with its operands. `copy` reads all but the last and writes that one; `move` writes them all; `open`
   * reads those that look like files, as any command we do not know is taken to do.
   */
  operands: 'read' | 'write' | 'copy' | 'move' | 'open' | 'none'
  /** Operands before the files: a pattern, a script, a mode. */
  skip?: number
  /** Options that say what would else be the skipped operand. */
  skipNone?: RegExp
  /** Options that take the next word, which is no file. */
  values?: readonly string[]
  /** Options that take the next two words. */
  pairs?: readonly string[]
  /** Options whose value is a file. */
  files?: Readonly<Record<string, 'read' | 'write'>>
  /** Options that make it write what it would else read. */
  writesWith?: RegExp
}

const words = (text: string) => text.split(/\s+/)

function each(names: string, rule: CommandRule): [string, CommandRule][] {
  return words(names).map((name) => [name, rule])
}

const SCRIPT_OPTIONS = /^(?:-[a-zA-Z]*[ef]|--(?:regexp|expression|file))$/
const IN_PLACE = /^(?:-[a-zA-Z]*i.*|--in-?place.*)$/

/** A command that is not in the table: `node`, `pytest`, `prettier`, `vim`, or the command of a project. */
export const UNKNOWN_COMMAND: CommandRule = {
  operands: 'open',
  values: words('-m -k --message --title --body --grep'),
  writesWith: /^(?:--write|--fix|--in-place|--apply)$/,
}

/** Commands whose arguments name packages, machines, resources or text. */
const NO_FILES = `echo printf true false : set unset alias sleep kill pkill killall which whereis hash date whoami id
  uname hostname env printenv basename dirname seq expr trap ulimit umask ps top htop df free uptime ssh ping dig
  nslookup host gh hub brew apt apt-get dnf yum apk pacman systemctl service journalctl man help history jobs wait for
  case select function claude codex gemini opencode say notify-send read write-host write-output start-sleep yes
  screen tmux crontab launchctl security osascript`

const COMMANDS: ReadonlyMap<string, CommandRule> = new Map([
  ...each(NO_FILES, { operands: 'none' }),
  ...each(
    'cat tac less more bat batcat nl file cksum md5sum sha1sum sha256sum shasum wc base64 cmp comm uniq rev zcat',
    {
      operands: 'read',
      values: words('--line-range --language --style'),
    },
  ),
  ...each('source . view type', { operands: 'read' }),
  ...each('head tail', { operands: 'read', values: words('-n -c --lines --bytes') }),
  ...each('cut paste column fold fmt', { operands: 'read', values: words('-d -f -b -c -s -w') }),
  ...each('od xxd hexdump strings', { operands: 'read', values: words('-n -j -N -s -l -c -t -A') }),
  ...each('stat', { operands: 'read', values: words('-c -f --format --printf') }),
  ...each('get-content gc import-csv', {
    operands: 'read',
    values: words('-totalcount -tail -first -last -encoding -delimiter'),
  }),
  ...each('diff colordiff delta', { operands: 'read', values: words('-U -C --label -I -x -W') }),
  ...each('sort', { operands: 'read', values: words('-k -t -S -T'), files: { '-o': 'write', '--output': 'write' } }),
  ...each('grep egrep fgrep zgrep rg ag ack ugrep select-string findstr', {
    operands: 'open',
    skip: 1,
    skipNone: SCRIPT_OPTIONS,
    values: words(
      '-e -A -B -C -m -g -t -T -j -d --include --exclude --exclude-dir --glob --iglob --type --max-count --replace --sort --context -pattern',
    ),
    files: { '-f': 'read', '--file': 'read' },
  }),
  ...each('sed gsed', {
    operands: 'read',
    skip: 1,
    skipNone: SCRIPT_OPTIONS,
    values: words('-e --expression -l'),
    files: { '-f': 'read', '--file': 'read' },
    writesWith: IN_PLACE,
  }),
  ...each('awk gawk mawk', {
    operands: 'open',
    skip: 1,
    skipNone: SCRIPT_OPTIONS,
    values: words('-F -v -e'),
    files: { '-f': 'read' },
  }),
  ...each('perl ruby', {
    operands: 'open',
    values: words('-e -pe -ne -pie -nle -lne -0pe -0777pe -i.bak'),
    writesWith: /^-[a-z0-9]*i/,
  }),
  ...each('jq yq', {
    operands: 'open',
    skip: 1,
    skipNone: /^(?:-f|--from-file)$/,
    values: words('--indent --tab -o -p --output-format --input-format'),
    pairs: words('--arg --argjson --slurpfile --rawfile'),
    files: { '-f': 'read', '--from-file': 'read' },
    writesWith: /^(?:-i|--inplace)$/,
  }),
  ...each('cp copy copy-item ln install rsync scp', {
    operands: 'copy',
    values: words('-m -o -g -S --mode --owner --group --exclude --include -e --rsh --backup'),
  }),
  ...each('mv move move-item rename-item ren', { operands: 'move', values: words('-S --suffix') }),
  ...each(
    'rm unlink touch truncate shred mkdir rmdir tee tee-object del erase md rd remove-item set-content add-content',
    {
      operands: 'write',
      values: words('-m -t -s --mode --date --size --reference -value -encoding -itemtype'),
    },
  ),
  ...each('out-file new-item clear-content export-csv sc ni ri', {
    operands: 'write',
    values: words('-value -encoding -itemtype -width'),
  }),
  ...each('chmod chown chgrp', { operands: 'write', skip: 1, skipNone: /^--reference/ }),
  ...each('ls dir tree du eza exa lsd get-childitem gci readlink realpath cd', {
    operands: 'open',
    values: words('-I --ignore --level -filter'),
  }),
  ...each('fd fdfind', {
    operands: 'open',
    skip: 1,
    values: words('-e -t -E -d -x -X --extension --type --exclude --max-depth'),
  }),
  ...each('curl', {
    operands: 'none',
    files: {
      '-o': 'write',
      '--output': 'write',
      '-T': 'read',
      '--upload-file': 'read',
      '-K': 'read',
      '--config': 'read',
    },
  }),
  ...each('wget', { operands: 'none', files: { '-O': 'write', '--output-document': 'write', '-i': 'read' } }),
  ...each('rustfmt black isort', {
    operands: 'open',
    values: words('--edition --config --line-length -l'),
    writesWith: /^/,
  }),
  ...each('gofmt goimports clang-format', { operands: 'open', values: words('-style'), writesWith: /^-[wi]$/ }),
  ...each('export local readonly declare typeset', { operands: 'none' }),
])

/** Package managers install by name; what they run takes files. */
const INSTALLERS = new Set(
  words('npm pnpm yarn bun pip pip3 uv poetry cargo gem go conda mamba dotnet nuget composer bundle'),
)
const INSTALLING = new Set(
  words(
    'install i add remove uninstall rm view info show search why update upgrade get outdated dlx publish pack login create init sync lock',
  ),
)

const CONTAINERS = new Set(words('docker podman kubectl docker-compose nerdctl helm'))
const IN_CONTAINER = new Set(words('exec run cp attach logs pull push tag rm rmi inspect get describe delete'))

/** The rule for a command, by its lower-case name and its first operand. */
export function ruleOf(name: string, subcommand: string): CommandRule {
  if (name === 'git') return gitRule(subcommand)
  if (INSTALLERS.has(name) && INSTALLING.has(subcommand)) return INSTALL
  if (CONTAINERS.has(name) && IN_CONTAINER.has(subcommand)) return { operands: 'none' }
  return COMMANDS.get(name) ?? UNKNOWN_COMMAND
}

const INSTALL: CommandRule = { operands: 'none', files: { '-r': 'read', '--requirement': 'read', '-c': 'read' } }

const GIT: ReadonlyMap<string, CommandRule> = new Map([
  ...each('add diff log blame annotate ls-files status stage show check-ignore hash-object range-diff', {
    operands: 'open',
    values: words('-n -S -G -L -U --author --since --until --grep --format --pretty'),
  }),
  ...each('grep', {
    operands: 'open',
    skip: 1,
    skipNone: SCRIPT_OPTIONS,
    values: words('-e -A -B -C'),
  }),
  ...each('checkout restore reset', {
    operands: 'open',
    values: words('-b -B --orphan -s --source'),
    writesWith: /^/,
  }),
  ...each('rm', { operands: 'write' }),
  ...each('mv', { operands: 'move' }),
  ...each('commit', {
    operands: 'open',
    values: words('-m --message --author --date -C -c --fixup --trailer'),
    files: { '-F': 'read', '--file': 'read' },
  }),
  ...each('apply', { operands: 'read', values: words('-p -C --directory --include --exclude') }),
])

function gitRule(subcommand: string): CommandRule {
  return GIT.get(subcommand) ?? { operands: 'none' }
}
