import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  configFolder,
  documentOf,
  filesBelow,
  filesHolding,
  logIn,
  profileFile,
  tokenOf,
} from '../../support/rooms/login.ts';
import { motif, type MotifSetup, testToken, testUrl } from '../../support/motif.ts';
import { service } from '../../support/service.ts';

const address = [testUrl, '--token-stdin'] as const;

describe('what login saves', () => {
  test('a profile named after the Motif ID that the next command uses', async () => {
    const run = await logIn(address, service());
    expect(run).toMatchObject({ exitCode: 0, stdout: '' });
    const asked = service();
    const prompt = await motif(['prompt', 'hi'], { env: {}, after: run.world, ...asked });
    expect(prompt).toMatchObject({ exitCode: 0, stdout: 'Hello from the service\n' });
    expect(asked.requests.map(({ url }) => url)).toEqual([`${testUrl}/prompts`]);
    expect(asked.requests.map(tokenOf)).toEqual([testToken]);
  });

  test('says which profile is stored and what to type next', async () => {
    const run = await logIn(address, service());
    expect(run.stderr).toContain('profile support-bot');
    expect(run.stderr).toContain('motif prompt');
  });

  test('tenant, timeouts and certificates go along, and each is used again', async () => {
    const flags = ['--tenant', 'acme-7f3a', '--timeout', '90s', '--connect-timeout', '3s', '-p', 'staging'];
    const run = await logIn([...address, ...flags], service());
    expect(run.exitCode).toBe(0);
    const whoami = documentOf(await motif(['whoami', '--json'], { env: {}, after: run.world }));
    expect(whoami).toMatchObject({
      profile: 'staging',
      tenant: { value: 'acme-7f3a', from: 'profile staging' },
      timeout: { value: '90s', from: 'profile staging' },
      connect_timeout: { value: '3s', from: 'profile staging' },
    });
  });

  test('the token stands in one file only, and nowhere in what is printed', async () => {
    const run = await logIn(address, service());
    const found = filesHolding(run.world.home ?? '', testToken);
    expect(found).toHaveLength(1);
    expect(found).not.toContain(profileFile(run.world, 'support-bot'));
    expect(run.stdout + run.stderr).not.toContain(testToken);
  });

  test('every file is 0600 and every folder 0700', async () => {
    const run = await logIn(address, service());
    const files = filesBelow(configFolder(run.world));
    expect(files.length).toBeGreaterThan(1);
    expect(files.map(({ mode }) => mode)).toEqual(files.map(() => 0o600));
    const folders = ['', ...readdirSync(configFolder(run.world)).filter((name) => !name.includes('.'))];
    expect(folders.map((name) => statSync(join(configFolder(run.world), name)).mode & 0o777)).toEqual(
      folders.map(() => 0o700),
    );
  });

  test('MOTIF_CONFIG_DIR and XDG_CONFIG_HOME say where', async () => {
    const run = await logIn([...address, '--no-verify']);
    const { folder } = run.world;
    const dir = { MOTIF_CONFIG_DIR: join(folder, 'own') };
    const xdg = { XDG_CONFIG_HOME: join(folder, 'xdg') };
    for (const env of [dir, xdg]) {
      expect(await logIn([...address, '--no-verify'], { env, after: run.world })).toMatchObject({ exitCode: 0 });
    }
    expect(filesHolding(join(folder, 'own'), testToken)).toHaveLength(1);
    expect(filesHolding(join(folder, 'xdg', 'motif'), testToken)).toHaveLength(1);
  });

  test('a relative XDG_CONFIG_HOME does not let the working directory decide', async () => {
    const run = await logIn([...address, '--no-verify'], { env: { XDG_CONFIG_HOME: 'here', MOTIF_CONFIG_DIR: '' } });
    expect(run.exitCode).toBe(0);
    expect(filesBelow(run.world.folder)).toEqual([]);
    expect(filesHolding(run.world.home ?? '', testToken)).toHaveLength(1);
  });

  test('--json prints one document without the token', async () => {
    const run = await logIn([...address, '--json'], service());
    expect(documentOf(run)).toMatchObject({ ok: true, profile: 'support-bot', url: testUrl, error: null });
    expect(run.stdout).not.toContain(testToken);
    expect(run.stdout.endsWith('}\n')).toBe(true);
  });

  test('-q keeps quiet where nothing is wrong', async () => {
    expect(await logIn([...address, '-q'], service())).toMatchObject({ exitCode: 0, stdout: '', stderr: '' });
  });
});

describe('the announcement', () => {
  test('names the file store before a token is written there', async () => {
    let announced = '';
    let filesThen: readonly string[] = [];
    const asked = service();
    const run = await logIn(address, {
      prepare: (world) => {
        const write = world.stderr.write.bind(world.stderr);
        world.stderr.write = async (text) => {
          if (announced === '' && String(text).includes('token')) {
            announced = String(text);
            filesThen = filesHolding(world.home ?? '', testToken);
          }
          await write(text);
        };
      },
      ...asked,
    });
    expect(run.exitCode).toBe(0);
    expect(announced).toContain('0600');
    expect(announced).toContain(join(configFolder(run.world)));
    expect(filesThen).toEqual([]);
  });

  test('names the keyring where one answers, and leaves no file with the token', async () => {
    const run = await logIn(address, { keyring: 'present', ...service() });
    expect(run.exitCode).toBe(0);
    expect(run.stderr).toContain('keyring');
    expect([...run.world.secrets.values()]).toEqual([testToken]);
    expect(filesHolding(run.world.home ?? '', testToken)).toEqual([]);
  });
});

