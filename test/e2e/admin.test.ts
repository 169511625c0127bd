import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { hashToken } from '../../src/gateway/access/token.ts';
import { createHome, type Home, inMemory } from '../support/processes/home.ts';
import { startMotif } from '../support/processes/program.ts';

const first = `# keep me
providers:
  mock: { kind: mock }   # and me
motifs:
  bot: { provider: mock }
`;

interface Place extends Home {
  readonly path: string;
  readonly admin: (...words: readonly string[]) => ReturnType<Home['motif']>;
  /** The same by the built program. */
  readonly adminProcess: Place['admin'];
}

function place(): Place {
  const home = createHome();
  const path = join(home.root, 'gateway.yaml');
  writeFileSync(path, first, { mode: 0o600 });
  const adminOf =
    ({ motif }: Home): Place['admin'] =>
    (...words) =>
      motif(['admin', ...words, '-c', path]);
  return { ...home, path, admin: adminOf(inMemory(home)), adminProcess: adminOf(home) };
}

const tokenIn = (text: string) => /mtf_\w+/.exec(text)?.[0] ?? '';

describe('edits of one gateway file at once', () => {
  test('twelve processes: none is lost, and the comments stay', async () => {
    const { admin, adminProcess, path, root } = place();
    const ids = Array.from({ length: 12 }, (_, index) => `bot-${index}`);
    const runs = await Promise.all(ids.map((id) => adminProcess('create', id, '--provider', 'mock')));
    expect(runs.map(({ code, stderr }) => `${code} ${code === 0 ? '' : stderr}`)).toEqual(ids.map(() => '0 '));
    const text = readFileSync(path, 'utf8');
    for (const { stdout } of runs) expect(text).toContain(hashToken(tokenIn(stdout)));
    expect(text.startsWith(first)).toBe(true);
    expect((await admin('validate')).stdout).toContain('13 Motifs');
    expect(readdirSync(root).toSorted()).toEqual(['gateway.yaml', 'home', 'tmp']);
  });

  test('killed at any moment: the old file or the new one, and the next one does not wait', async () => {
    const { admin, path, env, root } = place();
    for (let round = 0; round < 12; round++) {
      const before = readFileSync(path, 'utf8');
      const { process: child, ended } = startMotif(['admin', 'rotate', 'bot', '-c', path], { env });
      await wait(40 + round * 12);
      child.kill('SIGKILL');
      const { stdout } = await ended;
      const after = readFileSync(path, 'utf8');
      expect((await admin('validate')).code).toBe(0);
      if (stdout.includes('mtf_')) expect(after).toContain(hashToken(tokenIn(stdout)));
      else expect(after === before || after.length > before.length).toBe(true);
    }
    const last = await admin('rotate', 'bot');
    expect(last).toMatchObject({ code: 0 });
    expect(readFileSync(path, 'utf8')).toContain(hashToken(tokenIn(last.stdout)));
    expect(readdirSync(root)).not.toContain('gateway.yaml.lock');
  });
});

test('a token stands on stdout once, and nowhere else', async () => {
  const { admin, root } = place();
  const token = tokenIn((await admin('create', 'other', '--provider', 'mock')).stdout);
  expect(token).toMatch(/^mtf_\w{49}$/);
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  for (const { parentPath, name } of files) expect(readFileSync(join(parentPath, name), 'utf8')).not.toContain(token);
  for (const words of [['show'], ['show', '--json'], ['validate', '--json']]) {
    const { stdout, stderr } = await admin(...words);
    expect(stdout + stderr).not.toContain(token);
  }
});

test('a token that was revoked lets nobody in, one that was rotated does until its end', async () => {
  const { admin, path, motif } = place();
  const old = tokenIn((await admin('rotate', 'bot')).stdout);
  const serve = ['serve', '-c', path, '--motif', 'bot', '--log-level', 'error', '--', 'sh', '-c'];
  const ask = (token: string) => motif([...serve, `MOTIF_TOKEN=${token} exec node bin/motif.js prompt hello`]);
  expect(await ask(old)).toMatchObject({ code: 0, stdout: 'hello\n' });
  const fresh = tokenIn((await admin('rotate', 'bot')).stdout);
  expect([(await ask(old)).code, (await ask(fresh)).code]).toEqual([0, 0]);
  await admin('revoke', 'bot', `t-${hashToken(old).slice(0, 8)}`);
  expect([(await ask(old)).code, (await ask(fresh)).code]).toEqual([8, 0]);
});
