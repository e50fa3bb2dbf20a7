import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cpuTime } from '../../core/cpu-time.testing.ts'
import { UserError } from '../../core/errors.ts'
import { createRedactor } from './index.ts'
import { RULES } from './rules.ts'

/** Made-up secrets are put together here, at run time, so that no scanner takes this file for a leak. */
const BASE62 = 'q7Rw2Xk9Zt4Lm8Vb3Nc6Hd1Jf5Gp0SyTuAoEiQaWzCxUrDvFsBhYnKjMlPgOeI'
const BASE36 = 'q7rw2xk9zt4lm8vb3nc6hd1jf5gp0sytuaoeiqawzcxurdvfsbhynkjmlpgoei'
const HEX = '3f9a1c7e5b2d8046f1a7c3e9b5d20864'
const base62 = (length: number) => BASE62.repeat(40).slice(0, length)
const base36 = (length: number) => BASE36.repeat(2).slice(0, length)
const upper = (length: number) => 'Q7RW2XK5ZT4LM3VB6NCHDJFG'.slice(0, length)
const hex = (length: number) => HEX.repeat(4).slice(0, length)
const glue = (...parts: string[]) => parts.join('')

const redact = (text: string) => createRedactor({ enabled: true }).redact(text)

const JWT = glue('ey', 'J', base62(17), '.', 'ey', 'J', base62(40), '.', base62(43))
const GITHUB = glue('gh', 'p_', base62(36))

/** Tokens that are known by their own shape, wherever they stand. */
const TOKENS: [rule: string, secret: string][] = [
  ['aws-access-token', glue('AK', 'IA', upper(16))],
  ['aws-access-token', glue('AS', 'IA', upper(16))],
  ['aws-bedrock-api-key', glue('AB', 'SK', base62(120))],
  ['github-token', GITHUB],
  ['github-token', glue('gh', 's_', base62(40))],
  ['github-fine-grained-token', glue('github', '_pat_', base62(22), '_', base62(59))],
  ['gitlab-token', glue('gl', 'pat-', base62(20))],
  ['slack-token', glue('xo', 'xb-', '123456789012-', base62(24))],
  ['slack-token', glue('xa', 'pp-', '1-A0-', base62(40))],
  ['google-api-key', glue('AI', 'za', base62(35))],
  ['google-oauth-token', glue('ya', '29.', base62(60))],
  ['google-client-secret', glue('GOC', 'SPX-', base62(28))],
  ['jwt', JWT],
  ['jwt', `${JWT.slice(0, JWT.lastIndexOf('.'))}.`],
  ['stripe-token', glue('sk', '_live_', base62(24))],
  ['stripe-token', glue('rk', '_test_', base62(24))],
  ['stripe-webhook-secret', glue('wh', 'sec_', base62(32))],
  ['anthropic-api-key', glue('sk', '-ant-', 'api03-', base62(93))],
  ['openai-api-key', glue('s', 'k-', base62(48))],
  ['openai-api-key', glue('s', 'k-', 'proj-', base62(30), '_', base62(30), '-', base62(60))],
  ['huggingface-token', glue('h', 'f_', base62(34))],
  ['groq-api-key', glue('gs', 'k_', base62(52))],
  ['xai-api-key', glue('xa', 'i-', base62(80))],
  ['perplexity-api-key', glue('pp', 'lx-', base62(48))],
  ['replicate-api-token', glue('r', '8_', base62(37))],
  ['nvidia-api-key', glue('nv', 'api-', base62(64))],
  ['tavily-api-key', glue('tv', 'ly-', base62(32))],
  ['sendgrid-api-key', glue('S', 'G.', base62(22), '.', base62(43))],
  ['npm-token', glue('np', 'm_', base62(36))],
  ['pypi-token', glue('py', 'pi-', base62(120))],
  ['rubygems-token', glue('ruby', 'gems_', hex(48))],
  ['digitalocean-token', glue('do', 'p_v1_', hex(64))],
  ['databricks-token', glue('da', 'pi', hex(32))],
  ['dockerhub-token', glue('dckr', '_pat_', base62(27))],
  ['linear-api-key', glue('lin', '_api_', base62(40))],
  ['notion-token', glue('sec', 'ret_', base62(43))],
  ['notion-token', glue('nt', 'n_', base62(46))],
  ['atlassian-token', glue('AT', 'ATT3', base62(180), '=', hex(8))],
  ['grafana-token', glue('gl', 'sa_', base62(32), '_', hex(8))],
  ['hashicorp-vault-token', glue('hv', 's.', base62(95))],
  ['pulumi-token', glue('pu', 'l-', hex(40))],
  ['supabase-token', glue('sb', 'p_', hex(40))],
  ['vercel-token', glue('vc', 'p_', base62(56))],
  ['shopify-token', glue('shp', 'at_', hex(32))],
  ['figma-token', glue('fi', 'gd_', base62(43))],
  ['postman-api-key', glue('PM', 'AK-', hex(24), '-', hex(34))],
  ['newrelic-key', glue('NR', 'AK-', base62(27))],
  ['sentry-token', glue('sntr', 'ys_', base62(80))],
  ['planetscale-token', glue('pscale', '_tkn_', base62(43))],
  ['doppler-token', glue('dp', '.pt.', base62(43))],
  ['square-token', glue('sq0', 'atp-', base62(22))],
  ['heroku-api-key', glue('HR', 'KU-', base62(60))],
  ['mailgun-key', glue('ke', 'y-', hex(32))],
  ['age-secret-key', glue('AGE-SECRET', '-KEY-1', upper(24), upper(24), upper(10))],
  ['1password-token', glue('ops', '_eyJ', base62(250))],
]

