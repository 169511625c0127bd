import { describe, expect, test } from 'vitest';
import { motif, testUrl } from '../../support/motif.ts';
import { prompt } from '../../support/rooms/prompt.ts';
import { service } from '../../support/service.ts';

describe('what nobody reads costs nothing', () => {
  const deep = '['.repeat(100_000) + ']'.repeat(100_000);
  test.each([
    { name: 'a key named twice in it', extra: '{"id":1,"id":2}' },
    { name: 'a hundred thousand levels', extra: deep },
  ])('$name: the answer that was paid for is printed', async ({ extra }) => {
    const body = `{"blocked":false,"response":"paid for","finish_reason":"stop","trace":${extra}}`;
    const run = await prompt(['hi'], {}, service({ body }));
    expect(run).toMatchObject({ exitCode: 0, stdout: 'paid for\n' });
  });

  test.each([
    { name: 'response', body: '{"blocked":false,"response":"a","response":"b"}' },
    { name: 'blocked', body: '{"blocked":false,"response":"a","blocked":false}' },
    { name: 'any other field of the envelope', body: '{"blocked":false,"response":"a","x":1,"x":{"y":1,"y":2}}' },
  ])('$name twice is still outside the contract', async ({ body }) => {
    expect(await prompt(['hi'], {}, service({ body }))).toMatchObject({ exitCode: 5, stdout: '' });
  });
});

describe('a failure keeps what the service said', () => {
  const body = { error: 'who are you?', code: 'tenant_required', prompt_id: '01JABCDEFGHJKMNPQRSTVWXYZ0' };
  test.each([401, 403, 400, 429, 503, 504])('%i: its prompt_id and its code', async (status) => {
    const run = await prompt(['hi', '--json', '--retries', '0'], {}, service({ status, body }));
    expect(JSON.parse(run.stdout)).toMatchObject({
      ok: false,
      prompt_id: body.prompt_id,
      status,
      error: { code: body.code, detail: body.error },
    });
    expect(run.stderr).toContain(`\n  prompt_id ${body.prompt_id}\n`);
  });

  /** A proxy or a firewall answers in the place of the service. */
  test.each([
    {
      name: 'a firewall',
      reply: { status: 403, body: '<h1>Blocked by WAF 17</h1>' },
      says: '<h1>Blocked by WAF 17</h1>',
    },
    { name: 'a proxy', reply: { status: 503, body: 'down' }, says: 'down' },
    { name: 'another JSON', reply: { status: 400, body: '{"message":"elsewhere"}' }, says: '{"message":"elsewhere"}' },
  ])('and so are the words of $name, in every form', async ({ reply, says }) => {
    const run = await prompt(['hi', '--json', '--retries', '0'], {}, service(reply));
    expect((JSON.parse(run.stdout) as { error: object }).error).toMatchObject({ detail: says });
    expect(run.stderr).toContain(`"${says}"`);
    const files = { 'c.csv': 'id,prompt,expect\na,Hi,answered\n' };
    const check = await motif(['check', 'c.csv', '--retries', '0'], { files, send: service(reply).send });
    expect(check).toMatchObject({ exitCode: 11 });
    expect(check.stdout).toContain(`; the service said: ${says}`);
    expect(check.stderr).toContain(`; the service said: ${says}\n`);
    const document = await motif(['check', '--json', 'c.csv', '--retries', '0'], { files, send: service(reply).send });
    expect(JSON.parse(document.stdout)).toMatchObject({ cases: [{ error: { detail: says } }] });
  });

  test.each([
    { argv: ['prompt', 'hi'] },
    { argv: ['prompt', '--json', 'hi'] },
    { argv: ['chat', '--no-save'] },
    { argv: ['chat', '--no-save', '--json'] },
    { argv: ['batch', 'rows.jsonl'] },
    { argv: ['check', 'cases.csv', '--json'] },
    { argv: ['check', 'cases.csv', '--report', 'junit'] },
    { argv: ['check', 'add', 'hi'] },
    { argv: ['login', testUrl, '--token-stdin'] },
  ])('$argv: its prompt_id', async ({ argv }) => {
    const files = { 'rows.jsonl': '{"prompt":"hi"}\n', 'cases.csv': 'prompt,expect\nhi,answered\n' };
    const run = await motif(argv, { files, stdin: 'token_0123456789\n', ...service({ status: 500, body }) });
    expect(run.stdout + run.stderr).toContain(body.prompt_id);
  });

  test('the lines of a check that people read end with the end of it', async () => {
    const files = { 'cases.csv': 'prompt,expect\nhi,answered\n' };
    const run = await motif(['check', 'cases.csv'], { files, ...service({ status: 500, body }) });
    expect(run.stdout).toContain(`prompt …${body.prompt_id.slice(-6)}`);
  });

  test('200 outside the contract: its prompt_id', async () => {
    const run = await prompt(['hi', '--json'], {}, service({ body: { prompt_id: '01J' } }));
    expect(run.exitCode).toBe(5);
    expect(JSON.parse(run.stdout)).toMatchObject({ ok: false, prompt_id: '01J', error: { code: null } });
    expect(run.stderr).toContain('prompt_id 01J');
  });

  test('a hostile prompt_id is shown, not obeyed', async () => {
    const run = await prompt(['hi'], {}, service({ status: 500, body: { error: 'x', prompt_id: '\u001b[2J' } }));
    expect(run.stderr).toContain('prompt_id \\u{1b}[2J');
  });

  test('--field error.code prints it', async () => {
    const run = await prompt(['hi', '--field', 'error.code'], {}, service({ status: 403, body }));
    expect(run).toMatchObject({ exitCode: 8, stdout: 'tenant_required\n' });
  });
});
