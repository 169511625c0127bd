import { mkdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished, describe, expect, test } from 'vitest';
import { faultyPartsIn } from '../../../src/gateway/records/metrics.ts';
import { startAdminServer } from '../../../src/gateway/server/admin-server.ts';
import { type ServedText, serving } from '../../support/rooms/serving.ts';
import { ask, fileOf, token } from '../../support/servers/gateway-process.ts';
import { dial, post } from '../../support/servers/http-server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const admin = 'admin: { port: 0 }\naudit: { file: audit.jsonl }';

async function look(port: number | undefined, path: string, method = 'GET'): Promise<{ status: number; text: string }> {
  const reply = await fetch(`http://127.0.0.1:${port}${path}`, { method });
  return { status: reply.status, text: await reply.text() };
}

test.each(['listen', 'admin'])('a gateway whose %s port is in use writes nothing into the audit', async (key) => {
  const { served } = await serving({ file: fileOf({ top: admin }) });
  const folder = temporaryFolder();
  const port = key === 'listen' ? served.port : served.adminPort;
  const file = fileOf({ top: admin }).replace(`${key}: { port: 0`, `${key}: { port: ${port}`);
  await expect(serving({ file, folder })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  // Time enough for a line that is only written at the end of this turn of the event loop.
  await new Promise((wake) => setTimeout(wake, 50));
  expect(readFileSync(join(folder, 'audit.jsonl'), 'utf8')).toBe('');
});

test.each([
  { how: 'has a chunk of no length', sent: 'zz\r\n', status: 400, halfCloses: false },
  { how: 'ends early, as its client closes its half,', sent: '9\r\n{"mess', status: 499, halfCloses: true },
])(
  'a body that $how has one refusal: one ID in reply and audit, counted once',
  async ({ sent, status, halfCloses }) => {
    const { served, folder } = await serving({ file: fileOf({ top: 'audit: { file: audit.jsonl }' }) });
    const headers = `Authorization: Bearer ${token.text}\r\nContent-Type: application/json\r\n`;
    const { socket, closed } = dial(served.port, post(`${headers}Transfer-Encoding: chunked\r\n`, sent));
    await new Promise((resolve) => socket.once('connect', resolve));
    if (halfCloses) socket.end();
    const told = JSON.parse((await closed).split('\r\n\r\n')[1]!) as { readonly prompt_id: string };
    const audited = () => readFileSync(join(folder, 'audit.jsonl'), 'utf8').split('\n').slice(1, -1);
    await expect.poll(audited).toHaveLength(1);
    expect(JSON.parse(audited()[0]!)).toMatchObject({ prompt_id: told.prompt_id, status });
    expect(served.snapshot()[`motif_gateway_requests_total{status="${status}"}`]).toBe(1);
  },
);

test('a changed file is read before a 401 is answered, once for all who wait for it', async () => {
  const text: ServedText = { file: fileOf().replace(/tokens: \[.*\]/, 'tokens: []') };
  const { served } = await serving(text);
  expect((await ask(served.port)).status).toBe(401);
  expect(text.loads).toBe(1);
  Object.assign(text, { file: fileOf(), isChanged: true });
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask(served.port)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(text.loads).toBe(2);
  expect(served.snapshot()['motif_gateway_requests_total{status="401"}']).toBe(1);
});

test.each([
  { name: 'lost a token', later: fileOf().replace(/tokens: \[.*\]/, 'tokens: []'), status: 401, faulty: [] },
  { name: 'became faulty', later: 'motifs: [', status: 200, faulty: ['gateway file'] },
])('a file that $name while it was read at the start is read again before it is served', async (row) => {
  const { later, status, faulty } = row;
  const text: ServedText = {
    file: fileOf(),
    looked() {
      if (text.loads === 1) Object.assign(text, { file: later, isChanged: true });
    },
  };
  const { served, logged } = await serving(text);
  expect(text.loads).toBe(2);
  expect((await ask(served.port)).status).toBe(status);
  expect(faultyPartsIn([served.snapshot()])).toEqual(faulty);
  expect(logged.filter((line) => line.includes('the gateway file was not applied'))).toHaveLength(faulty.length);
});

test('a token that is revoked between the last look at the file and the first connection is refused', async () => {
  let looks = 0;
  const text: ServedText = {
    file: fileOf(),
    looked() {
      const later = fileOf().replace(/tokens: \[.*\]/, 'tokens: []');
      if ((looks += 1) === 2) Object.assign(text, { file: later, isChanged: true });
    },
  };
  const { served } = await serving(text);
  expect((await ask(served.port)).status).toBe(401);
});

test('a token that is revoked while the body comes in is refused, once', async () => {
  const text: ServedText = { file: fileOf({ top: 'audit: { file: audit.jsonl }' }) };
  const { served, audit } = await serving(text);
  const body = '{"messages":[{"role":"user","content":"hi"}]}';
  const headers = `Authorization: Bearer ${token.text}\r\nContent-Type: application/json\r\nConnection: close\r\n`;
  const { socket, closed } = dial(
    served.port,
    post(`${headers}Content-Length: ${body.length}\r\nExpect: 100-continue\r\n`, body.slice(0, 9)),
  );
  // The request to go on says that the token was accepted.
  await new Promise((resolve) => socket.once('data', resolve));
  text.file = text.file.replace(/tokens: \[.*\]/, 'tokens: []');
  await served.reload();
  socket.write(body.slice(9));
  expect(await closed).toContain('HTTP/1.1 401');
  expect(audit().filter((event) => event === 'prompt')).toHaveLength(1);
  expect(served.snapshot()['motif_gateway_requests_total{status="401"}']).toBe(1);
});

test('a process that stood still reads a changed file before it answers the next prompt', async () => {
  const text: ServedText = { file: fileOf() };
  const { served } = await serving(text);
  expect((await ask(served.port)).status).toBe(200);
  Object.assign(text, { file: fileOf().replace(/tokens: \[.*\]/, 'tokens: []'), isChanged: true });
  // As long as a process that is stopped by a signal, nothing here gets its turn.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1700);
  expect((await ask(served.port)).status).toBe(401);
});

test.each([
  { name: 'was read', isAwaited: true },
  { name: 'is being read', isAwaited: false },
])('a file that $name meanwhile by somebody else counts before a 401, too', async ({ isAwaited }) => {
  const text: ServedText = { file: fileOf().replace(/tokens: \[.*\]/, 'tokens: []') };
  const { served } = await serving(text);
  const looked = () => {
    const reloaded = served.reload();
    return isAwaited ? reloaded : undefined;
  };
  Object.assign(text, { file: fileOf(), looked });
  expect((await ask(served.port)).status).toBe(200);
  expect(text.loads).toBe(2);
});

test('a file that changes once a reload has read it is read again before a 401, while that one still tells its changes', async () => {
  const others = Array.from({ length: 30 }, (_, at) => `  other-${at}: { provider: mock }\n`).join('');
  const text: ServedText = { file: fileOf().replace(/tokens: \[.*\]/, 'tokens: []') + others, compareMs: 20 };
  const { served } = await serving(text);
  const reloaded = served.reload();
  await expect.poll(() => served.snapshot()['motif_gateway_reloads_total{result="applied"}']).toBe(1);
  Object.assign(text, { file: fileOf(), isChanged: true });
  expect((await ask(served.port)).status).toBe(200);
  await reloaded;
});

test('a file that is good after one was refused is said to be applied, as loud as the refusal, and once', async () => {
  const text: ServedText = { file: fileOf() };
  const { served, logged } = await serving(text);
  const said = () =>
    logged.flatMap((line) => {
      const { level, message } = JSON.parse(line) as { readonly level: string; readonly message: string };
      return level === 'info' ? [] : [message];
    });
  const readAgain = () => logged.filter((line) => line.includes('was read again'));
  text.file = 'motifs: {';
  expect(await served.reload()).toBe(false);
  text.file = fileOf();
  expect(await served.reload()).toBe(true);
  expect(readAgain()).toHaveLength(1);
  expect(await served.reload()).toBe(true);
  expect(readAgain()).toHaveLength(2);
  expect(said()).toEqual([
    'the gateway file was not applied; the one before it stays',
    'the gateway file was read again, and this time it is applied',
  ]);
});

describe('the admin port', () => {
  test('is alive and ready, counts, and is no longer ready while the last request is answered', async () => {
    const { served, audit } = await serving({ file: fileOf({ top: admin, mock: ', latency: 300ms' }) });
    expect(await look(served.adminPort, '/livez')).toEqual({ status: 200, text: 'ok\n' });
    expect((await look(served.adminPort, '/readyz')).status).toBe(200);
    const last = ask(served.port);
    await expect
      .poll(async () => (await look(served.adminPort, '/metrics')).text)
      .toContain('motif_gateway_in_flight 1\n');
    const drained = served.drain();
    expect((await look(served.adminPort, '/readyz')).status).toBe(503);
    expect((await look(served.adminPort, '/livez')).status).toBe(200);
    expect((await last).status).toBe(200);
    await drained;
    expect(audit()).toEqual(['config', 'prompt', 'seal']);
  });

  test('tells when tokens end, but of none that another one has replaced', async () => {
    const replaced = `{ id: t0, sha256: "${'0'.repeat(64)}", expires: 2998-01-01, replaced_by: t1 }`;
    const file = fileOf({ top: admin }).replace(/({ id: t1, sha256: \w+)/, `${replaced}, $1, expires: 2999-01-01`);
    const { served } = await serving({ file });
    const { text } = await look(served.adminPort, '/metrics');
    expect(text).toContain(
      `motif_gateway_token_expiry_seconds{motif="bot",token="t1"} ${Date.UTC(2999, 0, 1) / 1000}\n`,
    );
    expect(text).not.toContain('token="t0"');
  });

  test('stays ready where a part is faulty, and names it; the Motif that needs it answers 503', async () => {
    const { served } = await serving({ file: fileOf({ top: admin }), faultyParts: ['policies.words.file'] });
    const ready = { status: 200, text: 'ready\nfaulty: policies.words.file\n' };
    await expect.poll(() => look(served.adminPort, '/readyz')).toEqual(ready);
    expect(await ask(served.port)).toMatchObject({ status: 503, json: { code: 'motif_unavailable' } });
  });

  test.each([
    { path: '/', method: 'GET', status: 404 },
    { path: '/api/v1/apps/bot/prompts', method: 'POST', status: 405 },
    { path: '/metrics?x=1', method: 'GET', status: 200 },
    { path: '/livez', method: 'HEAD', status: 200 },
  ])('$method $path is $status', async ({ path, method, status }) => {
    const server = await startAdminServer('127.0.0.1', 0, { isReady: () => true, snapshots: async () => [] });
    onTestFinished(() => server.close());
    expect((await look(server.port, path, method)).status).toBe(status);
  });

  test('says so when the workers do not', async () => {
    const snapshots = () => Promise.reject(new Error('gone'));
    const server = await startAdminServer('127.0.0.1', 0, { isReady: () => false, snapshots });
    onTestFinished(() => server.close());
    expect((await look(server.port, '/metrics')).status).toBe(503);
  });
});

describe('a reload', () => {
  test('changes what is asked of the next request, and what was counted goes on', async () => {
    const text = { file: fileOf({ top: admin, motif: '    limits: { rpm: 2 }\n' }) };
    const { served } = await serving(text);
    expect((await ask(served.port, 'forbidden')).json.blocked).toBe(true);
    text.file = text.file.replace('[forbidden]', '[allowed]');
    expect(await served.reload()).toBe(true);
    expect((await ask(served.port, 'forbidden')).json.blocked).toBe(false);
    expect((await ask(served.port)).status).toBe(429);
    const { text: metrics } = await look(served.adminPort, '/metrics');
    expect(metrics.match(/motif_gateway_config_info/g)).toHaveLength(3);
    expect(metrics).toContain('motif_gateway_reloads_total{result="applied"} 1');
  });

  test('reads the files once for all who ask before it begins, and once more for those who ask later', async () => {
    const text: ServedText = { file: fileOf({ top: admin }) };
    const { served } = await serving(text);
    const reloads = Array.from({ length: 10 }, () => served.reload());
    await expect.poll(() => text.loads).toBe(2);
    text.file = text.file.replace('[forbidden]', '[allowed]');
    reloads.push(...Array.from({ length: 10 }, () => served.reload()));
    expect(new Set(await Promise.all(reloads))).toEqual(new Set([true]));
    expect(text.loads).toBe(3);
    expect((await ask(served.port, 'forbidden')).json.blocked).toBe(false);
  });

  test('that fails changes nothing, and one that moves the port says that it waits for the next start', async () => {
    const text = { file: fileOf({ top: admin }) };
    const { served, logged } = await serving(text);
    const good = text.file;
    text.file = 'motifs: [';
    expect(await served.reload()).toBe(false);
    expect((await ask(served.port)).status).toBe(200);
    await expect
      .poll(() => look(served.adminPort, '/readyz'))
      .toEqual({ status: 200, text: 'ready\nfaulty: gateway file\nwaiting: all files that it names\n' });
    text.file = good.replace('port: 0', 'port: 1');
    expect(await served.reload()).toBe(true);
    await expect.poll(() => look(served.adminPort, '/readyz')).toEqual({ status: 200, text: 'ready\n' });
    expect((await ask(served.port)).status).toBe(200);
    expect(logged.join('')).toContain('a changed listen or admin holds from the next start');
  });

  test('lets a rotated audit file go even where the gateway file is faulty', async () => {
    const text = { file: fileOf({ top: admin }) };
    const { served, folder, audit } = await serving(text);
    expect((await ask(served.port)).status).toBe(200);
    renameSync(join(folder, 'audit.jsonl'), join(folder, 'rotated.jsonl'));
    text.file = 'motifs: [';
    expect(await served.reload()).toBe(false);
    expect((await ask(served.port)).status).toBe(200);
    expect(audit('rotated.jsonl')).toEqual(['config', 'prompt', 'seal']);
    expect(audit()).toEqual(['config', 'prompt']);
  });

  test('is applied although the audit file cannot be opened anew, so that a revoked token is; the audit goes on', async () => {
    const text = { file: fileOf({ top: admin }) };
    const { served, logged, folder, audit } = await serving(text);
    expect((await ask(served.port)).status).toBe(200);
    renameSync(join(folder, 'audit.jsonl'), join(folder, 'rotated.jsonl'));
    mkdirSync(join(folder, 'audit.jsonl'));
    text.file = text.file.replace('[forbidden]', '[allowed]');
    expect(await served.reload()).toBe(true);
    expect((await ask(served.port, 'forbidden')).json.blocked).toBe(false);
    expect(logged.join('')).toContain('the audit file cannot be opened again');
    expect(audit('rotated.jsonl')).toEqual(['config', 'prompt', 'config', 'prompt']);
    const { text: metrics } = await look(served.adminPort, '/metrics');
    expect(metrics).toContain('motif_gateway_audit_failures_total 1');
  });
});
