import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newToken } from '../../src/gateway/access/token.ts';
import { startMotif } from '../support/processes/program.ts';
import { freePort } from '../support/servers/free-port.ts';
import { ask, type GatewayProcess, gatewayProcess, workersOf } from '../support/servers/gateway-process.ts';

/**
 * Random histories of an administrator's acts and of faults around a gateway under load. What holds in each of them: a
 * change that the gateway says it serves stays in force, no answer goes without its one line in an audit that verifies,
 * a fault is told once a process, and once it is over everything works as before.
 */
const acts = {
  revoke: (now: History) => now.change(() => void now.tokens.delete([...now.tokens][0]!), now.replace),
  'revoke, in place': (now: History) => now.change(() => void now.tokens.delete([...now.tokens][0]!), now.write),
  'forbid a word': (now: History) =>
    now.change(() => now.words.push(`taboo${'abcdefgh'[now.words.length]}`), now.replace),
  'a torn file': async (now: History) => {
    now.write(now.text.slice(0, now.text.length / 2));
    await wait(2700);
    now.write(now.text);
  },
  'half a valid file, behind a rename': async (now: History) => {
    now.replace(`${now.text}# `);
    await wait(400);
    now.write(now.text.replace('policies: [words]', 'policies: []'));
    await wait(900);
    now.write(now.text);
  },
  'no file': async (now: History) => {
    fs.unlinkSync(now.at('gateway.yaml'));
    await wait(1000);
    now.write(now.text);
  },
  'a rotated audit': async (now: History) => {
    fs.renameSync(now.at('audit.jsonl'), now.at(`audit.jsonl.${(now.faults += 1)}`));
    await expect.poll(() => fs.existsSync(now.at('audit.jsonl')), { timeout: 10_000 }).toBe(true);
  },
  'an audit that is away and comes back': async (now: History) => {
    const [audit, away] = [now.at('audit.jsonl'), now.at('audit.jsonl.away')];
    now.faults += 1;
    fs.renameSync(audit, away);
    fs.mkdirSync(audit);
    await wait(1500);
    fs.rmdirSync(audit);
    fs.renameSync(away, audit);
  },
  SIGHUP: ({ gateway }: History) => gateway.kill('SIGHUP'),
  'a killed worker': async (now: History) => {
    const [worker] = now.workers === 1 ? [] : workersOf(now.gateway);
    now.kills += now.workers - 1;
    if (worker !== undefined) process.kill(worker, 'SIGKILL');
    await wait(200);
  },
};

type Answer = Awaited<ReturnType<typeof ask>> & {
  readonly askedAt: number;
  readonly token: string;
  readonly word: string;
};

class History {
  readonly all = Array.from({ length: 6 }, newToken);
  readonly tokens = new Set(this.all);
  readonly words = ['forbidden'];
  readonly answers: Answer[] = [];
  readonly errors: unknown[] = [];
  /** Of each token that was taken back and each word that was forbidden, the moment when that was in force. */
  readonly since = new Map<string, number>();
  faults = 0;
  kills = 0;
  text = '';
  gateway!: GatewayProcess;

  constructor(
    readonly workers: number,
    readonly adminPort: number,
    readonly port: number,
  ) {}

  readonly at = (name: string): string => join(this.gateway.folder, name);
  readonly replace = (text: string): void => this.gateway.write(text);
  readonly write = (text: string): void => fs.writeFileSync(this.at('gateway.yaml'), text);

  written(): string {
    const tokens = [...this.tokens].map(({ sha256 }) => `      - { id: t-${sha256.slice(0, 8)}, sha256: ${sha256} }`);
    return `listen: { port: ${this.port}, workers: ${this.workers} }
admin: { port: ${this.adminPort} }
audit: { file: audit.jsonl }
providers: { mock: { kind: mock } }
policies: { words: { kind: words, words: [${this.words.join(', ')}] } }
motifs:
  bot:
    provider: mock
    policies: [words]
    tokens:
${tokens.join('\n')}
`;
  }

  async change(make: () => void, put: (text: string) => void): Promise<void> {
    make();
    put((this.text = this.written()));
    await this.inForce();
  }

  /** Resolves once all processes serve the file as it is; from then on no older one may be seen. */
  async inForce(): Promise<void> {
    const hash = createHash('sha256').update(this.text).digest('hex').slice(0, 16);
    await expect.poll(() => this.hashes(), { timeout: 20_000, interval: 100 }).toEqual([hash]);
    const gone = this.all.filter((token) => !this.tokens.has(token)).map(({ text }) => text);
    for (const name of [...gone, ...this.words]) if (!this.since.has(name)) this.since.set(name, performance.now());
  }