/** Secrets known by what stands around them: text before, secret, text after. */
const IN_CONTEXT: [rule: string, before: string, secret: string, after: string][] = [
  ['slack-webhook', 'https://hooks.slack.com/services/', `T${upper(8)}/B${upper(8)}/${base62(24)}`, ' posted'],
  ['discord-webhook', 'https://discord.com/api/webhooks/123456789012345678/', base62(68), ''],
  ['google-oauth-token', '"refresh_token": "', glue('1/', '/0', base62(60)), '"'],
  ['telegram-bot-token', 'bot123456789:', glue('A', 'A', base62(33)), '/getMe'],
  ['terraform-cloud-token', `x = "${base62(14)}.atlasv1.`, base62(67), '"'],
  ['azure-client-secret', 'abc', `8Q~${base62(34)}`, ' next'],
  ['aws-secret-key', 'aws_secret_access_key = ', `${base62(20)}/${base62(19)}`, '\n'],
  ['aws-secret-key', '{"SecretAccessKey":"', `${base62(30)}+${base62(9)}`, '"}'],
  [
    'azure-storage-key',
    'DefaultEndpointsProtocol=https;AccountName=acme;AccountKey=',
    `${base62(86)}==`,
    ';EndpointSuffix=x',
  ],
  ['azure-shared-access-key', 'Endpoint=sb://x/;SharedAccessKeyName=n;SharedAccessKey=', `${base62(43)}=`, ''],
  ['azure-sas-signature', 'https://x.blob.core.windows.net/c?sv=2024-11-04&sig=', `${base62(43)}%3D`, '&se=2026'],
  ['connection-string-password', 'Server=tcp:db,1433;User ID=app;Password=', 'correct-horse', ';Encrypt=True'],
  ['url-password', 'postgres://app:', 'kei5aiPh', '@db.internal:5432/app'],
  ['url-password', 'redis://:', 'aGoodOne!', '@cache:6379'],
  ['url-password', 'https://oauth2:', base36(20), '@git.example.com/x.git'],
  ['url-token', 'git clone https://', hex(40), '@github.com/acme/site'],
  ['authorization-header', 'Authorization: Bearer ', base62(32), ''],
  ['authorization-header', '{"Authorization":"Bearer ', base36(40), '"}'],
  ['authorization-header', 'curl -H "authorization: bearer ', hex(40), '" https://x'],
  ['authorization-header', 'Authorization: Basic ', Buffer.from('ada:lovelace1').toString('base64'), '\r\n'],
  ['docker-auth', '{"auths":{"r.io":{"auth": "', Buffer.from('ada:lovelace1').toString('base64'), '"}}}'],
  ['npm-token', '//registry.example.com/:_auth=', Buffer.from('ada:lovelace1').toString('base64'), '\n'],
  ['netrc-password', 'machine api.example.com login ada password ', 'lovelace1', '\n'],
  ['curl-user', 'curl -s -u ada:', 'lovelace1', ' https://api.example.com'],
  ['password', 'password: "', 'Tr0ub4dor', '",'],
  ['password', "DB_PASSWORD='", 'horse#staple9', "'"],
  ['password', 'PGPASSWORD=', 'horse#staple9', ' psql'],
  ['credential-flag', 'deploy --auth-token ', base62(24), ' --now'],
  ['generic-api-key', 'api_key = "', base62(32), '"'],
  ['generic-api-key', 'OPENROUTER_API_KEY=', base36(40), ''],
  ['generic-api-key', 'const clientSecret: string = `', base62(24), '`'],
  ['generic-api-key', "headers['x-api-key'] = '", hex(32), "'"],
  ['generic-api-key', 'x-api-key: ', base62(40), '\n'],
  ['generic-api-key', '"accessToken" : "', base62(64), '"'],
  ['generic-api-key', '- name: API_TOKEN\n  value: ', base62(30), '\n'],
  ['generic-api-key', '{"name":"SESSION_SECRET","value":"', hex(64), '"}'],
  ['generic-api-key', '<password>', base62(24), '</password>'],
  ['generic-api-key', 'HEROKU_API_KEY=', '3f9a1c7e-5b2d-4046-b1a7-c3e9b5d20864', ''],
  ['generic-api-key', 'https://api.example.com/v1?access_token=', base62(40), '&page=2'],
  ['generic-api-key', 'Authorization: token ', hex(40), ''],
  ['generic-api-key', 'SECRET_KEY_BASE=', hex(128), ''],
]

