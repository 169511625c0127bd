import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { action, actionText } from './support/processes/github-runner.ts';

const top = resolve(import.meta.dirname, '..');
test('no input of the action becomes a part of a script', () => {
  expect(action.runs.using).toBe('composite');
  expect(action.runs.steps.map(({ shell }) => shell)).toEqual(['bash', 'bash']);
  expect(action.runs.steps.filter(({ run }) => run.includes('${{'))).toEqual([]);
});

test('the action is one by the published schema, which would find a step without its shell', () => {
  const schema = readFileSync(join(import.meta.dirname, 'fixtures/schemas/github-action.json'), 'utf8');
  const validate = new Ajv({ strict: false, validateFormats: false }).compile(JSON.parse(schema) as object);
  validate(action);
  expect(validate.errors ?? []).toEqual([]);
  const steps = action.runs.steps.map(({ name, run }) => ({ name, run }));
  expect(validate({ ...action, runs: { ...action.runs, steps } })).toBe(false);
});

test('recipes of the manual give jobs no more than reading, and none runs on pull_request_target', () => {
  const manual = readFileSync(join(top, 'src/manual/ci.md'), 'utf8');
  expect(manual + actionText).not.toContain('pull_request_target');
  expect(manual.match(/^on:/gm)?.length).toBe(manual.match(/permissions: \{ contents: read \}/g)?.length);
  const runs = [...manual.matchAll(/^ +- run: (.*)$/gm)].map((match) => match[1] ?? '');
  expect(runs.filter((run) => run.includes('${{'))).toEqual([]);
});

test.each([
  { name: 'as expected', code: 0, job: 0 },
  { name: 'a regression', code: 1, job: 1 },
  { name: 'an outage', code: 11, doctor: 6, job: 0 },
  { name: 'an outage that is over', code: 11, doctor: 0, job: 0 },
  { name: 'a token that is not accepted', code: 11, doctor: 8, job: 8 },
  { name: 'no such Motif', code: 11, doctor: 4, job: 4 },
  { name: 'a suite that cannot be run', code: 2, job: 2 },
  { name: 'no token', code: 3, job: 3 },
])('the nightly recipe of the manual: $name ends the job with $job', ({ code, doctor = 70, job }) => {
  const manual = readFileSync(join(top, 'src/manual/ci.md'), 'utf8');
  const [, script = ''] = /- run: \|\n((?: {10}.*\n)+)/.exec(manual.slice(manual.indexOf('### A nightly run'))) ?? [];
  expect(script).toContain('motif check --max-unverified');
  const motif = `motif() { if [ "$1" = doctor ]; then return ${doctor}; fi; return ${code}; }\n`;
  const { status } = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', motif + script]);
  expect(status).toBe(job);
});
