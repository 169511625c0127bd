import { describe, expect, test } from 'vitest';
import { faultLine } from '../../../src/documents/fault.ts';
import { fileOf, parse, parsed } from './config-file.ts';

const sha256 = 'ab'.repeat(32);

/** A gateway file with all that one can hold. */
const whole = `
tenant: acme-7f3a
listen: { host: 127.0.0.1, port: 8080, workers: 1, public_url: https://gw.acme.dev, tls: { cert: tls.crt, key: tls.key } }
limits: { body: 1MiB, messages: 256, provider_timeout: 120s, in_flight: 512 }
audit: { file: audit.jsonl, text: false, when_full: refuse }
admin: { host: 127.0.0.1, port: 9464 }
groups: { support: [ana, bo] }
providers:
  openai: { kind: openai, base_url: https://api.openai.com/v1, key: "\${OPENAI_API_KEY}", prices: { gpt-5-mini: { prompt: 0.25, completion: 2 } } }
  azure:  { kind: azure, base_url: https://acme.openai.azure.com, deployment: chat, api_version: "2025-04-01", key: "\${file:/run/secrets/azure}" }
  claude: { kind: anthropic, key: "\${ANTHROPIC_API_KEY}" }
  gemini: { kind: gemini, key: "\${GEMINI_API_KEY}" }
  local:  { kind: openai, base_url: http://127.0.0.1:11434/v1 }
  mock:   { kind: mock, mode: echo, prices: { small: { prompt: 0.25, completion: 2 } } }
policies:
  no-pii:       { kind: pii, entities: [email, card, iban, phone, us_ssn] }
  no-secrets:   { kind: secrets, action: redact }
  no-injection: { kind: injection, on: prompt }
  house-words:  { kind: words, words: [project-x] }
  short:        { kind: length, max_chars: 20000, on: prompt }
knowledge:
  handbook: { files: docs/**/*.md, top: 4 }
motifs:
  support-bot:
    name: Support bot
    provider: openai
    fallback: local
    model: gpt-5-mini
    params: { max_tokens: 1024, temperature: 0 }
    system: You answer for Acme support.
    team: support
    users: [ana]
    groups: [support]
    policies: [no-pii, no-secrets, no-injection]
    knowledge: [handbook]
    limits: { rpm: 600, tokens_per_day: 2000000 }
    tokens: [{ id: t1, sha256: "${sha256}", user: ana, team: sales, created: 2026-11-20, expires: 2027-11-20 }]
`;
const env = {
  OPENAI_API_KEY: 'canary-openai-0001',
  ANTHROPIC_API_KEY: 'canary-claude-0002',
  GEMINI_API_KEY: 'canary-gemini-0003',
};
const files = { '/run/secrets/azure': 'canary-azure-0004\n' };

