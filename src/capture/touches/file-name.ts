/** Telling the name of a file from a directory, a package, a host, a version or a word of prose, by its looks alone. */

/** Files people name without an ending. */
const PLAIN_NAMES = new Set(
  `Makefile makefile GNUmakefile Dockerfile Containerfile LICENSE LICENCE README NOTICE AUTHORS CHANGELOG CODEOWNERS
  Gemfile Rakefile Procfile Jenkinsfile Vagrantfile Justfile justfile Brewfile Podfile Fastfile BUILD WORKSPACE
  Cargo.lock go.mod go.sum`.split(/\s+/),
)

/** Files whose name begins with a dot; other such names are mostly directories. */
const DOT_FILE =
  /^\.(?:env(?:\.[\w.-]+)?|envrc|profile|bash_profile|bash_history|zprofile|zshenv|netrc|mailmap|editorconfig|gitattributes|gitmodules|gitkeep|keep|htaccess|clang-format|tool-versions|cursorrules|[a-z]+rc|[a-z]+ignore|[a-z]+-version)$/

/** Endings that make a file of a bare word; with a directory before it, any ending does. */
const ENDINGS = new Set(
  `adoc astro avif awk bak bash bat bib bin bmp bz2 c cc cfg cjs clj cmake cmd conf cpp cs css csv cts cxx dart db diff
  docx dts editorconfig edn eex el elm env erb erl ex exs fish fs fsx gif go gql gradle graphql groovy gz h hbs hcl heex
  hh hpp hs html htm ico iml ini ipynb java jpeg jpg js json json5 jsonc jsonl jsx jl key kt kts less lock log lua m
  map markdown md mdx mjs mk ml mli mm mod mp3 mp4 mts nim nix njk org out patch pdf pem php pl plist pm png prisma
  properties proto ps1 pug py pyi pyx r rb rego rkt rs rst sass sbt scala scss service sh sln sol sql sqlite sqlite3 styl
  sum svelte svg swift tar tcl tex tf tfvars tgz toml tpl ts tsv tsx ttf txt v vb vim vue wasm wav webm webp woff woff2
  xhtml xls xlsx xml xsd xz yaml yml zig zip zsh zst`.split(/\s+/),
)

const VERSION = /^[v^~<>=]*\d+(?:\.\d+)*(?:\.[x*]|[-.][a-z]+[\d.]*)?$/i

/**
 * Whether a word of a command names a file. Directories, globs, URLs, `name@version`, host names, versions and option
 * values do not; a file without an ending does only by one of the usual names.
 */
export function looksLikeFile(word: string): boolean {
  if (
    /[\s"'<>=,;|&!^#*?\\]|:\/\/|@\d|@[a-z]+$|^-|[^/]\.\.|\.\.[^/]|^[^/]*:./.test(word.replace(/^[A-Za-z]:(?=\/)/, ''))
  ) {
    return false
  }
  const slash = word.lastIndexOf('/')
  const name = word.slice(slash + 1)
  if (PLAIN_NAMES.has(name)) return true
  if (DOT_FILE.test(name)) return true
  const ending = /.\.([A-Za-z][\w+-]*|7z)$/.exec(name)?.[1]?.toLowerCase()
  if (ending === undefined || VERSION.test(name)) return false
  if (ENDINGS.has(ending)) return !/[(){}]/.test(name)
  return slash >= 0 && ending.length <= 6 && /^[\w.+~@[\]-]+$/.test(name)
}

/** Whether text can be one path at all: neither a list, nor a URL, nor a pattern, nor the text of a command. */
export function isOnePath(text: string): boolean {
  return text.length <= MAX_PATH && /\S/.test(text) && !/[\0\n\r;|&`*]|^[A-Za-z][\w+.-]+:\/\//.test(text)
}

/** Longest path Linux takes, in bytes. */
export const MAX_PATH = 4096
