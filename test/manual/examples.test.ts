import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { expect, test } from 'vitest';
import { memoryAudit } from '../support/rooms/audit/memory-audit.ts';
import { emptyRefused, way } from '../support/rooms/doctor.ts';
import { type ShellCall, shellCalls } from '../support/texts/example-shell.ts';
import { homeWith } from '../support/rooms/history.ts';
import { logIn } from '../support/rooms/login.ts';
import { motif, type MotifSetup, type Run, testToken, testUrl } from '../support/motif.ts';
import { answered, blocked, service } from '../support/service.ts';
import type { Child, ChildResult } from '../../src/world/world.ts';
import type { FakeWorld } from '../support/world.ts';
import { readWrittenTexts } from '../support/texts/written-examples.ts';

/**
 * Each block of shell on the README and the pages is typed as it stands, line by line in one folder, where the files
 * lie that it names. So what is copied from a page does what the page says, and lines of a block can be typed in their
 * order.
 */
const variables = {
  SAMPLE: 'My card is 4111 1111 1111 1111',
  TEXT: 'Hello',
  TITLE: 'Hello',
  line: 'Hello',
  MOTIF_URL: testUrl,
};

const examples = readWrittenTexts().flatMap(({ name, blocks }) =>
  blocks
    .filter(({ language }) => language === 'sh')
    .map(({ text }) => ({ page: name.replace(/^.*\/|\.md$/g, ''), text, calls: shellCalls(text, variables) }))
    .filter(({ calls }) => calls.length > 0)
    .map((example) => ({ ...example, first: example.calls[0]?.line ?? '' })),
);

/** Lines that end with another code than 0. */
const endings: Readonly<Record<string, number>> = {
  'motif prompt --demo "Refund my card 4111 1111 1111 1111" || echo "exit code $?"': 10,
  // The two cases that lie here guard less than the file has.
  'motif check --local gateway.yaml --prove': 1,
};

/** Whole prompt IDs on the pages; where six letters stand there, they are of one of these. */
const promptIds = new Set(
  examples.flatMap(({ calls }) => calls.flatMap(({ words }) => words.filter((word) => /^[0-9A-Z]{26}$/.test(word)))),
);

/** Calls that are run by other tests, where what they need is there. */
const elsewhere: Readonly<Record<string, RegExp>> = {
  'test/e2e/serve.test.ts': /^motif serve\b/,
  'test/e2e/batch.test.ts': /^motif batch merge out-\?/,
};

/** Blocks whose lines are ways to choose from, so that each is typed in a fresh folder. */
const alternatives = /motif login|revoke support-bot --all/;

const now = Date.UTC(2026, 10, 21, 12, 30);
const code = 'Here:\n```sh\nwc -l\n```\n```python\nsorted(x)\n```\n';
const pem = rootCertificates[0]!;

const gatewayFile = `tenant: acme-7f3a
audit: { file: audit.jsonl, text: true }
providers: { mock: { kind: mock } }
policies:
  no-pii: { kind: pii }
  no-secrets: { kind: secrets, action: redact }
motifs:
  support-bot:
    provider: mock
    policies: [no-pii, no-secrets]
    users: [ana]
    tokens:
      - { id: t-3fa9c1d2, sha256: "${createHash('sha256').update(testToken).digest('hex')}", user: ana }
`;

