import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { renderReport } from '../../../src/suites/reports/table.ts';
import type { CheckReport } from '../../../src/suites/result.ts';
import { hostileReport } from '../../support/texts/hostile-report.ts';
import { missingPrograms } from '../../support/processes/programs.ts';
import { reportOf, resultOf } from '../../support/rooms/suites.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const same = (text: string) => text;
const options = { again: undefined, paint: { bold: same, dim: same, red: same, yellow: same }, version: '1.2.3' };
const schemas = join(import.meta.dirname, '../../fixtures/schemas');
const error = { kind: 'timeout', exit_code: 7, message: 'slow', code: null, detail: null, hint: null } as const;

const runs: readonly { readonly name: string; readonly report: CheckReport }[] = [
  { name: 'naughty texts wherever somebody has a say', report: hostileReport },
  {
    name: 'every verdict',
    report: reportOf([
      resultOf(),
      resultOf({ id: 'flaky', flaky: true, passes: 1, repeat: 2 }),
      resultOf({ id: 'skipped', verdict: 'skipped', outcome: null, elapsed_ms: null }),
      resultOf({ id: 'outage', verdict: 'unverified', outcome: null, elapsed_ms: null, error }),
      resultOf({ id: 'slow', elapsed_ms: 4_000_123.25, prompt_id: '01JD0000000000000000000000' }),
    ]),
  },
  { name: 'an empty shard', report: reportOf([], { shard: { index: 2, of: 50 } }) },
  { name: 'interrupted', report: reportOf([resultOf()], { isInterrupted: true, left: 9 }) },
];

describe('CTRF, by its published schema', () => {
  const validate = new Ajv({ strict: false, allErrors: true, validateFormats: false }).compile(
    JSON.parse(readFileSync(join(schemas, 'ctrf.json'), 'utf8')) as object,
  );

  test.each(runs)('$name', async ({ report }) => {
    validate(JSON.parse(await renderReport('ctrf', report, options)));
    expect(validate.errors ?? []).toEqual([]);
  });

  test('a status that it does not know would be found', async () => {
    const document = (await renderReport('ctrf', hostileReport, options)).replace(
      '"status":"failed"',
      '"status":"regressed"',
    );
    expect(validate(JSON.parse(document))).toBe(false);
  });
});

/** Additions of later versions of the Jenkins schema that a report uses. */
const additions: readonly (readonly [was: string, is: string])[] = [
  [
    '<xs:attribute name="package" type="xs:string" use="optional"/>',
    '<xs:attribute name="package" type="xs:string"/><xs:attribute name="file" type="xs:string"/>',
  ],
  [
    '<xs:element name="skipped" type="xs:string"/>',
    '<xs:element name="skipped"><xs:complexType><xs:attribute name="message" type="xs:string"/></xs:complexType></xs:element>' +
      '<xs:element name="flakyFailure"><xs:complexType mixed="true"><xs:attribute name="message" type="xs:string"/>' +
      '<xs:attribute name="type" type="xs:string" use="required"/></xs:complexType></xs:element>',
  ],
  [
    '<xs:element ref="error" minOccurs="0" maxOccurs="unbounded"/>',
    '<xs:element ref="error" minOccurs="0"/><xs:element ref="flakyFailure" minOccurs="0"/>',
  ],
];

const missing = missingPrograms('xmllint');
describe.skipIf(missing !== undefined)(`JUnit, by the schema of Jenkins ${missing ?? ''}`, () => {
  /** One process for all, since each costs as much as all of them. */
  test('every run is valid, and an unknown element is found', async () => {
    const folder = temporaryFolder();
    const published = readFileSync(join(schemas, 'jenkins-junit.xsd'), 'utf8');
    const schema = additions.reduce((text, [was, is]) => {
      expect(text.split(was)).toHaveLength(2);
      return text.replace(was, is);
    }, published);
    writeFileSync(join(folder, 'schema.xsd'), schema);
    const documents = await Promise.all(runs.map(({ report }) => renderReport('junit', report, options)));
    const names = [...documents, '<testsuites><odd/></testsuites>'].map((xml, index) => {
      writeFileSync(join(folder, `${index}.xml`), xml);
      return `${index}.xml`;
    });
    const { stderr } = spawnSync('xmllint', ['--nonet', '--noout', '--schema', 'schema.xsd', ...names], {
      cwd: folder,
      encoding: 'utf8',
    });
    const verdicts = stderr.split('\n').filter((line) => /validates$|fails to validate$/.test(line));
    expect(verdicts, stderr).toEqual([
      ...runs.map((_, index) => `${index}.xml validates`),
      `${runs.length}.xml fails to validate`,
    ]);
  });
});