describe('verification', () => {
  test('asks with {"messages":[]}, which no model is asked, token and tenant sent', async () => {
    const asked = service({ status: 400, body: { error: 'messages must not be empty' } });
    const run = await logIn([...address, '--tenant', 'acme-7f3a'], asked);
    expect(run.exitCode).toBe(0);
    expect(asked.requests).toHaveLength(1);
    expect(asked.requests[0]).toMatchObject({
      url: `${testUrl}/prompts`,
      body: '{"messages":[]}',
      headers: { 'x-service-tenant-id': 'acme-7f3a' },
    });
    expect(asked.requests.map(tokenOf)).toEqual([testToken]);
  });

  const accepted = [200, 204, 299, 400, 404, 405, 409, 413, 415, 422, 451];
  test.each(accepted)('%i means that the token is accepted', async (status) => {
    const run = await logIn([...address, '--json'], service({ status, body: { error: 'x' } }));
    expect(run.exitCode).toBe(0);
    expect(run.stderr).not.toContain('not verified');
    expect(documentOf(run)).toMatchObject({ ok: true, verified: true });
  });

  test.each([401, 403])('%i is not saved and names --tenant, since none was sent', async (status) => {
    const run = await logIn(address, service({ status, body: { error: 'no' } }));
    expect(run).toMatchObject({ exitCode: 8, stdout: '' });
    expect(run.stderr).toContain('--tenant');
    expect(filesBelow(run.world.home ?? '')).toEqual([]);
  });

  test.each([401, 403])('%i with a tenant sent does not ask for a tenant', async (status) => {
    const run = await logIn([...address, '--tenant', 'acme'], service({ status, body: { error: 'no' } }));
    expect(run).toMatchObject({ exitCode: 8, stdout: '' });
    expect(filesHolding(run.world.home ?? '', testToken)).toEqual([]);
  });

  describe('a person whose token needs a tenant is asked for it, and does not paste the token again', () => {
    const wanting = () => {
      const asked: (string | undefined)[] = [];
      const [no, yes] = [service({ status: 403, body: { error: 'no' } }), service()];
      const send: NonNullable<MotifSetup['send']> = async (request, options) => {
        const { 'x-service-tenant-id': tenant } = request.headers as Record<string, string | undefined>;
        asked.push(tenant);
        return (tenant === 'acme' ? yes : no).send(request, options);
      };
      return { asked, send };
    };
    const typing = (...lines: readonly string[]) => ({
      stdin: { typed: [`${testToken}\r`, ...lines] },
      stderr: { columns: 80 },
    });

    test.each([
      { name: 'at once', argv: [], lines: ['acme\n'], asked: [undefined, 'acme'] },
      { name: 'after a wrong one', argv: [], lines: ['acne\n', 'acme\n'], asked: [undefined, 'acne', 'acme'] },
      { name: 'after a wrong --tenant', argv: ['--tenant', 'acne'], lines: ['acme\n'], asked: ['acne', 'acme'] },
    ])('$name', async ({ argv, lines, asked }) => {
      const gateway = wanting();
      const run = await logIn([testUrl, '--json', ...argv], { ...typing(...lines), send: gateway.send });
      expect(run.exitCode, run.stderr).toBe(0);
      expect(gateway.asked).toEqual(asked);
      expect(documentOf(run)).toMatchObject({ tenant: 'acme', verified: true });
    });

    test('Enter ends the login as it ended before; the words of the service stand above the question', async () => {
      const run = await logIn([testUrl], { ...typing('\n'), send: wanting().send });
      expect(run.stderr.split('Tenant ID (')[0]).toContain('the service said: no');
      expect(run).toMatchObject({ exitCode: 8, stdout: '' });
      expect(run.stderr).toContain('nothing was saved');
    });

    test('a token from a flag is verified without a question', async () => {
      const run = await logIn([testUrl, '--token-file', 't'], {
        ...typing(),
        files: { t: testToken },
        send: wanting().send,
      });
      expect(run).toMatchObject({ exitCode: 8 });
      expect(run.stderr).not.toContain('Tenant ID (');
    });
  });

  test('a refused token leaves the profile as it was', async () => {
    const first = await logIn(address, service());
    const before = filesBelow(configFolder(first.world));
    const run = await logIn([...address, '--force'], {
      after: first.world,
      stdin: 'another_token_0123456789',
      ...service({ status: 401, body: { error: 'no' } }),
    });
    expect(run.exitCode).toBe(8);
    expect(filesBelow(configFolder(first.world))).toEqual(before);
  });

  test('a refused token is a JSON document with --json', async () => {
    const run = await logIn([...address, '--json'], service({ status: 401, body: { error: 'no such token' } }));
    expect(run.exitCode).toBe(8);
    expect(documentOf(run)).toMatchObject({
      ok: false,
      error: { kind: 'auth', exit_code: 8, detail: 'no such token' },
    });
  });

  test('--no-verify sends nothing and says so', async () => {
    const run = await logIn([...address, '--no-verify']);
    expect(run.exitCode).toBe(0);
    expect(run.stderr).toContain('not verified');
  });
});

test('the stored profile is JSON that a person can read, and it holds no token', async () => {
  const run = await logIn([...address, '--tenant', 'acme-7f3a'], service());
  const text = readFileSync(profileFile(run.world, 'support-bot'), 'utf8');
  expect(JSON.parse(text)).toMatchObject({ url: testUrl, tenant: 'acme-7f3a' });
  expect(text).not.toContain(testToken);
});

test('the help speaks of no prompt that is sent', async () => {
  const { stdout } = await motif(['login', '--help']);
  expect(stdout.replace(/\s+/g, ' ')).toContain('kept for the prompts of the profile; the check takes 30s at most');
  expect(stdout).not.toContain('one prompt with its retries');
});