const files: Readonly<Record<string, string>> = {
  'notes.md': '# Notes\n',
  'docs/a.md': '# A\n',
  'reply.txt': 'Dear ${name}, about ${order}\n',
  'daily.txt': 'What is on the menu on ${day}?\n',
  'few-shot.json': '[{"role":"user","content":"This one?"},{"role":"assistant","content":"No."}]',
  'questions.txt': 'Opening hours?\nAnd on Sunday?\n',
  'lines.txt': 'one\ntwo\n',
  'prompts.txt': 'one\ntwo\n',
  'tickets.csv': 'id,text\n1,Crash\n2,Nice\n',
  'classify.txt': 'Classify: ${text}\n',
  'new.jsonl': '{"id":1,"prompt":"one"}\n',
  'in.csv': 'prompt\none\ntwo\n',
  'cases.csv': 'prompt,expect\nHello,answered\nMy card is 4111 1111 1111 1111,blocked\n',
  'first.motif.yaml':
    'cases:\n  - { id: greets, prompt: Say hello }\n  - { id: card, prompt: My card is 4111 1111 1111 1111, expect: blocked }\n',
  'gateway.yaml': gatewayFile,
  'next.yaml': gatewayFile,
  'leaked.txt': testToken,
  'token.txt': testToken,
  'bo.txt': testToken,
  'colleague.txt': testToken,
  motif: testToken,
  'company-ca.pem': pem,
  'ca.pem': pem,
  'tls.crt': pem,
  'tls.key': 'key',
  'me.crt': pem,
  'me.key': pem.replaceAll('CERTIFICATE', 'PRIVATE KEY'),
};

/** Folders of other machines, which are all the one folder here. */
const otherFolders = /^\/(?:etc\/motif|etc\/company|run\/secrets|data)\//;

test('what is said of a line is said of one that stands there', () => {
  const lines = examples.flatMap(({ calls }) => calls.map(({ line }) => line));
  expect(lines.length).toBeGreaterThan(100);
  expect(Object.keys(endings).filter((line) => !lines.includes(line))).toEqual([]);
  expect(Object.values(elsewhere).filter((pattern) => !lines.some((line) => pattern.test(line)))).toEqual([]);
});

test.each(examples)('$page: $first ...', async ({ text, calls }) => {
  const start = await place(text);
  let after = start;
  for (const call of calls) {
    if (Object.values(elsewhere).some((pattern) => pattern.test(call.line))) continue;
    const run = await typed(call, alternatives.test(text) ? await place(text) : after);
    after = run.world;
    const isGuarded = text.includes('motif check init');
    const exitCode = isGuarded ? 0 : (endings[call.line] ?? 0);
    expect({ line: call.line, exitCode: run.exitCode, stderr: run.stderr }).toMatchObject({
      line: call.line,
      exitCode,
    });
  }
});

/** A home with three profiles, two conversations and the files that the lines of a block name. */
async function place(text: string): Promise<FakeWorld> {
  const talks = [
    { title: text.includes('--save') ? 'Pans' : 'Kettles', turns: [['free shipping of a kettle?', code]] as const },
    { daysAgo: 40 },
  ];
  let { after } = await homeWith(...talks);
  const profiles = /^motif login|^ *.* \| motif login/.test(text) ? [] : ['prod', 'staging', 'support-bot'];
  for (const name of profiles) {
    const address = testUrl.replace('support-bot', name);
    after = (await logIn([address, '--token-stdin', '--no-verify'], { after })).world;
  }
  const made = new Set([
    ...(text.includes('motif admin init') ? ['gateway.yaml'] : []),
    ...(text.includes('motif check init') ? ['first.motif.yaml'] : []),
    ...[...text.matchAll(/--token-out (\S+)/g)].map(([, file = '']) => file),
  ]);
  const lying = Object.entries({ ...files, ...(await auditFiles()) }).filter(([name]) => !made.has(name));
  return (await motif(['--version'], { after, files: Object.fromEntries(lying) })).world;
}

/** An audit of the prompts whose IDs stand on the pages, in two files, and the log that names its seal. */
async function auditFiles(): Promise<Readonly<Record<string, string>>> {
  const { record, minute, memory, seals } = await memoryAudit();
  const hit = {
    policy: 'no-pii',
    rule: 'card',
    on: 'prompt',
    action: 'block',
    message: 0,
    start: 11,
    length: 19,
  } as const;
  for (const promptId of promptIds) await record({ promptId, motif: 'support-bot', decision: 'block', hits: [hit] });
  await record({
    motif: 'support-bot',
    texts: { messagesJson: JSON.stringify([{ role: 'user', content: 'Hello' }]), responseJson: '"Hi"' },
  });
  await minute();
  const [first = '', ...rest] = memory.text.split(/(?<=\n)/);
  const log = seals.map(
    (seal) => `${JSON.stringify({ message: 'audit lines sealed', file: 'audit.jsonl', ...seal })}\n`,
  );
  return { 'audit.jsonl.1': first, 'audit.jsonl': rest.join(''), 'gateway.log': log.join('') };
}

