import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { newToken } from '../../../src/gateway/access/token.ts';
import type { LimitName } from '../../../src/gateway/refusal.ts';
import type { GatewayProcess } from '../servers/gateway-process.ts';

type Limits = Readonly<Partial<Record<LimitName, number>>>;

interface Token {
  readonly text: string;
  readonly sha256: string;
  readonly motif: string;
  readonly isListed: boolean;
  /** The end of it, on the clock of the machine. */
  readonly endsAt: number;
  readonly limits: Limits;
}

/** A version of the gateway file. Between its two times the one before may hold as well. */
export interface Version {
  readonly tokens: readonly Token[];
  readonly motifs: Readonly<Record<string, Limits>>;
  readonly hash: string;
  readonly writtenAt: number;
  inForceAt: number;
}

/** A prompt, and what became of it. All times are of one clock. */
export interface Asked {
  readonly id: string;
  readonly token: number;
  readonly says: (typeof sayings)[number];
  readonly from: number;
  readonly to: number;
  readonly status: number;
  readonly json: Record<string, unknown>;
}

const sayings = ['hello', 'slow', 'forbidden', 'no prompt', 'wrong tenant'] as const;
export const tokensOfAnswer = 5;
const never = Date.parse('2100-01-01');
export const now = () => performance.timeOrigin + performance.now();

/** A gateway file that changes, the prompts that were asked meanwhile, and when each of it was. */
export class AccessHistory {
  readonly versions: Version[] = [];
  readonly asked: Asked[] = [];
  tokens: Token[];
  motifs: Record<string, Limits> = { a: { rpm: 60, in_flight: 6 }, b: { tokens_per_day: 200 } };
  gateway!: GatewayProcess;

  constructor(
    readonly providerPort: number,
    readonly adminPort: number,
  ) {
    this.tokens = ['a', 'a', 'b', 'b'].map((motif) => this.newToken(motif, {}));
  }

  newToken(motif: string, limits: Limits): Token {
    return { ...newToken(), motif, isListed: true, endsAt: never, limits };
  }

  /** The text of a new version, which holds from now on or a little later. */
  next(): string {
    const said = (limits: Limits) =>
      `{ ${Object.entries(limits)
        .map(([name, value]) => `${name}: ${value}`)
        .join(', ')} }`;
    const line = ({ sha256, endsAt, limits }: Token) =>
      `      - { id: ${sha256.slice(0, 8)}x, sha256: ${sha256}, limits: ${said(limits)}, ` +
      `expires: "${new Date(endsAt).toISOString()}" }\n`;
    const motifs = Object.entries(this.motifs).map(([name, limits]) => {
      const own = this.tokens.filter(({ motif, isListed }) => isListed && motif === name);
      const head = `  ${name}:\n    provider: up\n    model: m\n    policies: [words]\n`;
      return `${head}    limits: ${said(limits)}\n    tokens:\n${own.map(line).join('')}`;
    });
    const written = `listen: { port: 0, workers: 2 }
admin: { port: ${this.adminPort} }
audit: { file: audit.jsonl }
providers: { up: { kind: openai, base_url: "http://127.0.0.1:${this.providerPort}/v1" } }
policies: { words: { kind: words, words: [forbidden] } }
motifs:
${motifs.join('')}# ${this.versions.length}
`;
    const hash = createHash('sha256').update(written).digest('hex').slice(0, 16);
    const state = { tokens: [...this.tokens], motifs: { ...this.motifs } };
    this.versions.push({ ...state, hash, writtenAt: now(), inForceAt: Infinity });
    return written;
  }

  change(index: number, to: Partial<Token>): void {
    this.tokens[index] = { ...this.tokens[index]!, ...to };
    this.gateway.write(this.next());
  }

  async metrics(): Promise<string> {
    return await (await fetch(`http://127.0.0.1:${this.adminPort}/metrics`)).text();
  }

