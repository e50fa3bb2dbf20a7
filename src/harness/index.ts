/** The list of harnesses. Adding one is its file, its test and a line here. */

import { chatgpt } from './chatgpt/index.ts'
import { claudeCode } from './claude-code/index.ts'
import { claudeWeb } from './claude-web/index.ts'
import { cline } from './cline/index.ts'
import { codex } from './codex/index.ts'
import { continueHarness } from './continue/index.ts'
import { copilotCli } from './copilot-cli/index.ts'
import { cursor } from './cursor/index.ts'
import { geminiCli } from './gemini-cli/index.ts'
import { geminiWeb } from './gemini-web/index.ts'
import { grokCli } from './grok-cli/index.ts'
import { grokWeb } from './grok-web/index.ts'
import type { Harness } from './harness.ts'
import { hermes } from './hermes/index.ts'
import { kilo } from './kilo/index.ts'
import { kimiCli } from './kimi-cli/index.ts'
import { kiroCli } from './kiro-cli/index.ts'
import { nac } from './nac/index.ts'
import { opencode } from './opencode/index.ts'
import { piCodingAgent } from './pi-coding-agent/index.ts'
import { primeAgent } from './prime-agent/index.ts'
import { qwenCode } from './qwen-code/index.ts'

export type { Harness, Host, NativeRecord, SourceDefinition, SourceFile } from './harness.ts'

export const harnesses: readonly Harness[] = [
  claudeCode,
  codex,
  chatgpt,
  claudeWeb,
  cline,
  continueHarness,
  copilotCli,
  cursor,
  geminiCli,
  geminiWeb,
  grokCli,
  grokWeb,
  hermes,
  kilo,
  kimiCli,
  kiroCli,
  nac,
  opencode,
  piCodingAgent,
  primeAgent,
  qwenCode,
]
