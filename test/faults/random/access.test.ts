import fc from 'fast-check';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { LimitName } from '../../../src/gateway/refusal.ts';
import {
  AccessHistory,
  acts,
  type Asked,
  now,
  tokensOfAnswer,
  type Version,
} from '../../support/rooms/access-history.ts';
import { runs } from '../../support/runs.ts';
import { listen } from '../../support/servers/fault-server.ts';
import { freePort } from '../../support/servers/free-port.ts';
import { gatewayProcess } from '../../support/servers/gateway-process.ts';

async function startProvider() {
  const active = new Map<string, { readonly from: number; to: number }>();
  const server = createServer((request, response) => {
    void text(request).then(async (body) => {
      const { content } = (JSON.parse(body) as { messages: { content: string }[] }).messages.at(-1)!;
      const at = { from: now(), to: Infinity };
      active.set(content.split(' ')[1]!, at);
      await wait(content.startsWith('slow') ? 80 : 2);
      at.to = now();
      const usage = { prompt_tokens: 2, completion_tokens: 3, total_tokens: tokensOfAnswer };
      response.end(JSON.stringify({ choices: [{ message: { content }, finish_reason: 'stop' }], usage }));
    });
  });
  onTestFinished(() => server.close().closeAllConnections());
  return { port: await listen(server), active };
}

const scopes = ['token', 'Motif'] as const;

/** Clocks of two processes. */
const slackMs = 50;