describe('a file with everything', () => {
  test('becomes a config in which every name, unit and default is settled', async () => {
    const config = await parsed(whole, { env, files });
    expect(config).toMatchObject({
      tenant: 'acme-7f3a',
      listen: { host: '127.0.0.1', port: 8080, workers: 1, publicUrl: 'https://gw.acme.dev', allowHttp: false },
      limits: { bodyBytes: 1_048_576, messages: 256, providerTimeoutMs: 120_000, inFlight: 512 },
      audit: { file: 'audit.jsonl', text: false, whenFull: 'refuse' },
      admin: { host: '127.0.0.1', port: 9464 },
    });
    expect([...config.providers.values()].flatMap(({ prices }) => [...prices.keys()])).toEqual(['gpt-5-mini', 'small']);
    expect(config.groups.get('support')).toEqual(new Set(['ana', 'bo']));
    expect(config.providers.get('azure')?.azure).toEqual({ deployment: 'chat', apiVersion: '2025-04-01' });
    expect(config.policies.get('no-secrets')).toMatchObject({ action: 'redact', on: new Set(['prompt', 'inference']) });
    expect(config.policies.get('no-injection')?.on).toEqual(new Set(['prompt']));
    expect(config.policies.get('house-words')?.options).toEqual({ words: ['project-x'] });
    expect(config.knowledge.get('handbook')).toEqual({ name: 'handbook', files: ['docs/**/*.md'], top: 4 });
    expect(config.motifs.get('support-bot')).toMatchObject({
      id: 'support-bot',
      fallback: { provider: 'local', model: undefined, on: new Set(['not_sent', 'limited']) },
      params: { max_tokens: 1024, temperature: 0 },
      limits: { rpm: 600, tokensPerDay: 2_000_000 },
      team: 'support',
      tokens: [
        {
          id: 't1',
          sha256,
          user: 'ana',
          team: 'sales',
          createdAt: Date.UTC(2026, 10, 20),
          expiresAt: Date.UTC(2027, 10, 20),
        },
      ],
    });
  });

  test('its secrets are fetched, and print as dots', async () => {
    const config = await parsed(whole, { env, files });
    const keys = [...config.providers.values()].map(({ key }) => key?.reveal());
    expect(keys).toEqual([
      'canary-openai-0001',
      'canary-azure-0004',
      'canary-claude-0002',
      'canary-gemini-0003',
      undefined,
      undefined,
    ]);
    expect(JSON.stringify([...config.providers])).not.toContain('canary');
  });

  test('its hash is that of its bytes', async () => {
    const one = await parsed(whole, { env, files });
    expect(one.hash).toMatch(/^[0-9a-f]{16}$/);
    expect((await parsed(`${whole}# a remark\n`, { env, files })).hash).not.toBe(one.hash);
  });
});

test('what a short file leaves out has the defaults of the contract', async () => {
  expect(await parsed(fileOf())).toMatchObject({
    tenant: undefined,
    listen: { host: '127.0.0.1', port: 8080, workers: 1, publicUrl: undefined, allowHttp: false, tls: undefined },
    limits: { bodyBytes: 1_048_576, messages: 256, providerTimeoutMs: 120_000, inFlight: 512 },
    audit: undefined,
    admin: undefined,
  });
});

const withProvider = (text: string): string => `providers: { a: ${text} }\nmotifs: { b: { provider: a } }\n`;

/** A fault shows a wrong value that is short and plain, and shows nothing of one in the place of a secret. */
test.each([
  {
    text: fileOf('', 'policies: { a: { kind: pii, action: blok } }\n'),
    says: 'redact, warn; found "blok"; did you mean block?',
  },
  { text: fileOf('', 'policies: { a: { kind: length, max_chars: 0 } }\n'), says: 'from 1 to 2147483648; found 0' },
  { text: fileOf('', 'policies: [no-pii]\n'), says: 'must be a map of names; found a list' },
  { text: fileOf('provider: 7'), says: 'in quotes' },
  { text: fileOf('', 'audit: { file: a, text: yes }\n'), says: 'true or false; found "yes"' },
  { text: fileOf('limits:'), says: 'must be a map { rpm, ' },
  { text: fileOf('', 'limits: { provider_timeout: soon }\n'), says: '; found "soon"' },
  { text: fileOf('tokens: [{ id: t, sha256: "hunter2-hunter2-hunter2" }]'), hides: 'hunter2' },
  { text: fileOf('tokens: [{ id: t, sha256: S3cretToken12345 }]'), hides: 'S3cret' },
  { text: fileOf('tokens: [{ id: t, sha256: hunter }]'), hides: 'hunter' },
  { text: fileOf('', 'limits: { provider_timeout: hunter2pass }\n'), hides: 'hunter' },
  { text: fileOf('', 'admin: hunter\n'), says: 'admin must be a map { host, port }; found a text', hides: 'hunter' },
  { text: withProvider('hunter'), says: 'found a text', hides: 'hunter' },
  { text: withProvider('{ kind: openai, key: 4711 }'), hides: '4711' },
  { text: withProvider('{ kind: openai, headers: { x-key: [4711] } }'), hides: '4711' },
  { text: withProvider('{ kind: openai, key: "${K ey}" }'), hides: 'K ey' },
])('$text: says $says, hides $hides', async ({ text, says = '', hides = 'nothing of it' }) => {
  const { config, faults } = await parse(text);
  expect(config).toBeUndefined();
  const said = faults.map(faultLine).join('\n');
  expect(said).toContain(says);
  expect(said).not.toContain(hides);
});

