/**
 * The rule set: what secrets look like in transcripts. Data only; `index.ts` applies it.
 *
 * A rule is tried only where one of its keywords occurs, its pattern beginning at the keyword. So the time spent is
 * bounded by the number of keywords in a text, and every repetition in a pattern has an upper bound.
 *
 * Sources: the token formats their issuers publish, as collected by the secret scanners in common use.
 */

import {
  isBasicCredential,
  isMask,
  isUrlPassword,
  isUuid,
  looksLikeBarePassword,
  looksLikePassword,
  looksRandom,
} from './shape.ts'

export interface Rule {
  /** Names the placeholder, `[REDACTED:<id>]`. Rules for one kind of secret share it. */
  id: string
  /** Lower case; where one occurs, in any case, the pattern is tried. */
  keywords: readonly string[]
  /** What stands at the keyword. Its group `secret`, or else all of it, is replaced. */
  pattern: RegExp
  /** The keyword may follow a letter or a digit, being part of a name: `dbPassword`. */
  insideWord?: boolean
  /** What must stand in the 200 characters before the keyword. */
  before?: RegExp
  /** Asked of the secret before it is replaced. */
  accepts?: (secret: string) => boolean
}

const notMask = (secret: string) => !isMask(secret)

/** A token known by its prefix. Masked examples of it (`ghp_xxxxxxxx`) are left alone. */
function token(id: string, keywords: readonly string[], pattern: RegExp): Rule {
  return { id, keywords, pattern, accepts: notMask }
}

/** `sk-` also begins CSS classes (`sk-toggleable__label`); a key has a stretch no word is long enough for. */
const hasLongRun = (secret: string) => !isMask(secret) && /[A-Za-z0-9]{19}|\d[A-Za-z0-9]*[A-Z].{36}/.test(secret)

