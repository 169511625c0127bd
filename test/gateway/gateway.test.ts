import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyText } from '../fixtures/any-text.ts';
import { answering, expectFailure, testGateway, type TestRequest, tokens } from '../support/rooms/gateway.ts';

const quiet = { path: '/api/v1/apps/quiet/prompts' };
const quietHeaders = { authorization: `Bearer ${tokens.quiet.text}`, 'x-service-tenant-id': 'acme' };
const says = (content: string, role = 'user') => ({ messages: [{ role, content }] });

describe('an answer', () => {
  test('has exactly the keys of the contract, and says how long each part took', async () => {
    const gateway = await testGateway();
    const { status, json, headers } = await gateway.ask();
    expect(status).toBe(200);
    expect(json).toEqual({
      blocked: false,
      finish_reason: 'stop',
      prompt_id: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/) as string,
      response: 'fine',
      usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
    });
    expect(headers['server-timing']).toMatch(/^policy;dur=\d+, provider;dur=\d+, total;dur=\d+$/);
    expect(headers['cache-control']).toBe('no-store');
  });

  test("comes from the Motif's model and parameters: its system, then its knowledge, then the client's messages", async () => {
    const gateway = await testGateway({ handbook: '# Returns\n\nKettles can be returned within 30 days.\n' });
    const messages = [
      { role: 'system', content: 'Be brief.' },
      { role: 'assistant', content: 'Hello.' },
      { role: 'user', content: 'When can kettles be returned?' },
    ];
    await gateway.ask({ messages });
    const [request] = gateway.asked;
    expect(request).toMatchObject({ model: 'm-1', params: { temperature: 0 } });
    expect(request?.messages.map(({ role }) => role)).toEqual(['system', 'system', 'system', 'assistant', 'user']);
    expect(request?.messages[0]?.content).toBe('You answer for Acme.');
    expect(request?.messages[1]?.content).toContain('[handbook: Returns]');
    expect(request?.messages.slice(2)).toEqual(messages);
  });

  test('an empty one is an answer, and so is one that the provider filtered', async () => {
    const empty = await testGateway({ provider: answering('') });
    expect((await empty.ask()).json).toMatchObject({ blocked: false, response: '' });
    const usage = { prompt: 1, completion: 0, isEstimated: false };
    const filtered = await testGateway({ provider: async () => ({ text: '', finishReason: 'content_filter', usage }) });
    expect((await filtered.ask()).json).toMatchObject({
      blocked: false,
      response: '',
      finish_reason: 'content_filter',
    });
  });

  test('any text comes through both ways as it was', async () => {
    await fc.assert(
      fc.asyncProperty(anyText(300), async (text) => {
        const gateway = await testGateway({ provider: answering(text) });
        const { json, status } = await gateway.ask({ ...quiet, headers: quietHeaders, ...says(text) });
        // Half of a surrogate pair is no text, and goes no further.
        if (!text.isWellFormed()) expect({ status, asked: gateway.asked }).toEqual({ status: 400, asked: [] });
        else {
          expect(json.response).toBe(text);
          expect(gateway.asked[0]?.messages).toEqual([{ role: 'user', content: text }]);
        }
      }),
      { numRuns: 40 },
    );
  });
});

