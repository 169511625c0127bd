import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { motif } from '../../support/motif.ts';
import { gatewayOf, housePolicies, houseSuite } from '../../support/rooms/check.ts';
import '../../support/rooms/gateway-loaded.ts';

const suiteWithout = (...ids: readonly string[]) =>
  houseSuite
    .split('\n')
    .filter((line) => !ids.some((id) => line.includes(`id: ${id},`)))
    .join('\n');

function prove(argv: readonly string[], suite: string, env: Readonly<Record<string, string>> = {}) {
  const files = { 'gateway.yaml': gatewayOf(housePolicies, 'house, keys'), 's.motif.yaml': suite };
  return motif(['check', '--local', 'gateway.yaml', '--prove', ...argv], { env, files });
}

const unguarded = 'no case notices that keys is switched off or weakened';
const untested = 'no case tests project-y of house';

describe('a proof that failed', () => {
  const annotations = [
    { name: 'an unguarded policy', argv: [], suite: suiteWithout('key'), line: 6, title: 'keys', message: unguarded },
    {
      name: 'with --strict a part',
      argv: ['--strict'],
      suite: suiteWithout('y'),
      line: 5,
      title: 'house/project-y',
      message: untested,
    },
  ];

  test.each(annotations)('is an annotation for GitHub: $name', async ({ argv, suite, line, title, message }) => {
    const expected = `::error file=gateway.yaml,line=${line},title=${title}::${message}\n`;
    const run = await prove([...argv, '--report', 'github'], suite);
    expect(run).toMatchObject({ exitCode: 1, stdout: expected });
    const job = await prove(argv, suite, { GITHUB_ACTIONS: 'true' });
    expect(job.stdout).toMatch(/::\n::error /);
    expect(job.stdout.endsWith(expected)).toBe(true);
  });

  test('names the policies that catch the same, and which change nobody notices', async () => {
    const again = `${housePolicies}\n  again: { kind: words, words: [project-x, project-y] }`;
    const files = {
      'gateway.yaml': gatewayOf(again, 'house, again, keys'),
      's.motif.yaml': houseSuite.replace(', by: house/word', ''),
    };
    const argv = ['check', '--local', 'gateway.yaml', '--prove', '--report', 'github'];
    const { stdout } = await motif(argv, { env: {}, files });
    expect(stdout).toContain(
      'title=house::no case notices that house is switched off or weakened; also caught by again',
    );
    expect(stdout).toContain(
      'title=again::no case notices that again is switched off or weakened; also caught by house',
    );
  });

  test('fails a test case of JUnit, with the case to add', async () => {
    const run = await prove(['--report', 'junit=j.xml'], suiteWithout('key'));
    const xml = readFileSync(join(run.world.folder, 'j.xml'), 'utf8');
    expect(xml).toMatch(/<testsuites name="[^"]*" tests="5" failures="1" errors="0"/);
    expect(xml).toContain('<testsuite name="gateway.yaml" package="gateway.yaml" file="gateway.yaml" tests="1"');
    expect(xml).toContain('<testcase name="keys" classname="gateway.yaml"');
    expect(xml).toContain(`<failure message="${unguarded}" type="prove">gateway.yaml:6: ${unguarded}</failure>`);
    expect(xml).toContain('- id: guards-keys');
  });

  test('fails a test of CTRF', async () => {
    const { stdout } = await prove(['--report', 'ctrf'], suiteWithout('key'));
    const { results } = JSON.parse(stdout) as { results: { summary: object; tests: object[] } };
    expect(results.summary).toMatchObject({ tests: 5, passed: 4, failed: 1 });
    expect(results.tests.at(-1)).toMatchObject({
      name: 'keys',
      status: 'failed',
      filePath: 'gateway.yaml',
      line: 6,
      message: unguarded,
    });
  });

  test('has its policies named in brief', async () => {
    const { stdout } = await prove(['--report', 'brief'], suiteWithout('key'));
    const [first, last] = stdout.split('\n');
    expect(first).toBe(`fail  keys  gateway.yaml:6  ${unguarded}`);
    expect(last).toMatch(/^FAILED .*1 of 2 policies unguarded/);
  });

  test.each([
    { name: 'of a suite that guards all', argv: ['--strict'], suite: houseSuite },
    { name: 'without --strict, of a part', argv: [], suite: suiteWithout('y') },
  ])('says nothing where it did not fail: $name', async ({ argv, suite }) => {
    expect(await prove([...argv, '--report', 'github'], suite)).toMatchObject({ exitCode: 0, stdout: '' });
  });
});

describe('a run that fails by a flag alone', () => {
  const blocksAlone = 'cases:\n  - { id: y, prompt: project-y, expect: blocked }\n';
  const warning =
    's.motif.yaml expects no answer anywhere, so that a Motif that blocks everything would pass: add a control';

  test('by --strict on a warning is an annotation for GitHub, and a failure in forms that know cases alone', async () => {
    const files = { 'gateway.yaml': gatewayOf(housePolicies, 'house, keys'), 's.motif.yaml': blocksAlone };
    const reports = [
      '--report',
      'junit=j.xml',
      '--report',
      'ctrf=c.json',
      '--report',
      'brief=b.txt',
      '--report',
      'github',
    ];
    const run = await motif(['check', '--local', 'gateway.yaml', '--strict', ...reports], { env: {}, files });
    expect(run).toMatchObject({ exitCode: 1, stdout: `::error file=s.motif.yaml,line=1,title=warning::${warning}\n` });
    const read = (name: string): string => readFileSync(join(run.world.folder, name), 'utf8');
    expect(read('j.xml')).toContain(`<failure message="${warning}" type="strict">`);
    expect(JSON.parse(read('c.json'))).toMatchObject({ results: { summary: { passed: 1, failed: 1 } } });
    expect(read('b.txt')).toContain(warning.slice(0, 40));
  });

  test('of a suite no case of which was asked is shown at that suite', async () => {
    const files = {
      'a.motif.yaml': 'cases:\n  - { id: hello, prompt: hello, tags: [asked] }\n',
      's.motif.yaml': blocksAlone,
      'gateway.yaml': gatewayOf(housePolicies, 'house, keys'),
    };
    const argv = ['check', '--local', 'gateway.yaml', '--strict', '--tags', 'asked', '--report', 'github'];
    expect(await motif(argv, { env: {}, files })).toMatchObject({
      exitCode: 1,
      stdout: `::error file=s.motif.yaml,line=1,title=warning::${warning}\n`,
    });
  });
});
