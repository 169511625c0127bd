import { describe, expect, test } from 'vitest';
import { type ClientSettings, createClient } from '../../src/client/client.ts';
import { MotifError, TransportError } from '../../src/errors.ts';
import { Secret } from '../../src/text/secret.ts';
import { answered, blocked, refused, type ScriptedService, service } from '../support/service.ts';
import { fakeWorld } from '../support/world.ts';

const settings: ClientSettings = {
  target: { baseUrl: 'https://gw.example', motifId: 'support-bot' },
  token: new Secret('mtf_test_4Zq9Lw7Yb2Xn8Vc3'),
  tokenFrom: 'profile support-bot',
  connection: { connectTimeoutMs: 10_000 },
  timeoutMs: 20_000,
  retries: 2,
};
const messages = [{ role: 'user', content: 'hi' }];

function client(scripted: ScriptedService, own: Partial<ClientSettings> = {}) {
  const world = fakeWorld({ send: scripted.send });
  const notices: string[] = [];
  return {
    world,
    notices,
    client: createClient({ ...settings, ...own }, world, { notice: (text) => void notices.push(text) }),
  };
}

const failureOf = async (work: Promise<unknown>): Promise<MotifError> => {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(MotifError);
  return error as MotifError;
};

describe('a prompt', () => {
  test('comes back as what the service said, with what it took', async () => {
    const outcome = await client(service()).client.prompt(messages);
    expect(outcome).toMatchObject({
      status: 200,
      attempts: 1,
      elapsedMs: 0,
      reply: { blocked: false, response: answered.response },
    });
    expect(outcome.timings.totalMs).toBe(41);
  });

  test('a block is an outcome, no failure', async () => {
    const outcome = await client(service({ body: blocked })).client.prompt(messages);
    expect(outcome.reply).toMatchObject({ blocked: true, response: null });
  });

  test('counts its attempts and its waits, and announces each', async () => {
    const limited = { status: 429, headers: { 'retry-after': '4' }, body: { error: 'x' } };
    const { client: made, notices } = client(service(limited, limited, {}));
    expect(await made.prompt(messages)).toMatchObject({ attempts: 3, elapsedMs: 8000 });
    expect(notices).toHaveLength(2);
    expect(notices[0]).toMatch(/429.*4 s.*1 of 2/);
  });

  test.each([
    {
      name: 'a service that cannot be reached is asked every 5 s, and the last wait leaves 5 s for the answer',
      reply: refused(),
      retries: 8,
      timeoutMs: 30_000,
      slept: [1000, 2000, 4000, 5000, 5000, 5000, 3000],
      says: 'gave up after 7 of 8 retries: no time is left for another in the timeout of 30 s (--timeout)',
    },
    {
      name: 'of a short timeout a quarter is left for the answer',
      reply: refused(),
      retries: 5,
      timeoutMs: 2000,
      slept: [1000, 500],
      says: 'gave up after 2 of 5 retries: no time is left for another in the timeout of 2 s (--timeout)',
    },
    {
      name: 'all retries were made',
      reply: refused(),
      retries: 2,
      timeoutMs: 30_000,
      slept: [1000, 2000],
      says: 'gave up after 2 of 2 retries (MOTIF_RETRIES); allow more: --retries 5',
    },
    {
      name: 'more than that offers more than that',
      reply: refused(),
      retries: 8,
      timeoutMs: 600_000,
      slept: [1000, 2000, 4000, 5000, 5000, 5000, 5000, 5000],
      says: 'gave up after 8 of 8 retries (MOTIF_RETRIES); allow more: --retries 16',
    },
    {
      name: 'a 429 that names no wait is left alone for up to a minute',
      reply: { status: 429, body: {} },
      retries: 20,
      timeoutMs: 150_000,
      slept: [1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 22_000],
      says: 'gave up after 8 of 20 retries: no time is left for another in the timeout of 2 m 30 s (--timeout)',
    },
    {
      name: 'all retries were made, and the timeout leaves no time for the ones that are offered',
      reply: { status: 429, body: {} },
      retries: 2,
      timeoutMs: 10_000,
      slept: [1000, 2000],
      says: 'gave up after 2 of 2 retries (MOTIF_RETRIES); allow more: --retries 5; the timeout is 10 s (--timeout)',
    },
    {
      name: 'a 429 with Retry-After, all retries made',
      reply: { status: 429, headers: { 'retry-after': '3' }, body: {} },
      retries: 2,
      timeoutMs: 30_000,
      slept: [3000, 3000],
      says: 'gave up after 2 of 2 retries (MOTIF_RETRIES); allow more: --retries 5',
    },
    {
      name: 'a 429 whose second Retry-After ends too late',
      reply: { status: 429, headers: { 'retry-after': '20' }, body: {} },
      retries: 3,
      timeoutMs: 30_000,
      slept: [20_000],
      says: 'gave up after 1 of 3 retries',
    },
    {
      name: 'a 429 where retries are off',
      reply: { status: 429, body: {} },
      retries: 0,
      timeoutMs: 30_000,
      slept: [],
      says: 'retries are off (retries 0 from MOTIF_RETRIES)',
    },
  ])('its last failure says how its retries ended: $name', async ({ reply, retries, timeoutMs, slept, says }) => {
    const timeoutSource = { from: '--timeout', more: (time: string) => `--timeout ${time}` };
    const own = { retries, timeoutMs, timeoutSource, retriesFrom: 'MOTIF_RETRIES' };
    const { client: made, world } = client(service(reply), own);
    const { attempts, hints } = await failureOf(made.prompt(messages));
    expect(world.slept).toEqual(slept);
    expect(attempts).toBe(slept.length + 1);
    expect(hints.at(-1)?.split('; allow more time')[0]).toBe(says);
    // Nobody is sooner at a service that is not there.
    expect(reply instanceof TransportError && hints.join().includes('allow more time')).toBe(false);
  });

  test.each([
    { name: 'no retries are wanted', reply: refused(), retries: 0 },
    { name: 'the prompt may have run', reply: { status: 500, body: {} }, retries: 2 },
  ])('says nothing of retries where $name', async ({ reply, retries }) => {
    const { hints } = await failureOf(client(service(reply), { retries }).client.prompt(messages));
    expect(hints.join()).not.toMatch(/retr/);
  });

  test('has one deadline for all of it', async () => {
    const scripted = service({ status: 429, headers: { 'retry-after': '4' }, body: '' }, {});
    const { client: made, world } = client(scripted);
    const startedAt = world.monotonic();
    await made.prompt(messages);
    expect(scripted.requests.map(({ options }) => options.deadlineAt)).toEqual([
      startedAt + 20_000,
      startedAt + 20_000,
    ]);
  });

  test('a second prompt has a deadline of its own', async () => {
    const scripted = service();
    const { client: made, world } = client(scripted);
    await made.prompt(messages);
    await world.advance(60_000);
    await made.prompt(messages);
    expect(scripted.requests[1]?.options.deadlineAt).toBe(world.monotonic() + 20_000);
  });

  test('never begins an attempt that its deadline forbids', async () => {
    const scripted = service({ status: 429, headers: { 'retry-after': '21' }, body: '' }, {});
    const { client: made, world } = client(scripted);
    expect(await failureOf(made.prompt(messages))).toMatchObject({ kind: 'limited', status: 429, attempts: 1 });
    expect(world.slept).toEqual([]);
  });

  test.each([
    { name: 'before it is sent', abortFirst: true },
    { name: 'while it is waited for', abortFirst: false },
  ])('is given up when asked to, $name, with the reason that was given', async ({ abortFirst }) => {
    const controller = new AbortController();
    const reason = new Error('enough');
    const scripted = service(refused());
    const { client: made } = client(scripted, { retries: 100, timeoutMs: 3_600_000 });
    if (abortFirst) controller.abort(reason);
    else setImmediate(() => controller.abort(reason));
    await expect(made.prompt(messages, controller.signal)).rejects.toBe(reason);
  });

  test('an error that is no failure of the service is passed on as it is', async () => {
    const bug = new TypeError('a bug');
    await expect(client(service(bug)).client.prompt(messages)).rejects.toBe(bug);
  });
});