describe('the order of judging', () => {
  const wrong = {
    path: { path: '/api/v1/apps/bot/prompt' },
    method: { method: 'PUT' },
    token: { headers: { authorization: 'Bearer wrong' } },
    origin: { headers: { origin: 'https://evil.example' } },
    tenant: { headers: { 'x-service-tenant-id': 'other' } },
    type: { headers: { 'content-type': 'text/plain' } },
    size: { body: 'x'.repeat(70_000) },
    json: { body: '{"messages":' },
  } satisfies Record<string, TestRequest>;
  type Fault = keyof typeof wrong;
  const outcomes: readonly { fault: Fault; status: number; code: string }[] = [
    { fault: 'path', status: 404, code: 'not_found' },
    { fault: 'method', status: 405, code: 'method_not_allowed' },
    { fault: 'token', status: 401, code: 'unauthorized' },
    { fault: 'origin', status: 403, code: 'origin_forbidden' },
    { fault: 'tenant', status: 403, code: 'forbidden' },
    { fault: 'type', status: 415, code: 'unsupported_media_type' },
    { fault: 'size', status: 413, code: 'body_too_large' },
    { fault: 'json', status: 400, code: 'malformed_json' },
  ];

  test.each(outcomes)('$fault alone is $status $code, without a word of time', async ({ fault, ...expected }) => {
    const gateway = await testGateway();
    const reply = await gateway.ask(wrong[fault]);
    expectFailure(reply, expected);
    expect(reply.headers).not.toHaveProperty('server-timing');
    expect(gateway.asked).toEqual([]);
  });

  const pairs = outcomes.flatMap((first, index) => outcomes.slice(index + 1).map((second) => ({ first, second })));
  test.each(pairs)('$first.fault comes before $second.fault', async ({ first, second }) => {
    const gateway = await testGateway();
    const one: TestRequest = wrong[first.fault];
    const other: TestRequest = wrong[second.fault];
    const reply = await gateway.ask({ ...other, ...one, headers: { ...other.headers, ...one.headers } });
    expectFailure(reply, { status: first.status, code: first.code });
  });

  test('429 stands between 403 and 415', async () => {
    const gateway = await testGateway();
    const over = { ...quiet, headers: quietHeaders };
    for (const status of [200, 200, 429]) expect((await gateway.ask(over)).status).toBe(status);
    expectFailure(await gateway.ask({ ...over, headers: { ...quietHeaders, 'content-type': 'text/plain' } }), {
      status: 429,
      code: 'limited',
    });
    expectFailure(await gateway.ask({ ...over, headers: { ...quietHeaders, 'x-service-tenant-id': 'no' } }), {
      status: 403,
      code: 'forbidden',
    });
    expect(Number((await gateway.ask(over)).headers['retry-after'])).toBeGreaterThan(0);
  });

  test('401 and 405 say in their headers what would be right', async () => {
    const gateway = await testGateway();
    expect((await gateway.ask(wrong.token)).headers['www-authenticate']).toBe('Bearer');
    expect((await gateway.ask(wrong.method)).headers.allow).toBe('POST');
  });

  test('an unknown Motif looks like a wrong token, to the byte but for the prompt ID', async () => {
    const gateway = await testGateway();
    const strip = ({ status, json, headers }: Awaited<ReturnType<typeof gateway.ask>>) => {
      return { status, headers, json: { ...json, prompt_id: '' } };
    };
    const unknown = await gateway.ask({ path: '/api/v1/apps/nobody/prompts' });
    const badToken = await gateway.ask(wrong.token);
    expect(strip(unknown)).toEqual(strip(badToken));
  });

  test.each([
    '/api/v1/apps/bot/prompts/',
    '/api/v1/apps//prompts',
    '/api/v1/apps/bot',
    '/',
    '',
    '/api/v2/apps/bot/prompts',
    'http://gw.example/api/v1/apps/bot/prompts',
    '/api/v1/apps/bot/prompts#x',
    '/api/v1/apps/%zz/prompts',
    '//api/v1/apps/bot/prompts',
    '/api/v1/apps/bot/../bot/prompts',
    '/API/v1/apps/bot/prompts',
    '/api/v1/apps/bot/prompts;x',
    '/api/v1/apps/bot/prompts\n',
  ])('the path %j is nothing', async (path) => {
    const gateway = await testGateway();
    expectFailure(await gateway.ask({ path }), { status: 404, code: 'not_found' });
  });

  test.each(['/api/v1/apps/bot/prompts?x=1', '/api/v1/apps/%62ot/prompts'])(
    'the path %s is that of the Motif',
    async (path) => {
      const gateway = await testGateway();
      expect((await gateway.ask({ path })).status).toBe(200);
    },
  );
});

describe('headers', () => {
  test.each([
    ['application/json', 200],
    ['application/json; charset=utf-8', 200],
    ['Application/JSON;charset="UTF-8"', 200],
    ['application/json; charset=latin1', 415],
    ['application/json, application/json', 415],
    ['application/jsonp', 415],
    ['text/json', 415],
    [undefined, 415],
  ])('content type %s is %i', async (type, status) => {
    const gateway = await testGateway();
    expect((await gateway.ask({ headers: { 'content-type': type } })).status).toBe(status);
  });

  test.each([
    ['gzip', 415],
    ['identity', 200],
    ['br, gzip', 415],
  ])('content encoding %s is %i', async (encoding, status) => {
    const gateway = await testGateway();
    expect((await gateway.ask({ headers: { 'content-encoding': encoding } })).status).toBe(status);
  });

  test.each([
    { headers: { 'content-type': undefined }, says: 'content-type is missing' },
    { headers: { 'content-type': 'text/plain' }, says: 'content-type has to be application/json' },
    { headers: { 'content-encoding': 'gzip' }, says: 'leave out the header content-encoding' },
  ])('a 415 names the header and what it has to be: $says', async ({ headers, says }) => {
    const { body } = await (await testGateway()).ask({ headers });
    expect(JSON.stringify(body)).toContain(says);
  });

  test('two Authorization headers, which arrive joined, are none, also if both are right', async () => {
    const gateway = await testGateway();
    const twice = `Bearer ${tokens.bot.text}, Bearer ${tokens.bot.text}`;
    expect((await gateway.ask({ headers: { authorization: twice } })).status).toBe(401);
  });

  test.each(['https://evil.example', 'null', ''])(
    'an Origin header (%j) is refused, with or without a token',
    async (origin) => {
      const gateway = await testGateway();
      expectFailure(await gateway.ask({ headers: { origin } }), { status: 403, code: 'origin_forbidden' });
      expect((await gateway.ask({ headers: { origin, authorization: undefined } })).status).toBe(401);
    },
  );
});