/** The limit that a 429 names. */
function limitOf({ status, json }: Asked) {
  const [, scope, name] = /of this (token|Motif) is reached \((\w+)/.exec(String(json.error)) ?? [];
  return status === 429 ? { scope: scope as (typeof scopes)[number], name: name as LimitName } : undefined;
}
const isLetIn = (asked: Asked): boolean => [200, 400].includes(asked.status) || limitOf(asked)?.name === 'in_flight';
const isAnswered = ({ status, json }: Asked): boolean => status === 200 && json.blocked === false;

class Oracle {
  constructor(readonly history: AccessHistory) {}

  motifOf({ token }: Asked): string {
    return this.history.tokens[token]!.motif;
  }

  /** The prompts that share a limit with this one. */
  fellows(asked: Asked, scope: (typeof scopes)[number]): readonly Asked[] {
    return this.history.asked.filter((other) =>
      scope === 'token' ? other.token === asked.token : this.motifOf(other) === this.motifOf(asked),
    );
  }

  /** That limit in each of the versions. */
  limits(
    asked: Asked,
    scope: (typeof scopes)[number],
    name: LimitName,
    versions: readonly Version[],
  ): readonly number[] {
    return versions.map(({ tokens, motifs }) => {
      const limits = scope === 'token' ? tokens[asked.token]?.limits : motifs[this.motifOf(asked)];
      return limits?.[name] ?? Infinity;
    });
  }

  /** The statuses that a prompt may get under one version, limits aside. */
  statuses({ token, says, from, to }: Asked, { tokens }: Version): readonly number[] {
    const { isListed, endsAt } = tokens[token] ?? { isListed: false, endsAt: 0 };
    const otherwise = { 'wrong tenant': 403, 'no prompt': 400 } as Readonly<Record<string, number>>;
    const live = isListed && from < endsAt + slackMs ? [otherwise[says] ?? 200] : [];
    return [...live, ...(!isListed || to > endsAt - slackMs ? [401] : [])];
  }

  /** True where a token may have been taken away while the prompt was on its way: then it may have counted. */
  isLate(asked: Asked): boolean {
    const versions = this.history.between(asked.from, asked.to);
    return asked.status === 401 && versions.some((version) => this.statuses(asked, version).some((one) => one !== 401));
  }

  checkStatus(asked: Asked): void {
    const versions = this.history.between(asked.from, asked.to);
    const told = JSON.stringify([asked, versions]);
    const may = versions.flatMap((version) => this.statuses(asked, version));
    if (asked.status === 429) {
      expect(
        may.some((status) => status === 200 || status === 400),
        told,
      ).toBe(true);
      this.checkRefusal(asked, versions, told);
    } else expect(may, told).toContain(asked.status);
    if (asked.status === 200) expect(asked.json.blocked, told).toBe(asked.says === 'forbidden');
    if (isLetIn(asked)) this.checkRoom(asked, versions, told);
  }

  /** A limit that refuses was reached by what may have counted until then. */
  checkRefusal(asked: Asked, versions: readonly Version[], told: string): void {
    const { scope, name } = limitOf(asked)!;
    const before = this.fellows(asked, scope).filter((other) => other !== asked && other.from < asked.to);
    const counts = {
      rpm: before.filter((other) => isLetIn(other) || this.isLate(other)).length,
      tokens_per_day: before.filter(isAnswered).length * tokensOfAnswer,
      in_flight: before.filter((other) => (isLetIn(other) || this.isLate(other)) && other.to > asked.from).length,
    };
    expect(counts[name], told).toBeGreaterThanOrEqual(Math.min(...this.limits(asked, scope, name, versions)));
  }

  /** A prompt that was let in had room beside all that had surely counted before it. */
  checkRoom(asked: Asked, versions: readonly Version[], told: string): void {
    for (const scope of scopes) {
      const most = (name: LimitName, among: readonly Version[]) => Math.max(...this.limits(asked, scope, name, among));
      // A limit counts from the moment on at which there is one.
      const counted = (name: LimitName) =>
        this.fellows(asked, scope).filter((other) => {
          const among = this.history.between(other.from, asked.to);
          return other.to <= asked.to && most(name, among) < Infinity && isLetIn(other);
        });
      const letIn = counted('rpm');
      // The last of them was let in after each of the others had been sent.
      const lastSentAt = Math.max(...letIn.map(({ from }) => from));
      const since = Math.min(asked.from, ...letIn.filter(({ to }) => to >= lastSentAt).map(({ from }) => from));
      // Of the minute before, as much counts as the last sixty seconds still cover.
      const covered = 1 - (asked.to - Math.min(asked.to, ...letIn.map(({ from }) => from))) / 60_000;
      const room = most('rpm', this.history.between(since, asked.to));
      expect((letIn.length - 1) * covered + 1, `rpm of ${scope}: ${told}`).toBeLessThanOrEqual(room);
      const answered = counted('tokens_per_day').filter((other) => other.to < asked.from && isAnswered(other));
      const tokens = answered.length * tokensOfAnswer;
      expect(tokens, `tokens of ${scope}: ${told}`).toBeLessThan(most('tokens_per_day', versions));
    }
  }

  /** All that the provider had in work at once had its place. */
  checkAtOnce(active: ReadonlyMap<string, { readonly from: number; readonly to: number }>): void {
    const answered = this.history.asked.filter(isAnswered);
    for (const asked of answered)
      for (const scope of scopes) {
        const { from: at } = active.get(asked.id)!;
        const atOnce = this.fellows(asked, scope).filter(({ id }) => {
          const other = active.get(id);
          return other !== undefined && other.from <= at && other.to > at;
        });
        const versions = this.history.between(Math.min(...atOnce.map(({ from }) => from)), at);
        const most = Math.max(...this.limits(asked, scope, 'in_flight', versions));
        expect(atOnce.length, JSON.stringify([atOnce, versions])).toBeLessThanOrEqual(most);
      }
  }
}

/** The sum of each group. */
function sums<Item>(items: readonly Item[], groupOf: (item: Item) => string, valueOf: (item: Item) => number) {
  const made: Record<string, number> = {};
  for (const item of items) made[groupOf(item)] = (made[groupOf(item)] ?? 0) + valueOf(item);
  return made;
}

test('each prompt gets what the file in force gives it, and all that counts it tells the same', async () => {
  const provider = await startProvider();
  const history = new AccessHistory(provider.port, await freePort());
  history.gateway = await gatewayProcess(history.next());
  await history.inForce();
  const step = fc.record({
    act: fc.constantFrom(...Object.keys(acts)),
    token: fc.nat(99),
    value: fc.nat(6),
    waitMs: fc.constantFrom(0, 0, 20, 200),
  });
  const steps = fc.array(step, { minLength: 2, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 1, maxLength: 3 }), async (lists) => {
      const run = async (list: (typeof lists)[number]) => {
        for (const { act, token, value, waitMs } of list) {
          await acts[act]!(history, token % history.tokens.length, value);
          await wait(waitMs);
        }
      };
      await Promise.all(lists.map(run));
    }),
    { ...runs(30), endOnFailure: true },
  );
  await history.inForce();
  const oracle = new Oracle(history);
  for (const asked of history.asked) oracle.checkStatus(asked);
  oracle.checkAtOnce(provider.active);

  const page = await history.metrics();
  const series = (name: string) =>
    Object.fromEntries(
      Array.from(page.matchAll(/^motif_gateway_(\w+)\{([^}]*)\} (\d+)$/gm))
        .filter(([, its]) => its === name)
        .map(([, , labels, value]) => [labels!.replaceAll(/\w+=/g, '').replaceAll('"', ''), Number(value)]),
    );
  expect(series('requests_total')).toEqual(
    sums(
      history.asked,
      ({ status }) => String(status),
      () => 1,
    ),
  );
  history.gateway.kill('SIGTERM');
  expect(await history.gateway.ended).toMatchObject({ code: 0 });
  const lines = history.gateway.audit() as { refused?: number; motif: string; decision: string; status: number }[];
  const standsFor = ({ refused = 1 }: { refused?: number }): number => refused;
  const known = history.asked.filter(({ status }) => status !== 401);
  const { 401: late = 0, ...told } = sums(lines, ({ status }) => String(status), standsFor);
  expect(told).toEqual(
    sums(
      known,
      ({ status }) => String(status),
      () => 1,
    ),
  );
  expect(late).toBeLessThanOrEqual(history.asked.filter((asked) => oracle.isLate(asked)).length);
  expect(series('prompts_total')).toEqual(sums(lines, ({ motif, decision }) => `${motif},${decision}`, standsFor));
  expect(Object.values(series('tokens_total')).reduce((sum, count) => sum + count, 0)).toBe(
    history.asked.filter(isAnswered).length * tokensOfAnswer,
  );
  for (const asked of history.asked.filter(({ status }) => status === 200)) {
    const own = history.gateway.audit().filter(({ prompt_id }) => prompt_id === asked.json.prompt_id);
    const { sha256, motif } = history.tokens[asked.token]!;
    const decision = isAnswered(asked) ? 'pass' : 'block';
    expect(own, JSON.stringify(asked)).toMatchObject([{ token_id: `${sha256.slice(0, 8)}x`, motif, decision }]);
    expect(history.between(asked.from, asked.to).map(({ hash }) => hash)).toContain(own[0]!.config);
  }
});
