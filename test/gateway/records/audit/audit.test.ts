import { describe, expect, test } from 'vitest';
import { durationText } from '../../../../src/gateway/records/audit/line.ts';
import { ProviderFailure } from '../../../../src/gateway/vocabulary.ts';
import { readWrittenText, tableRows } from '../../../support/texts/written-examples.ts';
import { auditEntry, memoryAudit } from '../../../support/rooms/audit/memory-audit.ts';
import { answering, expectFailure, gatewayFile, testGateway, tokens } from '../../../support/rooms/gateway.ts';

const says = (content: string) => ({ messages: [{ role: 'user', content }] });
const full = () => Promise.reject(new Error('the disk is full'));

describe('the line of a prompt', () => {
  test('has the fields of the contract, in their order', async () => {
    const gateway = await testGateway();
    const { json } = await gateway.ask({ ...says('noteworthy'), headers: { 'x-service-tenant-id': 'acme' } });
    const [line] = gateway.audited();
    expect(line).toEqual({
      time: '2026-11-21T12:00:00.000Z',
      prompt_id: json.prompt_id,
      motif: 'bot',
      team: null,
      token_id: 't1',
      user: 'ana',
      tenant: 'acme',
      decision: 'warn',
      rules: [
        {
          policy: 'note',
          rule: 'word',
          on: 'prompt',
          action: 'warn',
          message: 1,
          start: 0,
          length: 10,
          place: { of: 'client', message: 0, start: 0 },
        },
      ],
      action: 'warn',
      provider: 'mock',
      model: 'm-1',
      model_answered: null,
      provider_request_id: null,
      fallback: false,
      usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
      ms: {
        policy: expect.any(Number) as number,
        provider: expect.any(Number) as number,
        total: expect.any(Number) as number,
      },
      status: 200,
      reason: null,
      traceparent: null,
      config: expect.stringMatching(/^[0-9a-f]{16}$/) as string,
      writer: expect.stringMatching(/^[0-9a-f]{12}$/) as string,
      line: 1,
    });
    expect(Object.keys(line ?? {}).join()).toBe(
      'time,prompt_id,motif,team,token_id,user,tenant,decision,rules,action,provider,model,model_answered,' +
        'provider_request_id,fallback,usage,ms,status,reason,traceparent,config,writer,line',
    );
  });

  test('says where a policy blocked, never what it found', async () => {
    const gateway = await testGateway();
    await gateway.ask(says('so forbidden'));
    expect(gateway.audited()).toMatchObject([
      { decision: 'block', action: 'block', rules: [{ policy: 'no-word', message: 1, start: 3, length: 9 }] },
    ]);
    expect(JSON.stringify([gateway.audited(), gateway.logged])).not.toContain('forbidden');
  });

  test('names the places that matter most, and not more than fit into a line', async () => {
    const gateway = await testGateway({ file: gatewayFile.replace('messages: 4', 'messages: 40') });
    const messages = Array.from({ length: 20 }, () => ({ role: 'user', content: 'noteworthy '.repeat(90) }));
    await gateway.ask({ messages: [...messages, { role: 'user', content: 'so forbidden' }] });
    const [line] = gateway.audited();
    expect(line?.rules).toHaveLength(1000);
    expect(line).toMatchObject({ decision: 'block', rules: { 0: { policy: 'no-word', message: 21 } } });
  });

  test('marks counts that were estimated', async () => {
    const gateway = await testGateway({ provider: answering('a', { prompt: 1, completion: 1, isEstimated: true }) });
    await gateway.ask();
    expect(gateway.audited()).toMatchObject([{ usage: { total_tokens: 2, estimated: true } }]);
  });

  test('is written for what was refused of a caller whose token is right, and for none that is unknown', async () => {
    const gateway = await testGateway();
    const refused = await gateway.ask({ body: '{' });
    await gateway.ask({ headers: { authorization: undefined } });
    expect(gateway.audited()).toMatchObject([{ prompt_id: refused.json.prompt_id, decision: 'refused', status: 400 }]);
    expect(gateway.audited()).toHaveLength(1);
  });

  test('with text it holds what passed, as it passed, and nothing of what did not', async () => {
    const file = gatewayFile.replace('audit: { file: audit.jsonl }', 'audit: { file: audit.jsonl, text: true }');
    const gateway = await testGateway({ file, provider: answering('hideme') });
    await gateway.ask(says('hideme please'));
    await gateway.ask(says('so forbidden'));
    const [passed, blocked] = gateway.audited();
    expect(passed).toMatchObject({ messages: [{ role: 'system' }, { content: '[WORD] please' }], response: '[WORD]' });
    expect(Object.keys(blocked ?? {})).not.toContain('messages');
    expect(JSON.stringify([gateway.audited(), gateway.logged])).not.toMatch(/forbidden|hideme/);
  });
});