describe('redaction of secrets', () => {
  it.each(TOKENS)('replaces a %s wherever it stands', (rule, secret) => {
    const placeholder = `[REDACTED:${rule}]`
    expect(redact(`before ${secret} after`)).toBe(`before ${placeholder} after`)
    expect(redact(secret)).toBe(placeholder)
    expect(redact(`("${secret}")`)).toBe(`("${placeholder}")`)
    expect(redact(JSON.stringify({ text: `line\n${secret}\nline` }))).toBe(
      JSON.stringify({ text: `line\n${placeholder}\nline` }),
    )
    expect(redact(`\x1b[32m${secret}\x1b[0m`)).toBe(`\x1b[32m${placeholder}\x1b[0m`)
  })

  it.each(IN_CONTEXT)('replaces what a %s hides, and nothing around it: %s', (rule, before, secret, after) => {
    const expected = `${before}[REDACTED:${rule}]${after}`
    expect(redact(`${before}${secret}${after}`)).toBe(expected)
    expect(redact(`log\n${before}${secret}${after}`)).toBe(`log\n${expected}`)
  })

  it.each(IN_CONTEXT)('replaces what a %s hides inside a JSON string, too: %s', (rule, before, secret, after) => {
    const once = JSON.stringify({ text: `${before}${secret}${after}` })
    const redacted = redact(once)
    expect(redacted).not.toContain(secret)
    expect(JSON.parse(redacted)).toEqual({ text: `${before}[REDACTED:${rule}]${after}` })
  })

  it('has a test for every rule id', () => {
    const tested = new Set([...TOKENS, ...IN_CONTEXT].map(([rule]) => rule))
    const ids = new Set(RULES.map((rule) => rule.id))
    for (const id of ['pem-private-key', 'openssh-private-key']) ids.delete(id)
    expect([...ids].filter((id) => !tested.has(id))).toEqual([])
  })

  it('names the placeholder after the more telling rule', () => {
    expect(redact(`token = "${GITHUB}"`)).toBe('token = "[REDACTED:github-token]"')
    expect(redact(`Authorization: Bearer ${JWT}`)).toBe('Authorization: Bearer [REDACTED:jwt]')
    expect(redact(`https://x-access-token:${GITHUB}@github.com/a/b`)).toBe(
      'https://x-access-token:[REDACTED:github-token]@github.com/a/b',
    )
  })

  it('replaces both halves of an AWS key pair', () => {
    const pair = `${glue('AK', 'IA', upper(16))},${base62(40)}`
    expect(redact(pair)).toBe('[REDACTED:aws-access-token],[REDACTED:aws-secret-key]')
  })

  it('replaces every secret of a text and leaves the rest as it was', () => {
    const text = `a=${GITHUB} b=${glue('np', 'm_', base62(36))}, same again: ${GITHUB}.`
    expect(redact(text)).toBe('a=[REDACTED:github-token] b=[REDACTED:npm-token], same again: [REDACTED:github-token].')
  })
})

