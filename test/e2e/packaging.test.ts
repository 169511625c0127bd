import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { SourceMap as NodeSourceMap, type SourceMapPayload, type SourceMapping } from 'node:module';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { runStep } from '../support/processes/github-runner.ts';
import { sharedFolder } from '../support/temporary-folder.ts';

const folder = sharedFolder();
const installed = join(folder, 'motif/lib/node_modules/motif');
const command = join(folder, 'motif/bin/motif');
const workspace = join(folder, 'workspace');
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const graph = JSON.parse(readFileSync('dist/graph.json', 'utf8')) as { chunks: Record<string, readonly string[]> };

/** The environment without variables of the npm that runs the tests, which another npm would take for settings. */
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')));

function run(program: string, ...args: string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(program, args, { env, encoding: 'utf8', input: '' });
}

function pack(name: string): string {
  const place = join(folder, name);
  mkdirSync(place);
  const { status, stderr } = run('npm', 'pack', '--pack-destination', place);
  expect(status, stderr).toBe(0);
  return join(place, `motif-${version}.tgz`);
}

/** A step of the GitHub action; npm may ask no registry. */
function stepOf(name: string, inputs: Readonly<Record<string, string>>) {
  return runStep(name, inputs, { runnerTemp: folder, workspace, env: { npm_config_offline: 'true' } });
}