const TOKENS: readonly Rule[] = [
  token(
    'aws-access-token',
    ['a3t', 'akia', 'asia', 'abia', 'acca'],
    /(?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])/,
  ),
  token('aws-bedrock-api-key', ['absk', 'bedrock-api-key-'], /(?:ABSK|bedrock-api-key-)[A-Za-z0-9+/]{100,1024}={0,2}/),
  token('github-token', ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], /gh[pousr]_[A-Za-z0-9_]{36,255}/),
  token('github-fine-grained-token', ['github_pat_'], /github_pat_[A-Za-z0-9_]{82,255}/),
  token(
    'gitlab-token',
    ['glpat-', 'glft-', 'glcbt-', 'glsoat-', 'gldt-', 'glrt-', 'glptt-', 'glagent-', 'glimt-'],
    /gl(?:pat|ft|cbt|soat|dt|rt|ptt|agent|imt)-[A-Za-z0-9_.-]{20,255}/,
  ),
  token(
    'slack-token',
    ['xoxp-', 'xoxb-', 'xoxa-', 'xoxr-', 'xoxo-', 'xoxs-', 'xoxe-', 'xoxe.', 'xapp-'],
    /(?:xox[pbaroes]|xoxe\.xox[bp]|xapp)-[A-Za-z0-9-]{10,255}/,
  ),
  token(
    'slack-webhook',
    ['hooks.slack.com/'],
    /hooks\.slack\.com\/(?:services|workflows|triggers)\/(?<secret>[A-Za-z0-9_/+-]{20,128})/,
  ),
  token('google-api-key', ['aiza'], /AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])/),
  token('google-oauth-token', ['ya29.'], /ya29\.[A-Za-z0-9_.-]{20,2048}/),
  token('google-oauth-token', ['1//0'], /1\/\/0[A-Za-z0-9_-]{40,512}/),
  token('google-client-secret', ['gocspx-'], /GOCSPX-[A-Za-z0-9_-]{28}(?![A-Za-z0-9_-])/),
  token('jwt', ['eyj'], /eyJ[A-Za-z0-9_-]{8,1024}\.eyJ[A-Za-z0-9_-]{8,8192}\.[A-Za-z0-9_-]{0,2048}/),
  token(
    'stripe-token',
    ['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_', 'pk_live_', 'pk_test_'],
    /[srp]k_(?:live|test)_[A-Za-z0-9]{10,255}/,
  ),
  token('stripe-webhook-secret', ['whsec_'], /whsec_[A-Za-z0-9+/]{20,255}={0,2}/),
  token('anthropic-api-key', ['sk-ant-'], /sk-ant-[A-Za-z0-9_-]{20,255}/),
  { id: 'openai-api-key', keywords: ['sk-'], pattern: /sk-[A-Za-z0-9_-]{20,255}/, accepts: hasLongRun },
  token('huggingface-token', ['hf_', 'api_org_'], /(?:hf_|api_org_)[A-Za-z0-9]{30,255}/),
  token('groq-api-key', ['gsk_'], /gsk_[A-Za-z0-9]{40,128}/),
  token('xai-api-key', ['xai-'], /xai-[A-Za-z0-9]{60,128}/),
  token('perplexity-api-key', ['pplx-'], /pplx-[A-Za-z0-9]{40,128}/),
  token('replicate-api-token', ['r8_'], /r8_[A-Za-z0-9]{37}(?![A-Za-z0-9])/),
  token('nvidia-api-key', ['nvapi-'], /nvapi-[A-Za-z0-9_-]{50,128}/),
  token('tavily-api-key', ['tvly-'], /tvly-[A-Za-z0-9-]{28,128}/),
  token('sendgrid-api-key', ['sg.'], /SG\.[A-Za-z0-9_-]{20,64}\.[A-Za-z0-9_-]{20,128}/),
  {
    id: 'discord-webhook',
    keywords: ['/api/webhooks/'],
    pattern: /\/api\/webhooks\/\d{6,24}\/(?<secret>[A-Za-z0-9_-]{20,128})/,
    before: /discord(?:app)?\.com$/,
  },
  token('npm-token', ['npm_'], /npm_[A-Za-z0-9]{30,255}/),
  token('pypi-token', ['pypi-'], /pypi-[A-Za-z0-9_-]{30,512}/),
  token('rubygems-token', ['rubygems_'], /rubygems_[0-9a-f]{48}/),
  token('digitalocean-token', ['dop_v1_', 'doo_v1_', 'dor_v1_'], /do[por]_v1_[0-9a-f]{64}/),
  token('databricks-token', ['dapi'], /dapi[0-9a-f]{32}(?:-\d)?(?![A-Za-z0-9])/),
  token('dockerhub-token', ['dckr_pat_', 'dckr_oat_'], /dckr_[po]at_[A-Za-z0-9_-]{20,128}/),
  token('linear-api-key', ['lin_api_', 'lin_oauth_'], /lin_(?:api|oauth)_[A-Za-z0-9]{30,128}/),
  token('notion-token', ['secret_'], /secret_[A-Za-z0-9]{30,64}(?![A-Za-z0-9_])/),
  token('notion-token', ['ntn_'], /ntn_[A-Za-z0-9]{40,64}/),
  token('atlassian-token', ['atatt3', 'atctt3'], /AT[AC]TT3[A-Za-z0-9_=-]{60,512}/),
  token('grafana-token', ['glsa_', 'glc_'], /gl(?:sa_[A-Za-z0-9]{32}_[0-9a-fA-F]{8}|c_[A-Za-z0-9+/]{32,400}={0,2})/),
  token('hashicorp-vault-token', ['hvs.', 'hvb.', 'hvr.'], /hv[sbr]\.[A-Za-z0-9_-]{24,300}/),
  token('terraform-cloud-token', ['.atlasv1.'], /\.atlasv1\.(?<secret>[A-Za-z0-9_=-]{60,70})/),
  token('pulumi-token', ['pul-'], /pul-[0-9a-f]{40}/),
  token('supabase-token', ['sbp_', 'sb_secret_'], /sb(?:p_[0-9a-f]{40}|_secret_[A-Za-z0-9_-]{20,64})/),
  token('vercel-token', ['vcp_', 'vci_', 'vca_', 'vcr_', 'vck_'], /vc[piark]_[A-Za-z0-9]{24,60}/),
  token('shopify-token', ['shpat_', 'shpca_', 'shppa_', 'shpss_'], /shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32,64}/),
  token('figma-token', ['figd_'], /figd_[A-Za-z0-9_-]{40,200}/),
  token('postman-api-key', ['pmak-'], /PMAK-[0-9a-f]{24}-[0-9a-f]{34}/),
  token('newrelic-key', ['nrak-', 'nral-', 'nrii-'], /NR(?:AK|AL|II)-[A-Za-z0-9_-]{27,64}/),
  token('sentry-token', ['sntrys_', 'sntryu_'], /sntry[su]_[A-Za-z0-9+/=_-]{40,512}/),
  token(
    'planetscale-token',
    ['pscale_tkn_', 'pscale_pw_', 'pscale_oauth_'],
    /pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.=-]{32,64}/,
  ),
  token('doppler-token', ['dp.pt.', 'dp.st.', 'dp.sa.'], /dp\.(?:pt|st|sa)\.[A-Za-z0-9_.]{40,64}/),
  token('square-token', ['sq0atp-', 'sq0csp-'], /sq0(?:atp|csp)-[A-Za-z0-9_-]{22,60}/),
  token('heroku-api-key', ['hrku-'], /HRKU-[A-Za-z0-9_-]{36,64}/),
  token('mailgun-key', ['key-'], /key-[0-9a-f]{32}(?![A-Za-z0-9])/),
  token('age-secret-key', ['age-secret-key-1'], /AGE-SECRET-KEY-1[A-Z0-9]{58}/),
  token('1password-token', ['ops_eyj'], /ops_eyJ[A-Za-z0-9+/_=-]{100,2048}/),
  {
    id: 'telegram-bot-token',
    keywords: [':aa'],
    pattern: /:(?<secret>AA[A-Za-z0-9_-]{33})(?![A-Za-z0-9_-])/,
    before: /(?<![\d:])\d{8,10}$/,
  },
  {
    id: 'azure-client-secret',
    keywords: ['7q~', '8q~'],
    pattern: /[78]Q~[A-Za-z0-9_.~-]{31,34}(?![A-Za-z0-9_.~-])/,
    insideWord: true,
    before: /[A-Za-z0-9_.~-]{3}$/,
  },
]