const PEM_LINES = [base62(64), base62(64), `${base62(30)}==`]
const pem = (label: string, end = '\n') =>
  [glue('-----BEGIN ', label, '-----'), ...PEM_LINES, glue('-----END ', label, '-----')].join(end)

describe('redaction of private keys', () => {
  it.each([
    ['pem-private-key', 'PRIVATE KEY'],
    ['pem-private-key', 'RSA PRIVATE KEY'],
    ['pem-private-key', 'ENCRYPTED PRIVATE KEY'],
    ['pem-private-key', 'PGP PRIVATE KEY BLOCK'],
    ['openssh-private-key', 'OPENSSH PRIVATE KEY'],
  ])('replaces a whole %s block: %s', (rule, label) => {
    expect(redact(`cat id\n${pem(label)}\ndone`)).toBe(`cat id\n[REDACTED:${rule}]\ndone`)
    expect(redact(pem(label, '\r\n'))).toBe(`[REDACTED:${rule}]`)
  })

  it('replaces the key of a service account, whose line ends are escaped', () => {
    const account = {
      type: 'service_account',
      private_key_id: 'k1',
      private_key: `${pem('PRIVATE KEY')}\n`,
      client_id: '1',
    }
    const expected = { ...account, private_key: '[REDACTED:pem-private-key]\n' }
    expect(JSON.parse(redact(JSON.stringify(account, null, 2)))).toEqual(expected)
    const nested = redact(JSON.stringify({ output: JSON.stringify(account) }))
    expect(JSON.parse(JSON.parse(nested).output)).toEqual(expected)
  })

  it('replaces what is there of a key whose end is missing', () => {
    const cut = [glue('-----BEGIN ', 'RSA PRIVATE KEY', '-----'), ...PEM_LINES].join('\n')
    expect(redact(`$ head -3 key.pem\n${cut}\n$ ls`)).toBe('$ head -3 key.pem\n[REDACTED:pem-private-key]\n$ ls')
  })

  it('leaves public keys, certificates and empty examples alone', () => {
    for (const label of ['PUBLIC KEY', 'CERTIFICATE']) expect(redact(pem(label))).toBe(pem(label))
    const example = glue('-----BEGIN ', 'PRIVATE KEY', '-----\n...\n-----END ', 'PRIVATE KEY', '-----')
    expect(redact(example)).toBe(example)
  })
})

const SHA1 = 'da39a3ee5e6b4b0d3255bfef95601890afd80709'
const SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