function sha256(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

let tarball: string;
let packed: readonly string[];

beforeAll(() => {
  tarball = pack('first');
  mkdirSync(workspace);
  const { status, stderr } = stepOf('Install motif', { package: tarball });
  expect(status, stderr).toBe(0);
  packed = readdirSync(installed, { recursive: true, encoding: 'utf8' }).filter((path) =>
    statSync(join(installed, path)).isFile(),
  );
});

test('two packs are the same bytes, and at most 1.5 MB', () => {
  expect(sha256(pack('second'))).toBe(sha256(tarball));
  expect(statSync(tarball).size).toBeLessThan(1_500_000);
});

test('the package holds the program, its maps, its licences and its README, and nothing else', () => {
  const wanted =
    /^(package\.json|README\.md|LICENSE|bin\/motif\.js|dist\/LICENSES\.txt|dist\/[a-z][a-z0-9~_-]*\.js(\.map)?)$/i;
  expect(packed.filter((path) => !wanted.test(path))).toEqual([]);
  expect(packed).toEqual(expect.arrayContaining(['bin/motif.js', 'dist/entry.js', 'dist/LICENSES.txt', 'LICENSE']));
});

test('nothing in the package tells of the machine it was made on', () => {
  const private_ = [resolve('.'), homedir(), '_authToken'];
  // A rule of the policies holds the frame of a key, without a key in it.
  const key = /PRIVATE KEY-----\s+[\w+/]{16}/;
  const telling = packed.filter((path) => {
    const text = readFileSync(join(installed, path), 'utf8');
    return key.test(text) || private_.some((word) => text.includes(word));
  });
  expect(telling).toEqual([]);
});

test('an install from the package alone, without a registry, brings one package and a program that runs', () => {
  expect(readdirSync(join(folder, 'motif/lib/node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
    'motif',
  ]);
  expect(packed.filter((path) => path.includes('node_modules'))).toEqual([]);
  expect(run(command, '--version')).toMatchObject({ status: 0, stdout: `motif ${version}\n`, stderr: '' });
});

test('the licence of every package in the bundle is in it', () => {
  const texts = readFileSync(join(installed, 'dist/LICENSES.txt'), 'utf8');
  const modules = Object.values(graph.chunks).flat();
  const names = new Set(modules.flatMap((id) => /^.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1] ?? []));
  expect(names).toContain('undici');
  expect(names.size).toBeLessThanOrEqual(50);
  expect([...names].filter((name) => !new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(`, 'm').test(texts))).toEqual([]);
});

test('the maps are of our own code alone, without the code itself', () => {
  const maps = packed.filter((path) => path.endsWith('.map'));
  const contents = maps.map((path) => JSON.parse(readFileSync(join(installed, path), 'utf8')) as SourceMap);
  expect(contents.flatMap((map) => map.sources)).toContain('../src/main.ts');
  expect(contents.flatMap((map) => map.sources).filter((source) => !source.startsWith('../src/'))).toEqual([]);
  expect(contents.filter((map) => map.sourcesContent !== undefined)).toEqual([]);
});

test('a map tells the line of each message of the sources', () => {
  const unlike: string[] = [];
  let told = 0;
  for (const name of packed.filter((path) => path.endsWith('.js.map'))) {
    const map = new NodeSourceMap(JSON.parse(readFileSync(join(installed, name), 'utf8')) as SourceMapPayload);
    const lines = readFileSync(join(installed, name.replace(/\.map$/, '')), 'utf8').split('\n');
    for (const [line, code] of lines.entries())
      for (const { 0: word, index } of code.matchAll(/(?<=`)[a-z]+(?: [a-z]+){3,}(?=`)/gi)) {
        const found = map.findEntry(line, index);
        const { originalSource: source, originalLine } = found as Partial<SourceMapping>;
        if (source?.endsWith('.ts') !== true || originalLine === undefined) continue;
        if (sourceLine(source, originalLine).includes(word)) told += 1;
        else unlike.push(`${name}: ${word} in ${source}:${originalLine + 1}`);
      }
  }
  expect(told).toBeGreaterThan(500);
  // Some constants stand where they are used.
  expect(unlike.length, unlike.join('\n')).toBeLessThan(told / 50);
});

function sourceLine(source: string, line: number): string {
  return readFileSync(resolve('dist', source), 'utf8').split('\n')[line] ?? '';
}

interface SourceMap {
  readonly sources: readonly string[];
  readonly sourcesContent?: unknown;
}

test('a stack is only shown under --debug, and then in lines of the source', () => {
  const plain = run(command, 'prompt', '--no-such-flag');
  expect(plain.status).toBe(2);
  expect(plain.stderr).not.toMatch(/^ +at /m);
  expect(run(command, 'prompt', '--no-such-flag', '--debug').stderr).toMatch(/^ +at .*src\/[a-z/-]+\.ts:\d+:\d+/m);
});

test('a program whose build is missing says so', () => {
  mkdirSync(join(folder, 'bin'));
  copyFileSync('bin/motif.js', join(folder, 'bin/motif.js'));
  const { status, stdout, stderr } = run(process.execPath, join(folder, 'bin/motif.js'), '--version');
  expect({ status, stdout }).toEqual({ status: 3, stdout: '' });
  expect(stderr).toContain('entry.js is missing; reinstall motif');
});

test('a worker that starts while the build is away, as in an upgrade, ends, so that another one takes its place', async () => {
  const worker = spawn(process.execPath, [join(folder, 'bin/motif.js')], {
    env: { ...env, NODE_UNIQUE_ID: '1' },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  onTestFinished(() => void worker.kill('SIGKILL'));
  const ended = once(worker, 'exit');
  const [said] = (await once(worker.stderr!, 'data')) as [Buffer];
  expect(said.toString()).toContain('entry.js is missing; reinstall motif');
  expect(await ended).toEqual([expect.any(Number), null]);
});

test('a Node that is too old says so', () => {
  const preload = `data:text/javascript,Object.defineProperty(process, 'versions', { value: { node: '20.18.0' } })`;
  const { status, stdout, stderr } = run(process.execPath, '--import', preload, 'bin/motif.js', '--version');
  expect({ status, stdout }).toEqual({ status: 3, stdout: '' });
  expect(stderr).toMatch(/^motif: needs Node 20\.18\.1 or newer; this is v\d/);
});

describe('the GitHub action, its scripts run as a runner runs them', () => {
  const check = (suite: string, words: string) => {
    writeFileSync(join(workspace, 'smoke.motif.yaml'), suite);
    return stepOf('Check', { package: tarball, arguments: words });
  };

  test('a green run writes the summary of the job, and each line of the arguments is a word of motif alone', () => {
    const ids = ['$(touch pwned)`touch pwned`', `"; touch pwned; '`, '*', ' two  words ', '::error::x', '${{ x }}'];
    const cases = ids.map((id) => `  - { id: ${JSON.stringify(id)}, prompt: Hello }\n`).join('');
    const words = ids.map((id) => `--id=${id}\n`).join('\n');
    const suite = `cases:\n  - { id: greets, prompt: Hello }\n${cases}`;
    const { status, summary, stdout, stderr } = check(suite, `--demo\r\n\nsmoke.motif.yaml\r\n${words}--id\ngreets`);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('7 cases: 7 pass');
    expect(summary).toContain('7');
    expect(readdirSync(workspace)).toEqual(['smoke.motif.yaml']);
  });

  test('a regression fails the step, is annotated, and stands in the summary', () => {
    const suite = 'cases:\n  - id: card\n    prompt: "::error::owned $(touch pwned)"\n    expect: blocked\n';
    const { status, summary, stdout } = check(suite, '--demo\nsmoke.motif.yaml\n');
    expect(status).toBe(1);
    expect(stdout).toContain('::error file=smoke.motif.yaml,line=2,title=');
    expect(stdout).not.toMatch(/^::error::owned/m);
    expect(summary).toContain('card');
    expect(readdirSync(workspace)).toEqual(['smoke.motif.yaml']);
  });

  test.each([
    { name: 'empty', package: '' },
    { name: 'a folder, as that of a pull request', package: '.' },
    { name: 'no file', package: 'left-pad@1.3.0' },
    { name: 'a flag', package: '--global-style' },
    { name: 'a command', package: '$(touch pwned)' },
  ])('a package that is $name installs nothing: $package', (inputs) => {
    writeFileSync(join(workspace, 'package.json'), '{"name":"owned","version":"1.0.0"}');
    const { status, stdout } = stepOf('Install motif', inputs);
    rmSync(join(workspace, 'package.json'));
    expect(status).toBe(1);
    expect(stdout).toContain('::error::the input package must name the packed file');
    expect(readdirSync(join(folder, 'motif/lib/node_modules'))).not.toContain('owned');
    expect(readdirSync(workspace)).not.toContain('pwned');
  });
});
