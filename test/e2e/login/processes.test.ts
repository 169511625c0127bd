import { describe, expect, test } from 'vitest';
import { createHome, type Home, inMemory, loginWords } from '../../support/processes/home.ts';
import { filesHolding } from '../../support/rooms/login.ts';
import { startMotif } from '../../support/processes/program.ts';
import { noSmallDisk, onSmallDisk } from '../../support/processes/small-disk.ts';

const oldToken = 'mtf_oldtoken_8Kd03JsQpXz1';
const newToken = 'mtf_newtoken_5Hb92WvYcNm4';

/** Facts stored for the profile `bot`: its timeout and whose token it has. */
async function state(home: Home): Promise<string> {
  const run = await inMemory(home).motif(['whoami', '--json', '-p', 'bot']);
  expect(run.stderr).toBe('');
  const document = JSON.parse(run.stdout) as Record<string, { value: unknown }>;
  return `${String(document.timeout?.value)} ${String(document.token?.value)}`;
}

describe('logins at once', () => {
  test('twenty on different profiles: all are kept, each with its own token', async () => {
    const home = createHome();
    const names = Array.from({ length: 20 }, (_, index) => `bot-${index}`);
    const runs = await Promise.all(
      names.map((name) => home.motif(loginWords(name), { input: `mtf_${name}_8Kd03JsQ` })),
    );
    expect(runs.map(({ code }) => code)).toEqual(names.map(() => 0));
    const list = JSON.parse((await inMemory(home).motif(['profile', 'list', '--json'])).stdout) as {
      items: { name: string }[];
    };
    expect(list.items.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
    for (const name of names) expect(filesHolding(home.config, `mtf_${name}_`)).toHaveLength(1);
    expect((await home.motif(['whoami'])).code).toBe(0);
  });

  test('ten on the same profile: a whole one wins, and no token of another is left after the next login', async () => {
    const home = createHome();
    const tokens = Array.from({ length: 10 }, (_, index) => `mtf_token${index}_8Kd03JsQpX`);
    const words = loginWords('bot', '--force');
    const runs = await Promise.all(tokens.map((token) => home.motif(words, { input: token })));
    expect(runs.map(({ code }) => code)).toEqual(tokens.map(() => 0));
    const whoami = JSON.parse((await home.motif(['whoami', '--json'])).stdout) as { token: { value: string } };
    expect(whoami.token.value).toBe('****sQpX');

    await home.motif(words, { input: 'mtf_last_6Tg81ZxRfBq7' });
    expect(tokens.filter((token) => filesHolding(home.config, token).length > 0)).toEqual([]);
  });

  test('login, logout and reading at once: a reader sees a whole profile or none', async () => {
    const home = createHome();
    await home.motif(loginWords('bot'), { input: oldToken });
    const writers = [loginWords('bot', '--force'), ['logout', 'bot'], loginWords('bot', '--force'), ['logout', 'bot']];
    const readers = Array.from({ length: 6 }, () => ['whoami', '-p', 'bot']);
    const runs = await Promise.all(
      [...writers, ...readers].map((argv) => home.motif(argv, { input: argv[0] === 'login' ? newToken : '' })),
    );
    for (const { code, stderr } of runs) {
      expect([0, 3]).toContain(code);
      expect(stderr).not.toMatch(/broken|cannot be used: (line|it)/);
    }
  });
});

describe('SIGKILL during login', () => {
  const rounds = 60;

  test(`${rounds} times: the old profile or the new one, and no debris with a token after the next login`, async () => {
    const home = createHome();
    const startedAt = performance.now();
    await home.motif(loginWords('bot', '--timeout', '10s'), { input: oldToken });
    // Moves toward the moment of writing, so that kills fall on both sides of it on a machine of any speed.
    let killMs = performance.now() - startedAt;
    const seen = new Map<string, number>();
    let last = '10s ****pXz1';
    for (let round = 0; round < rounds; round++) {
      const isNew = last.startsWith('10s');
      const words = loginWords('bot', '--force', '--timeout', isNew ? '20s' : '10s');
      const running = startMotif(words, { env: home.env, input: isNew ? newToken : oldToken });
      const timer = setTimeout(() => running.process.kill('SIGKILL'), killMs * (0.5 + Math.random()));
      await running.ended;
      clearTimeout(timer);
      const found = await state(home);
      seen.set(found, (seen.get(found) ?? 0) + 1);
      killMs *= found === last ? 1.15 : 0.85;
      last = found;
    }
    const whole = ['10s ****pXz1', '20s ****cNm4'];
    expect([...seen.keys()].filter((found) => !whole.includes(found))).toEqual([]);
    expect(seen.size).toBe(2);

    expect(await home.motif(loginWords('bot', '--force'), { input: 'mtf_last_6Tg81ZxRfBq7' })).toMatchObject({
      code: 0,
    });
    expect([...filesHolding(home.root, oldToken), ...filesHolding(home.root, newToken)]).toEqual([]);
  }, 240_000);
});

describe.skipIf(noSmallDisk)(`a full disk ${noSmallDisk ?? ''}`, () => {
  const address = 'https://gw.example/api/v1/apps/bot';
  const login = `login ${address} --token-stdin --no-verify --token-store file -q`;
  /** A shell command that prints one checksum of everything that is stored. */
  const sum = `find "$0/motif" -type f | sort | xargs cat | sha256sum`;

  test.each([0, 1, 2, 3])(
    'with %i pages left: the old profile is byte-identical, or the login is whole',
    async (pages) => {
      const { root } = createHome();
      const output = await onSmallDisk(
        root,
        `export XDG_CONFIG_HOME="$0" HOME="$0"; cd /
      echo ${oldToken} | "$@" ${login} || exit 1
      before=$(${sum})
      head -c 1048576 /dev/zero > "$0/filler" 2>/dev/null
      size=$(stat -c %s "$0/filler"); truncate -s $((size - 4096 * ${pages})) "$0/filler"
      echo ${newToken} | "$@" ${login} --force --tenant acme 2> /dev/shm/motif-full.$$
      code=$?
      said=$(cat /dev/shm/motif-full.$$); rm -f /dev/shm/motif-full.$$
      [ "$before" = "$(${sum})" ] && same=same || same=changed
      debris=$(find "$0/motif" -name '.*' | wc -l)
      "$@" whoami --json > /dev/null; echo "$code $same $debris whoami $?"; echo "$said"`,
      );
      const [verdict = '', ...said] = output.split('\n');
      expect(['12 same 0 whoami 0', '0 changed 0 whoami 0']).toContain(verdict);
      if (pages === 0) expect(verdict).toMatch(/^12 /);
      if (verdict.startsWith('12')) expect(said.join('\n')).toContain('cannot save');
      expect(output).not.toContain('_newtoken_');
    },
  );

  test('a first login leaves nothing with a token behind', async () => {
    const { root } = createHome();
    const output = await onSmallDisk(
      root,
      `export XDG_CONFIG_HOME="$0" HOME="$0"; cd /
      head -c 1048576 /dev/zero > "$0/filler" 2>/dev/null
      echo ${newToken} | "$@" ${login} 2>&1; echo "$?"; grep -rl newtoken "$0" | wc -l`,
    );
    expect(output.trimEnd().split('\n').slice(-2)).toEqual(['12', '0']);
  });
});
