import { expect, test } from 'vitest';
import type { Counters } from '../../src/gateway/access/counters.ts';
import type { Provider } from '../../src/gateway/vocabulary.ts';
import { answering, gatewayFile, testGateway } from '../support/rooms/gateway.ts';

const file = gatewayFile.replace('in_flight: 9', 'tokens_per_day: 9');

function counting(addTokens: (tokens: number) => Promise<void>): Counters {
  return {
    takePrompt: () => undefined,
    takePlace: () => undefined,
    givePlace: () => undefined,
    addTokens: (_, tokens) => addTokens(tokens),
  };
}

test('the prompt of a client that goes before the answer counts, by an estimate', async () => {
  const counted: number[] = [];
  const counters = counting(async (tokens) => void counted.push(tokens));
  const gone = new AbortController();
  const provider = (): Promise<never> => {
    gone.abort(new Error('gone'));
    return Promise.reject(new Error('aborted'));
  };
  const gateway = await testGateway({ counters, file, provider });
  expect((await gateway.ask({ signal: gone.signal })).status).toBe(499);
  const [line] = gateway.audited();
  expect(line).toMatchObject({ reason: 'client_gone', usage: { completion_tokens: 0, estimated: true } });
  expect(counted).toEqual([(line!.usage as { prompt_tokens: number }).prompt_tokens]);
  expect(counted[0]).toBeGreaterThan(0);
});

test('the prompt of a client that goes before it was sent counts nothing', async () => {
  const counted: number[] = [];
  const counters = counting(async (tokens) => void counted.push(tokens));
  const gone = new AbortController();
  const provider: Provider['ask'] = (_, { exchange }) => {
    exchange!.isUnsent = true;
    gone.abort(new Error('gone'));
    return Promise.reject(new Error('aborted'));
  };
  const gateway = await testGateway({ counters, file, provider });
  expect((await gateway.ask({ signal: gone.signal })).status).toBe(499);
  expect(counted).toEqual([]);
  expect(gateway.audited()).toMatchObject([{ usage: { prompt_tokens: 0, completion_tokens: 0 } }]);
});

test.each([{ text: 'fine' }, { text: 'forbidden' }])(
  'the answer $text is sent once its tokens count',
  async ({ text }) => {
    let count = (): void => {};
    const counters = counting(() => new Promise((resolve) => (count = resolve)));
    const gateway = await testGateway({ counters, file, provider: answering(text) });
    let isSent = false;
    const asking = gateway.ask().finally(() => (isSent = true));
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
    expect(isSent).toBe(false);
    count();
    expect((await asking).status).toBe(200);
  },
);

test('of a client that has gone before its provider is asked nothing is sent, and nothing counts', async () => {
  const gone = new AbortController();
  const gateway = await testGateway();
  const { status } = await gateway.ask({ signal: gone.signal, meanwhile: () => gone.abort(new Error('gone')) });
  expect([status, gateway.asked, gateway.audited()]).toMatchObject([
    499,
    [],
    [{ provider: null, usage: { total_tokens: 0 } }],
  ]);
});

test('a reply waits until the place of its prompt is free, so that the next prompt finds it', async () => {
  let give = () => {};
  const given = new Promise<void>((resolve) => (give = resolve));
  let isReady = false;
  const counters = { ...counting(async () => {}), givePlace: () => given };
  const gateway = await testGateway({ counters, file });
  const asked = gateway.ask().then((reply) => ((isReady = true), reply));
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(isReady).toBe(false);
  give();
  expect((await asked).status).toBe(200);
});