describe('a failure', () => {
  test.each([
    { status: 400, kind: 'rejected' },
    { status: 401, kind: 'auth' },
    { status: 403, kind: 'auth' },
    { status: 404, kind: 'rejected' },
    { status: 408, kind: 'timeout' },
    { status: 429, kind: 'limited' },
    { status: 302, kind: 'service' },
    { status: 500, kind: 'service' },
    { status: 503, kind: 'service' },
  ])('$status is $kind, with the status and the detail of the service', async ({ status, kind }) => {
    const detail = { code: 'x', list: [1] };
    const { client: made } = client(service({ status, body: { error: detail } }), { retries: 0 });
    expect(await failureOf(made.prompt(messages))).toMatchObject({ kind, status, detail, attempts: 1 });
  });

  test('a token that is not accepted is named by its place, never by its text', async () => {
    const error = await failureOf(client(service({ status: 401, body: { error: 'no' } })).client.prompt(messages));
    const said = [error.message, ...error.notes, ...error.hints].join('\n');
    expect(said).toContain('profile support-bot');
    expect(said).not.toContain('4Zq9');
  });

  test('a transport failure keeps its kind and gets the number of attempts', async () => {
    const lost = new TransportError('timeout', 'no answer in time', { layer: 'http', sent: true });
    expect(await failureOf(client(service(lost)).client.prompt(messages))).toMatchObject({
      kind: 'timeout',
      attempts: 1,
    });
    expect(await failureOf(client(service(refused())).client.prompt(messages))).toMatchObject({
      kind: 'network',
      attempts: 3,
    });
  });
});

describe('verify asks no model', () => {
  test('its body is an empty prompt', async () => {
    const scripted = service({ status: 400, body: { error: 'messages must not be empty' } });
    await client(scripted).client.verify();
    expect(scripted.requests[0]).toMatchObject({
      url: 'https://gw.example/api/v1/apps/support-bot/prompts',
      body: '{"messages":[]}',
    });
  });

  test.each([
    { status: 200, accepted: true },
    { status: 204, accepted: true },
    { status: 400, accepted: true },
    { status: 404, accepted: true },
    { status: 413, accepted: true },
    { status: 422, accepted: true },
    { status: 302, accepted: false },
    { status: 500, accepted: false },
    { status: 503, accepted: false },
  ])('$status: accepted is $accepted', async ({ status, accepted }) => {
    const verification = await client(service({ status, body: '' }), { retries: 0 })
      .client.verify()
      .catch((error: unknown) => (error instanceof MotifError ? { accepted: false, status: error.status } : error));
    expect(verification).toMatchObject({ accepted, status });
  });

  test.each([401, 403])('%i is a failure of kind auth', async (status) => {
    expect(await failureOf(client(service({ status, body: '' })).client.verify())).toMatchObject({
      kind: 'auth',
      status,
    });
  });
});