describe('the body', () => {
  test.each([
    { body: '', says: 'line 1, column 1' },
    { body: '{"messages":[{"role":"user","content":"a"}]} x', says: 'JSON ends before' },
    { body: '{"messages":[],"messages":[]}', says: 'twice' },
    { body: '[]', says: 'must be an object' },
    { body: 'null', says: 'must be an object' },
    { body: '{}', says: 'messages must be an array' },
    { body: '{"messages":{}}', says: 'messages must be an array' },
    { body: '{"messages":[]}', says: 'messages must not be empty' },
    { body: '{"messages":[1]}', says: 'messages[0] must be an object' },
    { body: '{"messages":[{"content":"a"}]}', says: 'messages[0].role must be' },
    {
      body: '{"messages":[{"role":"tool","content":"a"}]}',
      says: 'messages[0].role must be one of system, user, assistant',
    },
    {
      body: '{"messages":[{"role":"user","content":"a"},{"role":"user","content":["a"]}]}',
      says: 'messages[1].content must be a string',
    },
    { body: '{"messages":[{"role":"user","content":"a"}],"stream":true}', says: 'stream' },
    { body: JSON.stringify({ messages: Array(5).fill({ role: 'user', content: 'a' }) }), says: 'at most 4' },
    { body: '['.repeat(30_000), says: 'nested deeper' },
    { body: '{"messages":[{"role":"user","content":1e999}]}', says: 'too large' },
    { body: new Uint8Array([0x7b, 0xff]), says: 'not UTF-8' },
    {
      body: '{"messages":[{"role":"user","content":"a"},{"role":"user","content":"4111 1111 \\ud800 1111 1111"}]}',
      says: 'messages[1].content must be Unicode text',
    },
    { body: '{"messages":[{"role":"user","content":"\\udc00\\ud800"}]}', says: 'half of a surrogate pair' },
  ])('$body is 400 and says: $says', async ({ body, says: words }) => {
    const gateway = await testGateway();
    const reply = await gateway.ask({ body });
    expect(reply.status).toBe(400);
    expect(reply.json.error).toContain(words);
    expect(gateway.asked).toEqual([]);
  });

  test('a prompt without messages is audited as one, so that statistics can leave it out', async () => {
    const gateway = await testGateway();
    await gateway.ask({ body: '{"messages":[]}' });
    expect(gateway.audited()).toMatchObject([{ decision: 'refused', reason: 'no_messages' }]);
  });

  test('half of a surrogate pair in an answer is U+FFFD, for policies and client alike', async () => {
    const gateway = await testGateway({ provider: answering('a\ud800b \ud83d\ude00 forbidden\udc00') });
    expect((await gateway.ask()).json).toMatchObject({ blocked: true });
    const passing = await testGateway({ provider: answering('a\ud800b \ud83d\ude00') });
    expect((await passing.ask()).json).toMatchObject({ blocked: false, response: 'a\ufffdb \ud83d\ude00' });
  });

  test('a whole surrogate pair goes on as it is', async () => {
    const gateway = await testGateway();
    const body = '{"messages":[{"role":"user","content":"\\ud83d\\ude00"}]}';
    expect((await gateway.ask({ body })).status).toBe(200);
    expect(gateway.asked[0]?.messages.at(-1)?.content).toBe('\u{1f600}');
  });

  test('unknown fields are ignored, __proto__ too', async () => {
    const gateway = await testGateway();
    const body =
      '{"messages":[{"role":"user","content":"a","name":"n"}],"stream":false,"model":"x","__proto__":{"a":1}}';
    expect((await gateway.ask({ body })).status).toBe(200);
    expect(gateway.asked[0]?.messages.at(-1)).toEqual({ role: 'user', content: 'a' });
    expect(gateway.asked[0]?.model).toBe('m-1');
  });

  test('no bytes make the gateway throw, and each refusal has the one shape', async () => {
    const gateway = await testGateway();
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (body) => {
        expectFailure(await gateway.ask({ body }), { status: 400, code: expect.any(String) as string });
      }),
    );
  });
});
