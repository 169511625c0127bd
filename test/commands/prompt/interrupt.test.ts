import { describe, expect, test } from 'vitest';
import { motif, testEnv } from '../../support/motif.ts';
import { onTerminal, prompt, terminal } from '../../support/rooms/prompt.ts';
import { blocked, refused, type ScriptedService, service } from '../../support/service.ts';
import type { FakeWorld } from '../../support/world.ts';

/** A service that thinks until it is told to stop. */
function thinking(onSent: () => void): ScriptedService {
  const requests: ScriptedService['requests'][number][] = [];
  return {
    requests,
    async send(request, options) {
      requests.push({ ...request, options, json: null });
      setImmediate(onSent);
      return await new Promise((_, reject) => {
        options.signal?.addEventListener('abort', () => reject(options.signal?.reason as Error), { once: true });
      });
    },
  };
}

describe.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s', (signal) => {
  test.each([
    { where: 'in a pipe', streams: {} },
    { where: 'on a terminal', streams: onTerminal },
  ])('while the service thinks, $where: the request is given up, and nothing is claimed', async ({ streams }) => {
    let world: FakeWorld | undefined;
    const scripted = thinking(() => world?.interrupt(signal));
    const prepare = (made: FakeWorld) => void (world = made);
    const run = await motif(['prompt', 'hi', '-o', 'out.md'], { ...streams, prepare, send: scripted.send });
    expect(run).toMatchObject({ signal, exitCode: undefined, stdout: '' });
    expect(run.stderr).not.toContain('motif: ');
    expect(await run.world.files.info('out.md')).toBeUndefined();
    expect(scripted.requests[0]?.options.signal?.aborted).toBe(true);
    expect(run.world.modes.at(-1) ?? 'cooked').toBe('cooked');
  });

  test('with --json there is no document: the signal says it', async () => {
    let world: FakeWorld | undefined;
    const scripted = thinking(() => world?.interrupt(signal));
    const run = await motif(['prompt', 'hi', '--json'], {
      prepare: (made) => void (world = made),
      send: scripted.send,
    });
    expect(run).toMatchObject({ signal, stdout: '' });
  });

  test('while it waits before another attempt', async () => {
    let world: FakeWorld | undefined;
    const scripted = service(refused());
    const ended = motif(['prompt', 'hi'], {
      sleeps: 'held',
      prepare: (made) => void (world = made),
      send: scripted.send,
    });
    while (world?.slept.length !== 1) await new Promise((resolve) => setImmediate(resolve));
    world.interrupt(signal);
    expect(await ended).toMatchObject({ signal, stdout: '' });
    expect(scripted.requests).toHaveLength(1);
  });

  test('while stdin is read, after its first byte', async () => {
    let world: FakeWorld | undefined;
    const chunks = (async function* () {
      yield 'half a prompt';
      world?.interrupt(signal);
      await new Promise(() => undefined);
    })();
    const run = await prompt([], { stdin: { chunks }, prepare: (made) => void (world = made) });
    expect(run).toMatchObject({ signal, stdout: '', requests: [] });
  });

  test('while the editor has the terminal: nothing is sent', async () => {
    let world: FakeWorld | undefined;
    const run = await prompt(['hi', '-e'], {
      stderr: terminal,
      prepare: (made) => void (world = made),
      run: () => {
        world?.interrupt(signal);
        return { code: null, stdout: '', stderr: '', failure: 'killed' };
      },
    });
    expect(run.requests).toEqual([]);
    expect(run.stdout).toBe('');
  });
});

describe('the spinner', () => {
  const slow = (reply = service()): ScriptedService => ({
    requests: reply.requests,
    async send(request, options) {
      for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setTimeout(resolve, 5));
      return await reply.send(request, options);
    },
  });

  test.each([
    { name: 'in a pipe', argv: [], setup: {} },
    { name: 'with -q', argv: ['-q'], setup: { stderr: terminal } },
  ])('is not there $name', async ({ argv, setup }) => {
    const run = await prompt(['hi', ...argv], setup, slow());
    expect(run.stderr).not.toContain('waiting');
    expect(run.stderr).not.toContain('\r');
  });

  test.each([
    { argv: ['--accessible'], env: testEnv },
    { argv: [], env: { ...testEnv, ACCESSIBLE: '1' } },
    { argv: [], env: { ...testEnv, TERM: 'dumb' } },
  ])('is one plain line with $argv $env.ACCESSIBLE $env.TERM', async ({ argv, env }) => {
    const run = await prompt(['hi', ...argv], { stderr: terminal, env: { ...env, NO_COLOR: '1' } }, slow());
    expect(run.stderr).toMatch(/^motif: waiting for the answer\ntokens [^\r\u001b]*$/);
  });

  test('is followed by a new line after Ctrl-C', async () => {
    let world: FakeWorld | undefined;
    const scripted = thinking(() => world?.interrupt('SIGINT'));
    const run = await prompt(['hi'], { stderr: terminal, prepare: (made) => void (world = made) }, scripted);
    expect(run.signal).toBe('SIGINT');
    expect(run.stderr.endsWith('\n')).toBe(true);
  });

  test.each([
    { name: 'an answer', reply: service() },
    { name: 'a block', reply: service({ body: blocked }) },
    { name: 'a failure', reply: service({ status: 500, body: { error: 'x' } }) },
  ])('is gone after $name, and the cursor is there', async ({ reply }) => {
    const { stderr } = await prompt(['hi'], { stderr: terminal }, slow(reply));
    const hidden = stderr.lastIndexOf('\u001b[?25l');
    expect(stderr.lastIndexOf('\u001b[?25h')).toBeGreaterThanOrEqual(hidden);
    expect(stderr).toContain('waiting for the answer');
    expect(stderr.slice(stderr.lastIndexOf('\u001b[K'))).not.toContain('waiting');
  });
});