describe('what a line says of a failure and of who asked', () => {
  const failing = (parts: ConstructorParameters<typeof ProviderFailure>[2]) => () =>
    Promise.reject(new ProviderFailure(502, 'the provider failed', parts));

  test.each([
    {
      name: 'a cause of the provider',
      setup: { provider: failing({ reason: 'provider 401' }) },
      reason: 'provider 401',
    },
    { name: 'a body that is none', setup: {}, ask: { body: '{' }, reason: 'malformed_json' },
    {
      name: 'a tenant ID that is missing',
      setup: {},
      ask: { path: '/api/v1/apps/quiet/prompts', headers: { authorization: `Bearer ${tokens.quiet.text}` } },
      reason: 'tenant_missing',
    },
    {
      name: 'a wrong tenant ID, which the line does not repeat',
      setup: {},
      ask: { headers: { 'x-service-tenant-id': 'hush' } },
      reason: 'tenant_wrong',
    },
    {
      name: 'a web page that asks',
      setup: {},
      ask: { headers: { origin: 'https://evil.example' } },
      reason: 'origin_forbidden',
    },
  ])('$name', async ({ setup, ask = {}, reason }) => {
    const gateway = await testGateway(setup);
    const { json } = await gateway.ask(ask);
    expect(gateway.audited()).toMatchObject([{ prompt_id: json.prompt_id, reason, tenant: null }]);
    expect(JSON.stringify(gateway.audited())).not.toContain('hush');
  });

  test('what a provider told of itself, a fallback, and the trace of the caller', async () => {
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const gateway = await testGateway({
      provider: async (request, options) => {
        Object.assign(options.exchange ?? {}, { provider: 'second', modelAnswered: 'm-1-2026', isFallback: true });
        expect(options.traceparent).toBe(traceparent);
        return await answering('fine')(request, options);
      },
    });
    await gateway.ask({ headers: { traceparent } });
    await gateway.ask({ headers: { traceparent: 'x"y' } }).catch(() => undefined);
    const told = { provider: 'second', model: 'm-1', model_answered: 'm-1-2026', fallback: true };
    expect(gateway.audited()).toMatchObject([
      { ...told, traceparent },
      { decision: 'failed', traceparent: null },
    ]);
  });
});

describe('an audit file that is full', () => {
  test('refuses the answer, then asks no provider, and goes on once there is room', async () => {
    let isFull = true;
    const written: string[] = [];
    const write = (text: string) => (isFull ? full() : Promise.resolve(void written.push(text)));
    const gateway = await testGateway({ write });
    for (const asked of [1, 1, 1]) {
      expectFailure(await gateway.ask(), { status: 503, code: 'audit_unavailable' });
      expect(gateway.asked).toHaveLength(asked);
    }
    isFull = false;
    // Writing the line of this refusal shows the gateway that there is room again.
    expect((await gateway.ask()).status).toBe(503);
    expect((await gateway.ask()).status).toBe(200);
    expect(written).toHaveLength(2);
    expect(gateway.metrics.snapshot().motif_gateway_audit_failures_total).toBe(3);
    expect(gateway.logged.filter((line) => line.includes('could not be written'))).toHaveLength(1);
  });

  test('does not keep a prompt from its answer where the file says warn', async () => {
    const file = gatewayFile.replace('audit: { file: audit.jsonl }', 'audit: { file: audit.jsonl, when_full: warn }');
    const gateway = await testGateway({ file, write: full });
    expect((await gateway.ask()).status).toBe(200);
    await expect.poll(() => gateway.logged.join('')).toContain('could not be written');
  });
});

