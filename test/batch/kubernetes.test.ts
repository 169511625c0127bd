import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { readWrittenText } from '../support/texts/written-examples.ts';

const isJob = new Ajv({ strict: false }).compile(
  JSON.parse(readFileSync('test/fixtures/schemas/kubernetes-job.schema.json', 'utf8')),
);
const { blocks } = readWrittenText('src/manual/batch.md');
const written = blocks.find(({ text }) => text.includes('kind: Job'))!.text;

test('the Indexed Job of the page is one by the schema of the API', () => {
  expect({ fits: isJob(parse(written)), errors: isJob.errors }).toEqual({ fits: true, errors: null });
});

test.each([
  { name: 'a field that no Job has', from: 'completionMode', to: 'completionmode' },
  { name: 'one that no container has', from: 'volumeMounts', to: 'mounts' },
  { name: 'a number as text', from: 'completions: 8', to: 'completions: "8"' },
  { name: 'a claim without its name', from: 'claimName', to: 'readOnly' },
])('$name is found', ({ from, to }) => {
  expect(written).toContain(from);
  expect(isJob(parse(written.replace(from, to)))).toBe(false);
});

test('its number of parts is that of its completions', () => {
  const { spec } = parse(written) as { spec: { completions: number; parallelism: number } };
  expect(written).toMatch(new RegExp(`--shard auto/${spec.completions}\\s`));
  expect(spec.parallelism).toBeLessThanOrEqual(spec.completions);
});
