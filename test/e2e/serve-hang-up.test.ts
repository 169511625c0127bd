import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { program } from '../support/processes/program.ts';
import { noPty, openPty, type Pty } from '../support/terminals/pty.ts';
import { sharedFolder } from '../support/temporary-folder.ts';

const folder = sharedFolder();
const file = join(folder, 'gateway.yaml');
beforeAll(() => {
  writeFileSync(file, 'listen: { port: 0 }\nproviders: { m: { kind: mock } }\nmotifs: { bot: { provider: m } }\n');
});

/** The process that a shell has named; it does not outlive its test. */
function endAfterwards(shown: string): number {
  const pid = Number(/pid (\d+)/.exec(shown)![1]);
  onTestFinished(() => {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  });
  return pid;
}

/** Closes the terminal once the gateway was named there, and expects that the file is read again afterwards. */
async function expectReadAgainAfter(shell: Pty, out: string): Promise<void> {
  await shell.says(/pid \d+\r\n/);
  const pid = endAfterwards(shell.shown());
  shell.hangUp();
  await shell.ended;
  process.kill(pid, 'SIGHUP');
  await vi.waitFor(() => expect(readFileSync(out, 'utf8')).toContain('was read again'), { timeout: 20_000 });
}

describe.skipIf(noPty)(`a gateway whose streams are not the terminal that goes away ${noPty ?? ''}`, () => {
  test('it ends with it where it logs into a pipe', async () => {
    const line = `sh -c 'echo pid $$; exec ${program.join(' ')} serve -c ${file} --log-level info' 2>&1 | cat`;
    const shell = openPty(['sh', '-c', line]);
    await shell.says(/"address":"[^"]+"/);
    endAfterwards(shell.shown());
    const [, address = ''] = /"address":"([^"]+)"/.exec(shell.shown()) ?? [];
    const isServed = () =>
      fetch(`${address}/livez`).then(
        () => true,
        () => false,
      );
    expect(await isServed()).toBe(true);
    shell.hangUp();
    await vi.waitFor(async () => expect(await isServed()).toBe(false), { timeout: 20_000, interval: 100 });
  });

  test('in the background, with a log in a file, it goes on, and reads its file again', async () => {
    const out = join(folder, 'background.txt');
    const script = [
      'set -m',
      `${program.join(' ')} serve -c ${file} --log-level info > ${out} 2>&1 &`,
      `until grep -q listening ${out}; do sleep 0.1; done`,
      'disown; echo pid $!; sleep 60',
    ];
    const shell = openPty(['bash', '-c', script.join('\n')]);
    await expectReadAgainAfter(shell, out);
  });

  test('sent into the background by Ctrl-Z and bg, it goes on, and reads its file again', async () => {
    const out = join(folder, 'stopped.txt');
    const script = [
      'set -m',
      `${program.join(' ')} serve -c ${file} --log-level info > ${out} 2>&1`,
      // The window is closed a moment later, once the gateway knows where it runs.
      'bg %1; disown; sleep 2; echo pid $!; sleep 60',
    ];
    const shell = openPty(['bash', '-c', script.join('\n')]);
    await vi.waitFor(() => expect(readFileSync(out, 'utf8')).toContain('listening'), { timeout: 20_000 });
    shell.type('\x1a');
    await expectReadAgainAfter(shell, out);
  });

  test('started by a script, with a log in a file, it goes on, and reads its file again', async () => {
    const out = join(folder, 'script.txt');
    const script = [
      `nohup ${program.join(' ')} serve -c ${file} --log-level info > ${out} 2>&1 &`,
      `until grep -q listening ${out}; do sleep 0.1; done`,
      'echo pid $!',
    ];
    // The script ends before the terminal does, and job control is off in it: what it starts is in its foreground.
    const shell = openPty(['sh', '-c', `sh -c '${script.join('\n')}'; sleep 60`]);
    await expectReadAgainAfter(shell, out);
  });
});