/** A Motif that blocks card numbers, and answers everything else with code. */
const gateway = {
  send: (request, options) => {
    const { messages } = JSON.parse(String(request.body)) as { messages: readonly { content: string }[] };
    const last = messages.at(-1)?.content ?? '';
    const replies =
      messages.length === 0
        ? emptyRefused
        : { body: last.includes('4111') ? blocked : { ...answered, response: code } };
    return service(replies).send(request, options);
  },
} satisfies Pick<MotifSetup, 'send'>;

async function typed(call: ShellCall, after: FakeWorld): Promise<Run> {
  const words = call.words.flatMap((word) => expanded(known(word, after), after.folder));
  const run = await motif(words, {
    after,
    now,
    env: { EDITOR: 'vi' },
    probe: way(),
    ...gateway,
    run: installed,
    ...inputOf(call, after.folder),
  });
  if (call.outputFile !== undefined) writeFileSync(join(after.folder, call.outputFile), run.stdout);
  return run;
}

/** An editor in which something is written, and a shell whose command prints the token. */
function installed({ command, args }: Child): ChildResult {
  const ended = { code: 0, stdout: '', stderr: '' };
  if (command !== '/bin/sh') return { ...ended, code: null, failure: 'not-found' };
  const [, script = '', , file = ''] = args;
  if (!script.endsWith('vi "$1"')) return { ...ended, stdout: testToken };
  writeFileSync(file, 'Hello');
  return ended;
}

/** IDs of conversations in their order, oldest first, and of a token that was made by an earlier line. */
function known(word: string, { home = '', folder }: FakeWorld): string {
  const saved = join(home, '.local/state/motif/conversations');
  const ids: Readonly<Record<string, () => string | undefined>> = {
    '3f2a': () => readdirSync(saved).toSorted()[0]?.replace('.jsonl', ''),
    '81cc': () => readdirSync(saved).toSorted()[1]?.replace('.jsonl', ''),
    't-3fa9c1d2': () => {
      const tokens = readFileSync(join(folder, 'gateway.yaml'), 'utf8').match(/(?<=id: )t-[0-9a-f]{8}/g) ?? [];
      return tokens.at(-2) ?? tokens.at(-1);
    },
  };
  return ids[word]?.() ?? word.replace(otherFolders, '');
}

/** The files that a pattern takes, as the shell gives them; any other word is itself. */
function expanded(word: string, folder: string): readonly string[] {
  const pattern = new RegExp(`^${word.replaceAll('.', '\\.').replace('*', '.*')}$`);
  const found = /^[\w-]+\*/.test(word) ? readdirSync(folder).filter((name) => pattern.test(name)) : [];
  return found.length === 0 ? [word] : found.toSorted();
}

function inputOf({ input, words: [verb] }: ShellCall, folder: string): Pick<MotifSetup, 'stdin' | 'stderr'> {
  if (input === undefined) {
    if (verb === 'chat') return { stdin: 'Hello\n' };
    if (verb === 'history') return { stdin: { typed: ['y\r'] }, stderr: { columns: 80 } };
    return verb === 'login' ? { stdin: { typed: [`${testToken}\r`] }, stderr: { columns: 80 } } : {};
  }
  if ('file' in input) {
    // The token that a line above has made is the one that leaked, where one has.
    const isMade = input.file === 'leaked.txt' && existsSync(join(folder, 'token.txt'));
    return { stdin: readFileSync(join(folder, isMade ? 'token.txt' : input.file)) };
  }
  return { stdin: input.pipedFrom === 'pass' ? testToken : 'Hello\n' };
}
