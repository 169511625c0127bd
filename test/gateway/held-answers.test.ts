import { expect, test } from 'vitest';
import { heldAnswersMax } from '../../src/gateway/access/byte-budget.ts';
import type { Provider } from '../../src/gateway/vocabulary.ts';
import { answering, gatewayFile, testGateway } from '../support/rooms/gateway.ts';

const file = gatewayFile.replace(/in_flight: \d+/g, 'in_flight: 200').replace(/rpm: \d+/g, 'rpm: 10000');
const share = heldAnswersMax / 4;

/** Answers each prompt with so many bytes, once it is told to. */
function slowly(bytes: () => number) {
  const waiting: (() => void)[] = [];
  const ask: Provider['ask'] = async (request, limits) => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    const refusal = limits.received?.(bytes());
    if (refusal !== undefined) throw refusal;
    return answering('fine')(request, limits);
  };
  const answer = (): void => waiting.splice(0).forEach((go) => go());
  return { ask, answer, waiting };
}

async function askMany(count: number, bytes: () => number, rounds: number) {
  const provider = slowly(bytes);
  const gateway = await testGateway({ file, provider: provider.ask });
  const statuses: number[][] = [];
  for (let round = 0; round < rounds; round++) {
    const asking = Array.from({ length: count }, () => gateway.ask());
    await expect.poll(() => gateway.load.inFlight === provider.waiting.length && provider.waiting.length).not.toBe(0);
    provider.answer();
    const replies = await Promise.all(asking);
    for (const { taken } of replies) taken?.();
    statuses.push(replies.map(({ status }) => status));
  }
  expect(gateway.load.answers.hasRoom('bot t1', share)).toBe(true);
  return { statuses, asked: gateway.asked.length };
}

test('of a token with large answers a provider is asked for no more at once than find room', async () => {
  const [first, second] = (await askMany(100, () => share / 12, 2)).statuses;
  const count = (statuses: number[] | undefined, status: number) => statuses?.filter((each) => each === status).length;
  expect(count(first, 502)).toBeGreaterThan(80);
  expect(count(second, 502)).toBe(0);
  expect(count(second, 200)).toBeGreaterThan(2);
  expect(count(second, 503)).toBeGreaterThan(80);
});

test('one prompt of a token at a time is asked however large its latest answers were', async () => {
  let round = 0;
  const bytes = () => (round++ < 400 ? share : 10);
  const { statuses } = await askMany(1, bytes, 402);
  expect(new Set(statuses.flat())).toEqual(new Set([200]));
});

test('a single large answer of a token leaves its next ones as many at once as before', async () => {
  let round = 0;
  const bytes = () => (round++ === 0 ? share / 2 : 10);
  const { statuses } = await askMany(100, bytes, 2);
  expect(new Set(statuses.flat())).toEqual(new Set([200]));
});