/**
 * A private key in PEM, its lines parted by line ends or by `\n` in a string; where a cut-off text never reaches the END,
 * as far as the lines go.
 */
function privateKey(id: string, label: string): Rule {
  const begin = `-----BEGIN ${label}-----`
  const inside = '(?:[^-]|-(?!----))'
  const whole = `(?=${inside}{0,2048}?[A-Za-z0-9+/]{20})${inside}{0,65536}-----END ${label}-----`
  const cutOff = String.raw`(?:(?:\\{1,8}[nr]|[\s"'+,>|]){1,40}[A-Za-z0-9+/=]{16,128}){1,2048}`
  return { id, keywords: ['-----begin '], pattern: new RegExp(`${begin}(?:${whole}|${cutOff})`) }
}

/** Opening or closing quote, which may itself be escaped inside a JSON string, once or more. */
const QUOTE = String.raw`(?:\\{0,7}["'\x60])?`

/**
 * Between a name and its value: `=`, `:`, `: `, `=>`, `:=`, a closing quote or bracket before it, a type annotation, an
 * XML tag's end, or the `"value":` of a name and value pair.
 */
const GAP = String.raw`(?:\s|\\{1,7}[nrt])`
const BETWEEN = String.raw`${QUOTE}\]?[ \t]{0,8}(?::[ \t]{0,2}(?:string|str)[ \t]{0,2})?(?:[:=]{1,3}>?|>|,?${GAP}{0,40}${QUOTE}value${QUOTE}[ \t]{0,4}[:=])${GAP}{0,8}`
const ASSIGNS = BETWEEN + QUOTE

