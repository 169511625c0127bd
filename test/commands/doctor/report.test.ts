import { describe, expect, test } from 'vitest';
import { brokenAt, certificate, doctor, emptyRefused, layersOf, way } from '../../support/rooms/doctor.ts';
import { documentOf, loggedIn, logIn } from '../../support/rooms/login.ts';
import { motif, type MotifSetup, testEnv, testToken, testUrl } from '../../support/motif.ts';
import { service } from '../../support/service.ts';

describe('the report for people', () => {
  test('versions, settings with their origins, then a line a layer', async () => {
    const run = await doctor(['--tenant', 'acme'], { now: Date.UTC(2026, 10, 20, 12) });
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    const [head = '', settings = '', layers = ''] = run.stdout.split('\n\n');
    expect(head).toMatch(/^motif \S+, Node 20\.20\.0, linux$/);
    expect(settings).toMatch(/^token +\*\*\*\*8Vc3 +MOTIF_TOKEN$/m);
    expect(settings).toMatch(/^tenant +acme +--tenant$/m);
    expect(layers).toBe(`\
ok       settings  ${testUrl}, no profile
ok       files     nothing is stored in ${run.world.home}/.config/motif
ok       keyring   no keyring answers; it is not needed, the token comes from MOTIF_TOKEN
ok       proxy     direct, for no proxy is set
ok       dns       gw.example is 10.1.2.3, 4 ms
ok       connect   connected to 10.1.2.3, 5 ms
ok       tls       TLSv1.3, 20 ms
                   certificate gw.example, issued by Example CA: expires on 2027-01-01, in 41 days
ok       http      it answers: 400, as it should to an empty prompt (no model is asked), 41 ms
ok       token     ****8Vc3 is accepted; it comes from MOTIF_TOKEN
ok       tenant    acme from --tenant
ok       clock     within a minute of the service's clock
`);
  });

  test('its settings are those of whoami', async () => {
    const world = await loggedIn([testUrl, '-p', 'staging', '--tenant', 'acme', '--timeout', '90s']);
    const setup = { after: world, env: {} };
    const { stdout } = await motif(['whoami'], setup);
    expect((await doctor([], setup)).stdout).toContain(`\n\n${stdout}\n`);
  });

  test('what is wrong stands below its layer, and stderr has one line', async () => {
    const probe = way({ tls: null, failure: brokenAt('tls', 'not trusted here', '--cacert FILE') });
    const run = await doctor([], { probe });
    expect(run.stdout).toContain(
      `failed   tls       not trusted here\n${' '.repeat(19)}--cacert FILE\nskipped  http      not reached\n`,
    );
    expect(run).toMatchObject({ exitCode: 6, stderr: 'motif: doctor found a fault: tls\n' });
  });

  test('a token that is set and not sent is not told as none', async () => {
    const plain = await doctor(['--url', 'http://gw.example/api/v1/apps/m']);
    expect(plain.stdout).toMatch(/^token +set, but not sent: see the layer settings +MOTIF_TOKEN$/m);
    const unusable = await doctor([], { env: { ...testEnv, MOTIF_TOKEN: 'two words' } });
    expect(unusable.stdout).toMatch(/^token +set, but not usable: see what failed +MOTIF_TOKEN$/m);
    expect((await doctor([], { env: { MOTIF_URL: testUrl } })).stdout).toMatch(/^token +none$/m);
  });

  test('a token in the place of the Motif ID stays here, and no way is looked along', async () => {
    const token = 'opaque_token_0123456789';
    const env = { MOTIF_URL: `https://gw.example/api/v1/apps/${token}`, MOTIF_TOKEN: token };
    const run = await doctor([], { env, probe: () => Promise.reject(new Error('looked along the way')) });
    expect(run.exitCode).toBe(2);
    expect(run.stdout).toMatch(/^token +set, but not sent: see the layer settings +MOTIF_TOKEN$/m);
    expect(run.stdout).toMatch(/^failed +settings +MOTIF_URL holds the access token.*; nothing was sent$/m);
    expect(run.stdout).toMatch(/^skipped +connect +not reached$/m);
    expect(run.stdout).not.toContain(token);
  });

  test('a certificate that is not trusted is shown all the same', async () => {
    const chain = [
      { ...certificate, issuer: 'Inspecting Proxy CA', validFrom: Date.UTC(2027, 0, 1), validTo: Number.NaN },
    ];
    const run = await doctor([], {
      probe: way({ tls: { protocol: null, chain }, failure: brokenAt('tls', 'not trusted here') }),
    });
    expect(run.stdout).toContain('issued by Inspecting Proxy CA: valid from 2027-01-01, it does not say when it ends');
  });

  test('the status is a word, colour only repeats it, and each stream is judged', async () => {
    const onTerminal = await doctor([], { stdout: { columns: 80 } });
    expect(onTerminal.stdout).toContain('\x1b[32mok\x1b[39m       settings');
    expect((await doctor([])).stdout).not.toContain('\x1b');
    expect((await doctor([], { stdout: { columns: 80 }, env: { ...testEnv, NO_COLOR: '1' } })).stdout).not.toContain(
      '\x1b',
    );
  });

  test.each([
    {
      name: 'this machine',
      argv: ['--url', 'http://127.0.0.1:8080/api/v1/apps/m'],
      layer: 'proxy',
      says: 'direct: loopback never uses a proxy',
    },
    {
      name: 'an address',
      argv: ['--url', 'http://127.0.0.1:8080/api/v1/apps/m'],
      layer: 'dns',
      says: '127.0.0.1 is an address',
    },
    { name: 'plain http', argv: ['--url', 'http://127.0.0.1:8080/api/v1/apps/m'], layer: 'tls', says: 'plain http' },
    {
      name: 'NO_PROXY',
      env: { HTTPS_PROXY: 'http://p.example', no_proxy: '', NO_PROXY: '.example' },
      layer: 'proxy',
      says: 'direct, for NO_PROXY names gw.example',
    },
    {
      name: 'a proxy',
      env: { https_proxy: 'http://me:HUSHHUSH@p.example:3128' },
      layer: 'proxy',
      says: 'through http://p.example:3128 with name and password, which https_proxy names',
    },
    {
      name: 'the name of a proxy',
      env: { https_proxy: 'http://p.example:3128' },
      layer: 'dns',
      says: 'p.example is 10.1.2.3',
    },
    {
      name: 'a connection to a proxy',
      argv: ['--proxy', 'p.example:3128'],
      layer: 'connect',
      says: 'connected to the proxy at 10.1.2.3',
    },
    { name: 'no home', setup: { home: null }, layer: 'files', says: 'there is no home folder' },
    {
      name: 'a keyring nobody needs',
      setup: { keyring: 'present' },
      layer: 'keyring',
      says: 'Test Keyring answers; it is not needed',
    },
    {
      name: 'no date',
      setup: { send: service({ ...emptyRefused, headers: {} }).send },
      layer: 'clock',
      status: 'skipped',
      says: 'does not say what time',
    },
    {
      name: 'a service that answers an empty prompt',
      setup: { send: service().send },
      layer: 'http',
      says: 'it answers 200 to an empty prompt',
    },
  ] as readonly {
    name: string;
    argv?: string[];
    env?: Record<string, string>;
    setup?: MotifSetup;
    layer: string;
    status?: string;
    says: string;
  }[])('$name: $layer says $says', async ({ argv = [], env = {}, setup = {}, layer, status = 'ok', says }) => {
    const run = await doctor([...argv, '--allow-http', '--json'], { env: { ...testEnv, ...env }, ...setup });
    expect(run.exitCode).toBe(0);
    expect(layersOf(run)[layer]).toMatchObject({ status, message: expect.stringContaining(says) as string });
  });
});