describe('a fault names its file, line, path and what was expected', () => {
  test.each([
    ['', /^gateway.yaml:1:1: the file is empty/],
    ['- a list\n', /^gateway.yaml:1:\d+: must be a map; found a list$/],
    ['motifs: {}\n', /^gateway.yaml:1:1: needs providers$/],
    [fileOf('polices: [x]'), /^gateway.yaml:6:5: motifs.bot.polices is not a known key; did you mean policies\?$/m],
    [
      fileOf('policies: [no-pi]', 'policies: { no-pii: { kind: pii } }\n'),
      /^gateway.yaml:7:16: motifs.bot.policies\[0\] names no-pi, which is not in policies; did you mean no-pii\?$/,
    ],
    [fileOf('fallback: mok'), /motifs.bot.fallback names mok, which is not in providers; did you mean mock\?/],
    [fileOf('fallback: mock'), /motifs.bot.fallback must be another provider/],
    [fileOf('fallback: { provider: mock, model: small, on: [late] }'), /motifs.bot.fallback.on\[0\] /],
    [fileOf('fallback: { model: small }'), /motifs.bot.fallback.* provider/],
    ['providers: { a: { kind: openai, proxy: "socks://proxy" } }\nmotifs: {}\n', /providers.a.proxy must be an http/],
    [
      fileOf('', 'policies: { a: { kind: webhook, url: "https://169.254.169.254/" } }\n'),
      /policies.a.url must not be the address of a metadata service/,
    ],
    [fileOf('knowledge: [x]'), /motifs.bot.knowledge\[0\] names x, which is not in knowledge; there is none yet/],
    [fileOf('groups: [x]'), /motifs.bot.groups\[0\] names x, which is not in groups/],
    [fileOf('limits: { rpm: 0 }'), /motifs.bot.limits.rpm must be a whole number from 1 to/],
    [fileOf('limits: { rpm: "6" }'), /motifs.bot.limits.rpm must be a whole number from 1 to/],
    [fileOf('users: ana'), /motifs.bot.users must be a list/],
    [fileOf('users: [7]'), /motifs.bot.users\[0\] must be a name without control characters, in quotes/],
    [fileOf('tokens: [{ id: t1, sha256: AB }]'), /motifs.bot.tokens\[0\].sha256 must be 64 lower-case hex digits/],
    [fileOf('tokens: [{ id: t1 }]'), /motifs.bot.tokens\[0\] needs sha256/],
    [fileOf(`tokens: [{ id: t1, sha256: ${sha256}, expires: 2027-02-30 }]`), /expires must be a day like/],
    [
      fileOf(`tokens: [{ id: t1, sha256: ${sha256} }, { id: t1, sha256: ${sha256} }]`),
      /tokens\[1\].id is the ID of an earlier/,
    ],
    [fileOf('params: { stream: true }'), /motifs.bot.params.stream is set by the gateway itself/],
    [fileOf('params: { temperature: hot }'), /motifs.bot.params.temperature must be a number from 0 to 2/],
    [fileOf('', 'tenant: 12345\n'), /:1:9: tenant must be printable ASCII without blanks, in quotes/],
    [fileOf('', 'limits: { body: 1GiB }\n'), /limits.body must be a size from 1KiB to 16MiB/],
    [fileOf('', 'limits: { provider_timeout: soon }\n'), /limits.provider_timeout must be a duration from 1ms to 1h/],
    [fileOf('', 'audit: { file: a, when_full: ignore }\n'), /audit.when_full must be one of refuse, warn/],
    [fileOf('', 'listen: { workers: 0 }\n'), /listen.workers must be a whole number from 1 to 256, or auto/],
    [fileOf('', 'policies: { a: { kind: pi } }\n'), /kind is not a known kind; found "pi"; did you mean pii\?/],
    [fileOf('', 'policies: { a: { kind: words, words: 3 } }\n'), /policies.a.words must be a list/],
    [
      fileOf('', 'policies: { a: { kind: pii, except: [{ why: ours }] } }\n'),
      /policies.a.except\[0\] needs text or pattern, one of them/,
    ],
    [
      fileOf('', 'policies: { a: { kind: pii, except: [{ pattern: "(?=x)" }] } }\n'),
      /policies.a.except\[0\].pattern uses look-around/,
    ],
    [
      fileOf('', 'policies: { a: { kind: pii, without: [emial] } }\n'),
      /policies.a.without\[0\] is not a known word; (?:found "emial"; )?did you mean email\?$/m,
    ],
    [fileOf('', 'policies: { a: { kind: schema, schema: true, on: prompt } }\n'), /policies.a.on must be inference/],
    [
      fileOf('', 'policies: { a: { kind: pii, action: stop } }\n'),
      /policies.a.action must be one of block, redact, warn/,
    ],
    [
      'providers: { a: { kind: opnai } }\nmotifs: {}\n',
      /providers.a.kind is not a known kind; found "opnai"; did you mean openai\?/,
    ],
    ['providers: { a: { kind: azure } }\nmotifs: {}\n', /providers.a needs base_url and deployment and api_version/],
    [
      'providers: { a: { kind: openai, base_url: "https://u:p@x" } }\nmotifs: {}\n',
      /providers.a.base_url must be an http/,
    ],
    [
      'providers: { a: { kind: openai, base_url: "http://169.254.169.254/v1" } }\nmotifs: {}\n',
      /providers.a.base_url must be the address of a provider/,
    ],
    ['providers: { a: { kind: openai, key: "${not a name}" } }\nmotifs: {}\n', /providers.a.key must name a variable/],
    ['providers: { a: { kind: mock, mode: script } }\nmotifs: {}\n', /providers.a needs script/],
    [
      'providers: { a: { kind: anthropic, key: k } }\nmotifs: { b: { provider: a } }\n',
      /motifs.b needs model, for a provider of kind anthropic/,
    ],
    ['providers: {}\nmotifs: { "a/b": {} }\n', /motifs\["a\/b"\] is no name here: it must be at most 256 letters/],
    ['providers: {}\nmotifs: { "..": {} }\n', /is no name here/],
    ['providers: {}\nmotifs: { __proto__: {} }\n', /motifs.__proto__ needs provider/],
  ])('%#', async (text, words) => {
    const { config, faults } = await parse(text);
    expect(config).toBeUndefined();
    expect(faults.map(faultLine).join('\n')).toMatch(words);
  });

  test('all of them are said at once, in the order of the file', async () => {
    const { faults } = await parse(fileOf('polices: []\nfallback: gone\nmodel: 5', 'tenant: 1\nlisten: { port: x }\n'));
    expect(faults.map(({ line }) => line)).toEqual([1, 2, 8, 9, 10]);
  });

  test('and never a value, which may be a secret', async () => {
    const secret = 'sk-canary-0123456789';
    const places = [
      `key: ${secret}`,
      `timeout: ${secret}`,
      `retries: ${secret}`,
      `base_url: ${secret}`,
      `headers: ${secret}`,
      `ca: ${secret}`,
    ];
    for (const place of places) {
      const { faults, warnings, missingSecrets } = await parse(
        `providers: { a: { kind: openai, ${place}, x: ${secret} } }\nmotifs: {}\n`,
      );
      const said = [...faults, ...warnings, ...missingSecrets].map(faultLine).filter((line) => !/ca names /.test(line));
      expect(said.join('\n')).not.toContain('canary');
    }
  });
});

describe('what other machines can reach needs TLS', () => {
  test.each([
    ['host: 0.0.0.0', false],
    ['host: "::"', false],
    ['host: 10.1.2.3', false],
    ['host: localhost', true],
    ['host: "::1"', true],
    ['host: 127.8.8.8', true],
    ['host: 0.0.0.0, allow_http: true', true],
    ['host: 0.0.0.0, tls: { cert: a, key: b }', true],
  ])('%s: %s', async (listen, isFine) => {
    const { config, faults } = await parse(fileOf('', `listen: { ${listen} }\n`));
    expect(config !== undefined).toBe(isFine);
    if (!isFine) expect(faults.map(faultLine).join()).toMatch(/listen.host needs tls.*allow_http/);
  });
});
