/** What the corpus holds that is not as usual, each with its reason. */

/** Sources of which the corpus has no transcript: two clients write as another one does, in places of their own. */
export const ABSENT = new Set(['cline-vscode', 'omp'])

/** Something said in each source, as it stands in one of its files. */
export const SAID: Record<string, string> = {
  claude: 'move the message up just before the file list',
  'claude-cowork': 'Inspect the synthetic project',
  codex: 'delete stale branches like fix/openai-codex',
  chatgpt: 'Analyze the attached fixture and create an artifact',
  'claude-web': 'Prove the parser claim',
  cline: 'Explain at length how a greeting script works',
  continue: 'Continue after the interruption, briefly',
  'copilot-cli': 'Write FizzBuzz in Python',
  cursor: 'explain the latest build issue',
  'cursor-sqlite': 'rename the helper and fix the loop bounds',
  'gemini-cli': 'creates a color file inside docs',
  'gemini-web': 'What is the capital of France',
  'grok-cli': 'Run the slow check',
  'grok-web': 'Prove the parser claim',
  hermes: 'Summarize this directory',
  'hermes-trajectories': 'weather in Boston right now',
  kilo: 'Have a helper count the lines of notes.txt',
  'kimi-cli': 'Coordinate the delegated investigation',
  'kimi-code': 'Explain at length how to keep notes',
  kiro: 'report the current behavior',
  nac: 'inspect repository',
  opencode: 'Check the package metadata',
  pi: 'Read hello.py and summarize what it prints',
  'prime-agent': 'Inspect the manifest',
  'prime-agent-subagents': 'Inspect the fixture',
  'qwen-code': 'Explain the fixture behavior',
}

const QWEN = '.qwen/projects/alias16-agent-sessions-Resources-Fixtures-stage0-agents-qwen/chats'

/** Lines that do not parse, on purpose, one of them in two homes; and a database that its client never filled. */
export const UNREADABLE = [
  'not-json fixtures-again/.pi/agent/sessions/--work--/malformed.jsonl:3 1',
  'not-json fixtures/.pi/agent/sessions/--work--/malformed.jsonl:3 1',
  `not-json gathered/${QWEN}/019f0000-0000-7000-8000-000000000005.jsonl:1 1`,
  'unrecognized gathered/projects/557a2d11/packages/web/assets/.opencode/opencode.db: 1',
]

/** Kinds of records and parts that their makers put there because nobody knows them. */
export const UNKNOWN_KINDS = [
  'FutureRecord',
  'futureBlock',
  'futurePart',
  'future_prime_record',
  'future_record',
  // A journal of workflows, which lies in a file of its own and not in a transcript.
  'result',
  'started',
]

/** Scenarios that a client left in the middle: Grok while it answered, Qwen Code by refusing a prompt that was too long. */
export const NOT_OVER = ['grok-cli g-terminal', 'qwen-code d-compact']

/** Events of a document of which the corpus holds two states: each is as it was when the other is read. */
export const TWO_STATES = 2

/** Events that the corpus's copies of the fixtures tell otherwise: a long text in one of Qwen Code's is filler there. */
export const DIFFERENT_COPIES = 1

/** Clients, or exports, that do not write tokens for each answer. */
export const NO_TOKENS = ['chatgpt', 'claude-web', 'cursor', 'grok-web', 'hermes']

/** A title that a person gave stays when the client makes up another. */
export const TITLED_OTHERWISE = ['qwen-code 019f0000-0000-7000-8000-000000000004']