test('what is answered in one turn of the event loop is one write, and closing writes what is left', async () => {
  const writes: string[] = [];
  const gateway = await testGateway({ write: async (text) => void writes.push(text) });
  await Promise.all([gateway.ask(), gateway.ask(), gateway.ask()]);
  expect(writes.length).toBeLessThan(3);
  await gateway.ask();
  await gateway.audit?.close();
  expect(writes.join('').trim().split('\n')).toHaveLength(5);
  expect(JSON.parse(writes.at(-1) ?? '')).toMatchObject({
    event: 'seal',
    first: 1,
    last: 4,
    before: null,
    final: true,
  });
});

test('the line of a prompt that was the only one is written at once, unless others wait, and all in their order', async () => {
  const { audit, memory } = await memoryAudit();
  void audit.record({ ...auditEntry, user: 'ana' }, true);
  expect(memory.text).toContain('"user":"ana"');
  const waiting = audit.record({ ...auditEntry, user: 'bo' });
  const only = audit.record({ ...auditEntry, user: 'cy' }, true);
  expect(memory.text).not.toMatch(/"user":"(bo|cy)"/);
  expect(await Promise.all([waiting, only])).toEqual([true, true]);
  expect(memory.text.match(/"user":"(..)/g)).toEqual(['"user":"an', '"user":"bo', '"user":"cy']);
});

test('no value can end a log line or speak to a terminal, and none is long', async () => {
  const detail = `\r\n{"level":"info"}\u001b[31m\u202e\u009b${'x'.repeat(5000)}`;
  const gateway = await testGateway({
    provider: () => Promise.reject(new ProviderFailure(502, 'the provider failed', { detail })),
  });
  await gateway.ask({ path: '/\r\n\u001b[0m' });
  await gateway.ask();
  for (const line of gateway.logged) {
    expect(line.trimEnd()).toMatch(/^[\x20-\x7e…]+$/);
    expect(line.length).toBeLessThan(3000);
    expect(JSON.parse(line)).toMatchObject({ time: '2026-11-21T12:00:00.000Z' });
  }
  expect(gateway.logged.length).toBeGreaterThanOrEqual(3);
});

test('no token stands in the log, the audit or a reply', async () => {
  const gateway = await testGateway();
  const replies = [
    await gateway.ask(),
    await gateway.ask({ headers: { authorization: `Bearer ${tokens.quiet.text}` } }),
    await gateway.ask({ headers: { authorization: tokens.bot.text } }),
  ];
  const everything = JSON.stringify([replies, gateway.audited(), gateway.logged]);
  for (const { text } of Object.values(tokens)) expect(everything).not.toContain(text);
});

test.each([
  [0, '0'],
  [-0.5, '0'],
  [0.0004, '0'],
  [0.0006, '0.001'],
  [0.25, '0.25'],
  [1.05, '1.05'],
  [1.5, '1.5'],
  [12, '12'],
  [12.3456, '12.346'],
  [123_456.7, '123456.7'],
])('a duration of %d ms is written %s', (ms, text) => {
  expect(durationText(ms)).toBe(text);
});

test('the manual names every field of a line, in its order', async () => {
  const gateway = await testGateway({
    file: gatewayFile.replace('audit: { file: audit.jsonl }', 'audit: { file: audit.jsonl, text: true }'),
  });
  await gateway.ask();
  const written = Object.keys(gateway.audited()[0] ?? {});
  const { text } = readWrittenText('src/manual/audit.md');
  const named = tableRows(text, 'Field').flatMap(([cell = '']) => cell.split(', '));
  expect(named.filter((name) => !['excepted', 'resent', 'refused', 'empty'].includes(name))).toEqual(written);
});