describe('what is no secret stays (fault 110)', () => {
  it.each([
    ['a commit', `commit ${SHA1}\nMerge: ${SHA1.slice(0, 10)}`],
    ['a file hash', `${SHA256}  dist/index.js`],
    ['an image digest', `image: nginx@sha256:${SHA256}`],
    ['a UUID', 'session 123e4567-e89b-12d3-a456-426614174000 resumed'],
    ['a UUID as a token', 'request_token: 123e4567-e89b-12d3-a456-426614174000'],
    ['a lock file', `"integrity": "sha512-${base62(86)}=="`],
    ['a lock file with resolved URLs', `"resolved": "https://registry.npmjs.org/token-types/-/token-types-6.0.0.tgz"`],
    ['an image', `![x](data:image/png;base64,${base62(2000)}/AKIA${base62(300)}==)`],
    ['a stand-in for a key', 'api_key = "your-api-key-here-please-1"'],
    ['a masked token', glue('gh', 'p_', 'x'.repeat(36))],
    ['a masked key', `OPENAI_API_KEY=${glue('s', 'k-', 'x'.repeat(40))}`],
    ['a starred key', 'password: "************1A"'],
    ['changeme', 'password: "changeme-Changeme-123!"'],
    ['a shell variable', 'export TOKEN=$GITHUB_TOKEN_FROM_VAULT_1'],
    ['a template', `"Authorization": "Bearer \${API_KEY_2_FROM_ENVIRONMENT}"`],
    ['a mustache', 'token: {{ secrets.DEPLOY_TOKEN_2024_PRODUCTION }}'],
    ['process.env', 'const apiKey = process.env.OPENAI_API_KEY_V2_LONGNAME'],
    ['os.environ', 'api_key=os.environ["OPENAI_API_KEY_V2_LONGNAME"]'],
    ['a call', 'const token = generateAccessToken2Ab9Xk3(user)'],
    ['a property', 'token: request.headers.authorization2.value'],
    ['a type', 'interface Login { password: string; token: AccessTokenResponseV2 }'],
    ['a path', 'secret: /run/secrets/db_password_2024_x1'],
    ['a relative path', 'credentials=./config/gcp/service-account-2.json'],
    ['a name that only contains a credential word', `{"sessions":"${base62(40)}","tokenizer":"${base62(40)}"}`],
    ['a count of tokens', '{"max_tokens": 4096, "total_tokens": 12345678901234567890123}'],
    ['a number', '"token": 12345678901234567890123'],
    ['CSS classes', '.sk-toggleable__label-arrow:before, .sk-estimator-doc-link-1 { }'],
    ['a word with sk-', 'task-management-for-risk-averse-developers-2024'],
    ['a URL with a port', 'http://localhost:3000/users@example.com'],
    ['a mail address in a URL', 'https://example.com/?to=a:b@example.com'],
    ['a default database', 'postgres://postgres:postgres@localhost:5432/test'],
    ['a URL of an SSH remote', 'git+ssh://git@github.com:acme/site.git'],
    ['a URL with a variable', 'https://ada:$PASSWORD@example.com and https://ada:<password>@example.com'],
    ['a docker user', 'docker run -u 1000:1000 --user 501:501 image'],
    ['curl without a password', 'curl -u 1000:1000 https://x; git push -u origin main'],
    ['prose', 'The bearer authentication scheme sends a token: the password is a secret, the API key is a credential.'],
    ['a sentence with a colon', 'Password: must contain 8 characters, 1 digit and 1 symbol!'],
    ['a password rule', 'password: z.string().min(8).max(64)'],
    ['an enum', 'token = SyntaxKind.NoSubstitutionTemplateLiteral2'],
    ['a flag without a secret', 'run --token expirationTimeInSecondsValue --secret name-of-the-secret'],
    ['basic as a word', 'authorization: basic understanding of permissions'],
    ['a phrase tied together', 'secret-name: api_key = my-service-production-api-key-2024'],
  ])('%s', (_what, text) => {
    expect(redact(text)).toBe(text)
  })
})

describe('redaction in general', () => {
  it('does nothing when it is off', () => {
    const off = createRedactor({ enabled: false, extraPatterns: ['before'] })
    expect(off.redact(`before ${GITHUB}`)).toBe(`before ${GITHUB}`)
    expect(off.counts().size).toBe(0)
  })

  it('counts what it replaced by rule, and hands out a copy', () => {
    const redactor = createRedactor({ enabled: true })
    redactor.redact(`${GITHUB} ${GITHUB}`)
    redactor.redact(JWT)
    redactor.counts().clear()
    expect([...redactor.counts()]).toEqual([
      ['github-token', 2],
      ['jwt', 1],
    ])
  })

  it('protects placeholders that are there already', () => {
    for (const text of [
      'password: "[REDACTED:generic-api-key]"',
      'https://ada:[REDACTED:url-password]@example.com',
      '[REDACTED:aws-access-token]: [REDACTED:aws-secret-key]',
      'Bearer [REDACTED:jwt]',
    ]) {
      expect(redact(text)).toBe(text)
    }
  })

  it('covers the whole of secrets that overlap', () => {
    const text = redact(`https://ada:${GITHUB}tail!@example.com`)
    expect(text).toBe('https://ada:[REDACTED:url-password]@example.com')
  })

  it("applies users' patterns, after its own rules and in linear time", () => {
    const redactor = createRedactor({
      enabled: true,
      extraPatterns: ['ACME-[0-9]{4}', '(?i)project (x+x+)+y', 'ghp_.*'],
    })
    expect(redactor.redact('ACME-1234 and PROJECT XXXXY')).toBe(
      '[REDACTED:extra-pattern-1] and [REDACTED:extra-pattern-2]',
    )
    expect(redactor.redact(GITHUB)).toBe('[REDACTED:github-token]')
    expect(cpuTime(() => redactor.redact(`project ${'x'.repeat(20_000)}`))).toBeLessThan(2000)
  })

  it("ignores a user's pattern that matches nothing at all", () => {
    expect(createRedactor({ enabled: true, extraPatterns: ['q*'] }).redact('abc qq')).toBe(
      'abc [REDACTED:extra-pattern-1]',
    )
  })

  it('refuses a pattern that does not compile, naming it', () => {
    const make = () => createRedactor({ enabled: true, extraPatterns: ['fine', '(broken'] })
    expect(make).toThrow(UserError)
    expect(make).toThrow(/redaction pattern 2 is not a valid regular expression/)
  })
})