describe('where the token comes from', () => {
  test('the keyring that holds it is named', async () => {
    const { world } = await logIn([testUrl, '--token-stdin', '--no-verify'], { keyring: 'present' });
    const run = await doctor([], { after: world, keyring: 'present', env: {} });
    expect(run.stdout).toContain('Test Keyring answers and holds the token of profile support-bot\n');
  });

  test('a token command is run, once, as a prompt would, and it is said', async () => {
    const runs = () => ({ code: 0, stdout: testToken, stderr: '' });
    const { world } = await logIn([testUrl, '--token-command', 'vault read', '--no-verify'], { run: runs });
    const run = await doctor([], { after: world, env: {}, run: runs });
    expect(run.stdout).toContain('****8Vc3 is accepted; it comes from profile support-bot, command, which was run');
    expect(run.world.ran).toHaveLength(1);
  });
});

describe('--json', () => {
  test('one document with settings, versions and an item a layer', async () => {
    const document = documentOf(await doctor(['--json']));
    expect(Object.keys(document)).toEqual(['ok', 'items', 'settings', 'versions', 'error']);
    expect(document).toMatchObject({
      ok: true,
      error: null,
      versions: { motif: expect.stringMatching(/^\d+\.\d+\.\d+$/) as string },
      settings: {
        profile: null,
        url: { value: testUrl, from: 'MOTIF_URL' },
        timeout: { value: '5m', from: 'default' },
      },
    });
    const items = document.items as Record<string, unknown>[];
    for (const item of items) expect(Object.keys(item)).toEqual(['layer', 'status', 'message', 'notes', 'hint']);
    expect(items.map(({ layer }) => layer)).toEqual(
      'settings files keyring proxy dns connect tls http token tenant clock'.split(' '),
    );
  });

  test('settings that cannot be resolved are null', async () => {
    const run = await doctor(['-p', 'nobody', '--json']);
    expect(documentOf(run)).toMatchObject({ ok: false, settings: null, error: { kind: 'config', exit_code: 3 } });
  });
});

describe('the report does no harm', () => {
  test('one request without a message, no retry, within half a minute', async () => {
    const busy = service({ status: 503, headers: { 'retry-after': '1' }, body: { error: 'busy' } });
    const run = await doctor([], { send: busy.send });
    expect(run.exitCode).toBe(5);
    expect(busy.requests.map(({ json }) => json)).toEqual([{ messages: [] }]);
    expect(busy.requests[0]?.options.deadlineAt).toBe(run.world.monotonic() + 30_000);
    expect(run.world.slept).toEqual([]);
  });

  test('a service that says the token back does not get it into the report', async () => {
    const said = `bad token ${testToken}`;
    for (const argv of [[], ['--json']]) {
      const run = await doctor(argv, { send: service({ status: 401, body: { error: said } }).send });
      expect(run.exitCode).toBe(8);
      expect(run.stdout + run.stderr).not.toContain(testToken);
      expect(run.stdout).toContain('bad token ••••');
    }
  });

  test('Ctrl-C ends it by its signal', async () => {
    const run = await doctor([], {
      probe: async (_url, { signal }) => {
        await new Promise((resolve) => setImmediate(resolve));
        signal?.throwIfAborted();
        throw new Error('not interrupted');
      },
      prepare: (world) => setImmediate(() => world.interrupt()),
    });
    expect(run.signal).toBe('SIGINT');
  });

  test('what cannot be foreseen is a bug and not a layer', async () => {
    expect(await doctor([], { probe: way({ failure: new Error('odd') }) })).toMatchObject({ exitCode: 70, stdout: '' });
  });
});