  /** Resolves once no process serves an older version. */
  async inForce(): Promise<void> {
    const isInForce = async () => {
      const newest = this.versions.at(-1)!;
      const hashes = Array.from((await this.metrics()).matchAll(/config_info\{hash="(\w+)"/g), ([, hash]) => hash);
      if (hashes.join() !== newest.hash) return false;
      for (const version of this.versions.slice(0, this.versions.indexOf(newest) + 1))
        version.inForceAt = Math.min(version.inForceAt, now());
      return true;
    };
    await expect.poll(isInForce, { timeout: 20_000, interval: 50 }).toBe(true);
  }

  async ask(token: number, says: Asked['says']): Promise<void> {
    const { text: itsText, motif } = this.tokens[token]!;
    const id = `n${this.asked.length}.${Math.random().toString(36).slice(2)}`;
    const content = `${says} ${id}`;
    const body = JSON.stringify(says === 'no prompt' ? { messages: 1 } : { messages: [{ role: 'user', content }] });
    const headers = {
      authorization: `Bearer ${itsText}`,
      'content-type': 'application/json',
      ...(says === 'wrong tenant' ? { 'x-service-tenant-id': 'other' } : {}),
    };
    const from = now();
    const url = `http://127.0.0.1:${this.gateway.port}/api/v1/apps/${motif}/prompts`;
    const response = await fetch(url, { method: 'POST', headers, body });
    const json = (await response.json()) as Record<string, unknown>;
    this.asked.push({ id, token, says, from, to: now(), status: response.status, json });
    if (response.status === 200 && json.blocked === false) expect(json.response).toBe(content);
  }

  /** The versions that may have been in force at some moment of these. */
  between(from: number, to: number): readonly Version[] {
    return this.versions.filter(
      ({ writtenAt }, index) => writtenAt <= to && (this.versions[index + 1]?.inForceAt ?? Infinity) >= from,
    );
  }
}

type Act = (history: AccessHistory, token: number, value: number) => void | Promise<void>;
const burst =
  (says: Asked['says']): Act =>
  async (history, token, value) => {
    await Promise.all(Array.from({ length: 2 + value }, () => history.ask(token, says)));
  };
const limited =
  (name: LimitName, values: readonly number[]): Act =>
  (history, token, value) => {
    history.change(token, { limits: { ...history.tokens[token]!.limits, [name]: values[value % values.length]! } });
  };
export const acts: Readonly<Record<string, Act>> = {
  prompts: burst('hello'),
  'slow prompts': burst('slow'),
  'forbidden prompts': burst('forbidden'),
  'bodies without a prompt': burst('no prompt'),
  'prompts of a wrong tenant': burst('wrong tenant'),
  revoke: (history, token) =>
    history.change(token, {
      isListed: history.tokens.filter((one) => one.isListed && one.motif === history.tokens[token]!.motif).length === 1,
    }),
  'give back': (history, token) => history.change(token, { isListed: true, endsAt: never }),
  rotate: (history, token, value) => {
    const old = history.tokens[token]!;
    history.tokens.push(history.newToken(old.motif, old.limits));
    history.change(token, { endsAt: Date.now() + 50 * value });
  },
  'end soon': (history, token, value) => history.change(token, { endsAt: Date.now() + 100 * value }),
  'limit rpm': limited('rpm', [3, 10, 30]),
  'limit tokens': limited('tokens_per_day', [5, 23, 100]),
  'limit those in flight': limited('in_flight', [1, 3]),
  'limit the Motif': (history, token, value) => {
    const { motif } = history.tokens[token]!;
    history.motifs[motif] = { ...history.motifs[motif], rpm: 10 * (value + 1), tokens_per_day: 100 * (value + 1) };
    history.gateway.write(history.next());
  },
  SIGHUP: ({ gateway }) => gateway.kill('SIGHUP'),
  'wait until it is in force': (history) => history.inForce(),
};
