import { describe, expect, test } from 'vitest';
import { exitTable, TransportError } from '../../../src/errors.ts';
import type { MotifSetup } from '../../support/motif.ts';
import { onTerminal, prompt } from '../../support/rooms/prompt.ts';
import { blocked, refused, service, type ScriptedService } from '../../support/service.ts';

interface Scene {
  readonly argv?: readonly string[];
  readonly setup?: MotifSetup;
  readonly reply?: () => ScriptedService;
}

const failing = (status: number) => () => service({ status, body: { error: 'the reason' } });
const timeout = () => service(new TransportError('timeout', 'no answer in time', { layer: 'http', sent: true }));

/** A run of `prompt` that ends in each row of the table of exit codes. */
const scenes: Record<(typeof exitTable)[number]['kind'], Scene> = {
  ok: {},
  failed: { argv: ['--expect', 'blocked'] },
  usage: { argv: ['--nope'] },
  config: { setup: { env: {} } },
  rejected: { reply: failing(422) },
  service: { reply: failing(500) },
  network: { reply: () => service(refused()) },
  timeout: { reply: timeout },
  auth: { reply: failing(401) },
  limited: { reply: failing(429) },
  blocked: { reply: () => service({ body: blocked }) },
  unverified: {
    argv: ['--expect', 'blocked'],
    reply: () => service({ body: { ...blocked, code: 'policy_failed' } }),
  },
  io: { argv: ['-o', '/dev/full'] },
  bug: { reply: () => service(new Error('unforeseen')) },
};

const streams: { where: string; setup: MotifSetup }[] = [
  { where: 'in a pipe', setup: {} },
  { where: 'on a terminal', setup: onTerminal },
];
const table = exitTable.flatMap((row) => streams.map((stream) => ({ ...row, ...stream })));

const runScene = async (kind: keyof typeof scenes, flags: readonly string[], streamSetup: MotifSetup) => {
  const { argv = [], setup = {}, reply = service } = scenes[kind];
  return await prompt(['hi', ...argv, ...flags], { ...streamSetup, ...setup }, reply());
};

/** An answer that was not what was expected, or not written, is still shown. */
const hasAnswer = (kind: string) => ['ok', 'failed', 'io'].includes(kind);

describe.each(table)('$kind ($code) $where', ({ kind, code, setup }) => {
  test('as text: the words on stderr, stdout empty unless there is an answer', async () => {
    const run = await runScene(kind, [], setup);
    expect(run.exitCode).toBe(code);
    expect(run.stdout).toBe(hasAnswer(kind) ? 'Hello from the service\n' : '');
    if (kind === 'ok') expect(run.stderr).not.toContain('motif: ');
    else expect(run.stderr).toMatch(/^(?:\u001b\[\d+m)*motif:(?:\u001b\[\d+m)* \S/m);
    expect(run.stderr).not.toMatch(/\n\s+at /);
  });

  test('as --json: one document that agrees with the exit code', async () => {
    const run = await runScene(kind, ['--json'], setup);
    expect(run.exitCode).toBe(code);
    const document = JSON.parse(run.stdout) as { ok: boolean; error: { kind: string; exit_code: number } | null };
    const isOk = kind === 'ok' || kind === 'blocked';
    if (isOk) expect(document).toMatchObject({ ok: true, error: null });
    else if (kind !== 'failed' && kind !== 'unverified')
      expect(document).toMatchObject({ ok: false, error: { kind, exit_code: code } });
  });

  test('as --field error.kind', async () => {
    const run = await runScene(kind, ['--field', 'error.kind'], setup);
    expect(run.exitCode).toBe(code);
    const isSaid = !['ok', 'blocked', 'failed', 'unverified', 'usage', 'bug'].includes(kind);
    if (isSaid) expect(run.stdout).toBe(`${kind}\n`);
    else expect(run.stdout.trim()).not.toContain('Hello');
  });
});

test('what was unforeseen shows its place with --debug alone, and never the token', async () => {
  const quiet = await prompt(['hi'], {}, service(new Error('unforeseen')));
  expect(quiet).toMatchObject({ exitCode: 70, stdout: '' });
  expect(quiet.stderr).toMatch(/^motif: [^\n]*report id\d+\)\n {2}[^\n]*--debug[^\n]*\n$/);
  const loud = await prompt(['hi', '--debug'], {}, service(new Error('unforeseen mtf_test_4Zq9Lw7Yb2Xn8Vc3')));
  expect(loud.stderr).toMatch(/\n\s+at /);
  expect(loud.stderr).not.toContain('4Zq9Lw7Yb2Xn8Vc3');
});