  async hashes(): Promise<readonly (string | undefined)[]> {
    const page = await fetch(`http://127.0.0.1:${this.adminPort}/metrics`).then(
      (response) => response.text(),
      () => '',
    );
    return Array.from(page.matchAll(/config_info\{hash="(\w+)"/g), ([, hash]) => hash);
  }

  /** The status of a prompt. */
  async ask(token: string, word: string): Promise<number> {
    const asked = { askedAt: performance.now(), token, word };
    const sent = ask(this.port, `hello ${word}`, undefined, { motif: 'bot', token });
    const answer = await sent.catch((error: unknown) => void this.errors.push(error));
    if (answer !== undefined) this.answers.push({ ...answer, ...asked });
    return answer?.status ?? 0;
  }

  async load(signal: AbortSignal, client: number): Promise<void> {
    for (let turn = client; !signal.aborted; turn++) {
      const word = turn % 3 === 0 ? this.words[turn % this.words.length]! : '';
      await this.ask(this.all[turn % this.all.length]!.text, word);
      await wait(20);
    }
  }
}

/** True for an answer of a state that was replaced before it was asked for. */
function isLate({ askedAt, token, word, status, json }: Answer, { since }: History): boolean {
  const isOlder = (name: string): boolean => askedAt > (since.get(name) ?? Infinity);
  return status === 200 && (isOlder(token) || (isOlder(word) && json.blocked !== true));
}

async function runHistory(workers: number, names: readonly (keyof typeof acts)[]): Promise<void> {
  const history = new History(workers, await freePort(), await freePort());
  history.gateway = await gatewayProcess((history.text = history.written()));
  await history.inForce();
  const loading = new AbortController();
  const clients = [0, 1, 2].map((client) => history.load(loading.signal, client));
  for (const name of names) {
    if (!name.startsWith('revoke') || history.tokens.size > 1) await acts[name](history);
    await expect.poll(() => history.ask([...history.tokens][0]!.text, ''), { timeout: 10_000 }).toBe(200);
  }
  history.replace((history.text += '# the end\n'));
  await history.inForce();
  await wait(1500);
  loading.abort();
  await Promise.all(clients);
  const { gateway, answers } = history;
  const before = answers.length;
  for (const { text } of history.all) for (const word of ['', ...history.words]) await history.ask(text, word);
  const live = new Set([...history.tokens].map(({ text }) => text));
  for (const { token, word, status, json } of answers.slice(before))
    expect([status, json.blocked]).toEqual(live.has(token) ? [200, word !== ''] : [401, undefined]);
  expect(answers.filter((answer) => isLate(answer, history))).toEqual([]);
  expect(history.kills > 0 ? [] : history.errors).toEqual([]);
  const odd = answers.filter(({ status, json }) => ![200, 401].includes(status) && json.code !== 'audit_unavailable');
  expect(odd).toEqual([]);
  if (workers > 1) await expect.poll(() => workersOf(gateway), { timeout: 10_000 }).toHaveLength(workers);
  gateway.kill('SIGTERM');
  expect(await gateway.ended).toMatchObject({ code: 0 });

  const files = fs.readdirSync(gateway.folder).filter((name) => name.startsWith('audit.jsonl'));
  const texts = files.map((name) => fs.readFileSync(history.at(name), 'utf8')).join('');
  const answered = answers.filter(({ status }) => status === 200).map(({ json }) => String(json.prompt_id));
  expect(answered.filter((id) => texts.split(`"prompt_id":"${id}"`).length !== 2)).toEqual([]);
  const verify = startMotif(['admin', 'audit', 'verify', ...files.map((name) => history.at(name))]);
  expect(await verify.ended).toMatchObject({ code: 0 });
  const log = gateway.log();
  const told = log.filter(({ message }) => /cannot be opened/.test(String(message)));
  expect(told.length).toBeLessThanOrEqual(2 * history.faults * workers);
  for (const { text } of history.all) expect(JSON.stringify(log) + texts).not.toContain(text);
}

test('what is in force holds, and no fault outlives its cause', { timeout: 120_000 }, async () => {
  const name = fc.constantFrom(...(Object.keys(acts) as (keyof typeof acts)[]));
  const names = fc.array(name, { minLength: 3, maxLength: 3 });
  const property = fc.asyncProperty(names, names, async (alone, together) => {
    await Promise.all([runHistory(1, alone), runHistory(2, together)]);
  });
  await fc.assert(property, { numRuns: 1, endOnFailure: true });
});
