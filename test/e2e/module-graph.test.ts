import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { testedNode } from '../support/processes/program.ts';
import { sharedFolder } from '../support/temporary-folder.ts';

const nodeMajor = Number(
  spawnSync(testedNode, ['-p', 'process.versions.node'], { encoding: 'utf8' }).stdout.split('.')[0],
);
const folder = sharedFolder();

const { chunks } = JSON.parse(readFileSync('dist/graph.json', 'utf8')) as { chunks: Record<string, readonly string[]> };

/** The modules that a run of the built program really loads, as `src/…`, `node_modules/…` and `node:…`. */
function modulesLoadedBy(args: readonly string[]): readonly string[] {
  const list = join(folder, 'loaded');
  const env = { PATH: process.env['PATH'], HOME: folder, LOADED_FILES: list, MOTIF_TOKEN: 'nobody-listens-to-this' };
  const hook = resolve('test/support/processes/loaded-files.cjs');
  const run = spawnSync(testedNode, ['-r', hook, 'bin/motif.js', ...args], { env, encoding: 'utf8', input: '' });
  expect(run.signal, run.stderr).toBeNull();
  const files = readFileSync(list, 'utf8').split('\n');
  const loaded = files.filter((file) => basename(dirname(file)) === 'dist').map((file) => basename(file));
  const ofNode = files.filter((file) => file.startsWith('node:'));
  return [...loaded.flatMap((file) => chunks[file] ?? [`not in graph.json: ${file}`]), ...ofNode];
}

/** The packages, and the folders of `src`, that a run of the built program really loads. */
function roomsLoadedBy(args: readonly string[]): readonly string[] {
  const modules = modulesLoadedBy(args);
  return [...new Set(modules.map((id) => /^(?:node_modules\/)?(?:src\/)?((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1] ?? id))];
}

test.each([
  { args: ['--version'] },
  { args: ['--help'] },
  { args: [] },
  { args: ['help'] },
  { args: ['help', 'exit-codes'] },
  { args: ['prompt', '--help'] },
  { args: ['chat', '--help'] },
  { args: ['doctor'] },
  { args: ['history', 'list'] },
  { args: ['completion', 'bash'] },
  { args: ['completion', 'zsh'] },
  { args: ['completion', 'fish'] },
])('motif $args loads neither the network nor a spinner nor the writer of profiles', ({ args }) => {
  const rooms = roomsLoadedBy(args);
  expect(rooms).toContain('main.ts');
  for (const heavy of ['undici', 'conf', 'ajv', 'ora', 'transport']) expect(rooms).not.toContain(heavy);
});

test('a prompt loads the network, which shows that this list would name it, and still no writer of profiles', () => {
  const address = 'http://127.0.0.1:9/api/v1/apps/nobody';
  const rooms = roomsLoadedBy(['prompt', '--url', address, '--retries', '0', 'hi']);
  expect(rooms).toEqual(expect.arrayContaining(['client', 'transport', 'undici', 'node:net']));
  for (const unneeded of ['conf', 'ajv', 'ora']) expect(rooms).not.toContain(unneeded);
});

test.each([{ args: ['--version'] }, { args: ['--help'] }, { args: ['prompt', '--help'] }])(
  'motif $args starts without what takes Node milliseconds: the network, cryptography, facts of the machine',
  ({ args }) => {
    const rooms = roomsLoadedBy(args);
    for (const slow of ['node:net', 'node:crypto']) expect(rooms).not.toContain(slow);
    // From Node 22 on the cache of compiled code asks for facts of the machine itself.
    if (nodeMajor < 22) expect(rooms).not.toContain('node:os');
  },
);

test.each([{ args: ['history', 'list'] }, { args: ['profile', 'list'] }])(
  'motif $args asks nobody, and does without the network of Node',
  ({ args }) => expect(roomsLoadedBy(args)).not.toContain('node:net'),
);

test.each([
  { name: 'a file of rows', file: 'one.jsonl', text: '{"prompt":"hi","expect":"answered"}\n' },
  {
    name: 'a suite in plain YAML',
    file: 'one.motif.yaml',
    text: 'name: One\ncases:\n  - { id: a, prompt: "hi", tags: [smoke], answer: { contains: hi } }\n',
  },
])('check of $name loads no parser of YAML, CSV or JSON Schema, and no report but the one that is shown', (suite) => {
  const path = join(folder, suite.file);
  writeFileSync(path, suite.text);
  const modules = modulesLoadedBy(['check', path, '--url', 'http://127.0.0.1:9/api/v1/apps/nobody', '--retries', '0']);
  expect(modules).toEqual(expect.arrayContaining(['src/suites/run.ts', 'src/suites/reports/human.ts']));
  const unneeded =
    /^node_modules\/(yaml|csv-parse|ajv|conf|ora)\/|^src\/(gateway\/|reports\/html|suites\/(prove|stored))/;
  const otherReports = /^src\/suites\/reports\/(?!(?:human|fitted-rows|report|table)\.ts$)/;
  expect(modules.filter((id) => unneeded.test(id) || otherReports.test(id))).toEqual([]);
});

test.each([{ verb: 'stats' }, { verb: 'verify' }, { verb: 'list' }])(
  'admin audit $verb of named files loads neither YAML nor policies nor the gateway, but what reads audits',
  ({ verb }) => {
    const path = join(folder, 'audit.jsonl');
    writeFileSync(path, '');
    const modules = modulesLoadedBy(['admin', 'audit', verb, path]);
    expect(modules).toContain('src/gateway/records/audit/reading.ts');
    const unneeded = /^node_modules\/(yaml|ajv|re2js)\/|^src\/gateway\/(policies|file|server|providers)\//;
    expect(modules.filter((id) => unneeded.test(id))).toEqual([]);
  },
);