/** What a generated secret is written with; the look ahead refuses calls, subscripts and longer words. */
const OPAQUE = String.raw`(?<secret>[A-Za-z0-9_./+~-]{20,4096}={0,2})(?![\w./+~(\[$-])`

/** A word for a credential that ends a name, followed by an assignment of an opaque value. */
function assigned(names: string): RegExp {
  return new RegExp(`${names}${ASSIGNS}(?:(?:bearer|basic|token)[ \\t]{1,4})?${OPAQUE}`, 'i')
}

const CONTEXT: readonly Rule[] = [
  privateKey('openssh-private-key', 'OPENSSH PRIVATE KEY'),
  privateKey('pem-private-key', '(?:[A-Z0-9]{2,12} ){0,2}PRIVATE KEY(?: BLOCK)?'),
  {
    id: 'aws-secret-key',
    keywords: ['secret'],
    pattern: new RegExp(`secret[_-]?(?:access[_-]?)?key${ASSIGNS}(?<secret>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])`, 'i'),
    insideWord: true,
    accepts: notMask,
  },
  {
    id: 'aws-secret-key',
    keywords: ['akia', 'asia'],
    pattern:
      /A[KS]IA[A-Z0-9]{16}["'`]?[\s,;:|]{1,8}(?:[A-Za-z_ ]{6,40}["']?\s{0,4}[:=]\s{0,4})?["'`]?(?<secret>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/,
  },
  { id: 'azure-storage-key', keywords: ['accountkey='], pattern: /AccountKey=(?<secret>[A-Za-z0-9+/]{40,128}={0,2})/i },
  {
    id: 'azure-shared-access-key',
    keywords: ['sharedaccesskey='],
    pattern: /SharedAccessKey=(?<secret>[A-Za-z0-9+/]{40,128}={0,2})/i,
  },
  {
    id: 'azure-sas-signature',
    keywords: ['sig='],
    pattern: /sig=(?<secret>(?:[A-Za-z0-9+/]|%2[BF]){40,86}(?:=|%3D){1,2})/i,
  },
  {
    id: 'connection-string-password',
    keywords: ['password', 'pwd'],
    pattern: /(?:password|pwd)[ \t]{0,2}=[ \t]{0,2}(?<secret>[^\s;"'`<>(){}]{4,128})/i,
    before:
      /(?:server|data source|host|user id|uid|user|username|database|endpoint|port)[ \t]{0,2}=[^\n;"'{}]{1,100};[ \t]?(?:[\w ]{1,30}=[^\n;"'{}]{0,80};[ \t]?){0,4}$/i,
    accepts: isUrlPassword,
  },
  {
    id: 'url-password',
    keywords: ['://'],
    pattern: /:\/\/[^\s/:@"'`<>\\{}()]{0,128}:(?<secret>[^\s/@"'`<>\\]{2,256})@(?=[A-Za-z0-9[])/,
    accepts: isUrlPassword,
  },
  {
    id: 'url-token',
    keywords: ['://'],
    pattern: /:\/\/(?<secret>[A-Za-z0-9_-]{20,256})(?::x-oauth-basic|:)?@(?=[A-Za-z0-9])/,
    accepts: looksRandom,
  },
  {
    id: 'authorization-header',
    keywords: ['bearer'],
    pattern: new RegExp(
      String.raw`bearer(?:[ \t]|%20|\+){1,4}${QUOTE}(?<secret>[A-Za-z0-9_./+~-]{16,4096}={0,2})(?![\w(\[$])`,
      'i',
    ),
    accepts: looksRandom,
  },
  {
    id: 'authorization-header',
    keywords: ['basic '],
    pattern: /basic[ \t]{1,4}(?<secret>[A-Za-z0-9+/]{6,512}={0,2})(?![A-Za-z0-9+/=])/i,
    before: new RegExp(`authorization${ASSIGNS}$`, 'i'),
    accepts: isBasicCredential,
  },
  {
    id: 'docker-auth',
    keywords: ['"auth'],
    pattern: /"auth\\{0,7}"\s{0,4}:\s{0,4}\\{0,7}"(?<secret>[A-Za-z0-9+/]{6,512}={0,2})\\{0,7}"/,
    accepts: isBasicCredential,
  },
  {
    id: 'npm-token',
    keywords: ['_auth=', '_password='],
    pattern: /_(?:auth|password)=["']?(?<secret>[A-Za-z0-9+/]{8,512}={0,2})(?![\w+/=])/,
    before: /^$|(?:^|[\n:]|\\n)[ \t]{0,4}$/,
    accepts: (secret) => isBasicCredential(secret) || looksRandom(secret),
  },
  {
    id: 'netrc-password',
    keywords: ['machine'],
    pattern:
      /machine\s{1,4}[\w.:-]{1,128}\s{1,4}login\s{1,4}\S{1,128}\s{1,4}password\s{1,4}(?<secret>[^\s"'`\\]{4,128})/,
    accepts: isUrlPassword,
  },
  {
    id: 'curl-user',
    keywords: ['-u ', '--user ', '-u"', "-u'"],
    pattern: /(?:-u|--user)[ ]{0,2}["']?[^\s:"'$`]{1,64}:(?<secret>[^\s"'$`\\]{4,128})/,
    before: /\bcurl\b[^\n;|]{0,190}$/,
    accepts: isUrlPassword,
  },
  {
    id: 'password',
    keywords: ['password', 'passwd', 'passphrase', 'pwd'],
    pattern: new RegExp(
      `(?:password|passwd|passphrase|pwd)${BETWEEN}\\\\{0,7}["'\`](?<secret>[^\\s"'\`\\\\<>(){}\\[\\]]{8,64})\\\\{0,7}["'\`]`,
      'i',
    ),
    insideWord: true,
    accepts: looksLikePassword,
  },
  {
    id: 'password',
    keywords: ['password', 'passwd', 'passphrase', 'pwd'],
    pattern: /(?:password|passwd|passphrase|pwd)(?:=|: ?)(?<secret>[^\s"'`\\<>(){}[\],;$]{8,64})(?![^\s,;"'\\<])/i,
    insideWord: true,
    accepts: looksLikeBarePassword,
  },
  {
    id: 'credential-flag',
    keywords: ['password', 'secret', 'token', 'api-key'],
    pattern: new RegExp(`(?:password|secret|token|api-key)[ ]{1,2}["']?${OPAQUE}`),
    insideWord: true,
    before: /(?:^|\s)--(?:[a-z]{1,16}-){0,3}$/,
    accepts: looksRandom,
  },
]

const uuidOrRandom = (secret: string) => isUuid(secret) || looksRandom(secret)

/** Last, so that a more telling rule names the placeholder where both would take the same value. */
const GENERIC: readonly Rule[] = [
  {
    id: 'generic-api-key',
    keywords: ['key'],
    pattern: assigned('keys?'),
    insideWord: true,
    before: /(?:api|access|account|app|auth|encryption|master|private|secret|signing|storage)[_-]?$/i,
    accepts: uuidOrRandom,
  },
  {
    id: 'generic-api-key',
    keywords: ['secret', 'passwd', 'password', 'passphrase', 'credential'],
    pattern: assigned('(?:secret(?:[_-]?key[_-]?base)?|passwd|password|passphrase|credentials?)'),
    insideWord: true,
    accepts: uuidOrRandom,
  },
  {
    id: 'generic-api-key',
    keywords: ['token', 'authorization', 'bearer'],
    pattern: assigned('(?:token|authorization|bearer)'),
    insideWord: true,
    accepts: (secret) => !isUuid(secret) && looksRandom(secret),
  },
]

export const RULES: readonly Rule[] = [...TOKENS, ...CONTEXT, ...GENERIC]