describe('redaction of any text', () => {
  const secrets = [...TOKENS.map(([, secret]) => secret), ...IN_CONTEXT.map((row) => row.slice(1).join(''))]
  const pieces = fc.oneof(
    fc.constantFrom(...secrets, pem('PRIVATE KEY'), '[REDACTED:jwt]', '[REDACTED:'),
    fc.constantFrom(...RULES.flatMap((rule) => rule.keywords)),
    fc.constantFrom(
      ' ',
      '\n',
      '"',
      '\\"',
      '\\n',
      ':',
      '=',
      ': "',
      '-',
      '_',
      '.',
      '@',
      '語',
      '-----END PRIVATE KEY-----',
    ),
    fc.string({ maxLength: 30 }),
    fc.base64String({ maxLength: 60 }),
  )
  const texts = fc.array(pieces, { maxLength: 25 }).map((parts) => parts.join(''))

  it('is done once: a second time changes nothing', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const once = redact(text)
        expect(redact(once)).toBe(once)
      }),
      { numRuns: 500 },
    )
  })

  it('leaves valid JSON valid', () => {
    const value = fc.dictionary(fc.constantFrom('password', 'api_key', 'text', 'token', '"auth'), texts)
    fc.assert(
      fc.property(fc.array(value), (values) => {
        JSON.parse(redact(JSON.stringify(values)))
        JSON.parse(redact(JSON.stringify({ input: JSON.stringify(values) })))
      }),
      { numRuns: 200 },
    )
  })

  it('keeps everything outside the placeholders, in order', () => {
    fc.assert(
      fc.property(texts, (text) => {
        let from = 0
        for (const part of redact(text).split(/\[REDACTED:[a-z0-9-]{1,64}\]/)) {
          const at = text.indexOf(part, from)
          expect(at).toBeGreaterThanOrEqual(from)
          from = at + part.length
        }
      }),
    )
  })

  it('touches no text without a keyword', () => {
    const keywords = RULES.flatMap((rule) => rule.keywords)
    const plain = fc.string({ maxLength: 400 }).filter((text) => {
      const lower = text.toLowerCase()
      return !keywords.some((keyword) => lower.includes(keyword))
    })
    fc.assert(
      fc.property(plain, (text) => {
        expect(redact(text)).toBe(text)
      }),
    )
  })
})

describe('the time redaction takes', () => {
  const HOSTILE: [what: string, unit: string][] = [
    ...RULES.flatMap((rule) => rule.keywords).map((keyword): [string, string] => [keyword, keyword]),
    ...RULES.flatMap((rule) => rule.keywords).map((keyword): [string, string] => [`-${keyword}`, `-${keyword}`]),
    ['assignments', 'token='],
    ['quoted assignments', 'password:"'],
    ['bearer runs', 'bearer aaaaaaaaaaaaaaaaaaaaa1'],
    ['nested keys', '-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA\n'],
    ['users in URLs', '://a:b'],
    ['half tokens', 'eyJaaaaaaaaaaa.eyJ'],
    ['curl', 'curl -u a:b '],
    ['connection strings', 'server=a;user=b;password=c1;'],
    ['quotes', '"auth\\\\\\"'],
    ['spaces', 'password                   '],
  ]

  it('stays linear for texts full of keywords', () => {
    const redactor = createRedactor({ enabled: true })
    for (const [what, unit] of HOSTILE) {
      const text = unit.repeat(Math.ceil(100_000 / unit.length))
      expect
        .soft(
          cpuTime(() => redactor.redact(text)),
          `100 kB of ${what}`,
        )
        .toBeLessThan(1000)
    }
  })

  it('is small for ordinary text', () => {
    const redactor = createRedactor({ enabled: true })
    const line =
      'The function reads the file, splits it into lines and returns the ones that changed since yesterday.\n'
    const text = line.repeat(40_000)
    redactor.redact(text)
    const before = process.cpuUsage()
    expect(redactor.redact(text)).toBe(text)
    const { user, system } = process.cpuUsage(before)
    // Far below what it does (300), for machines under load.
    const rate = text.length / (user + system)
    expect(rate, 'MB per second of processor time').toBeGreaterThan(40)
  })
})
