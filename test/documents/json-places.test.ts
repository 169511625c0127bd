import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseQuickly } from '../../src/documents/quick-yaml.ts';
import { parseYaml, readWholeYaml } from '../../src/documents/yaml.ts';
import { atOnce } from '../../src/text/turns.ts';

type Steps = readonly (string | number)[];

/** Paths of a value, of all within it, and of one thing that is not there. */
function pathsIn(value: unknown): Steps[] {
  if (typeof value !== 'object' || value === null) return [[], ['not there']];
  const inner = Object.entries(value).flatMap(([key, child]) => {
    const step = Array.isArray(value) ? Number(key) : key;
    return pathsIn(child).map((path) => [step, ...path]);
  });
  return [[], ['not there'], ...inner];
}

/** Reads a text as JSON and as YAML, and expects the same value and the same places. */
function expectSame(text: string): void {
  const json = parseYaml(text, 'a.yaml');
  const yaml = atOnce(readWholeYaml(text, 'a.yaml'));
  expect(json.faults, text).toEqual(yaml.faults);
  expect(json.value, text).toEqual(yaml.value);
  for (const path of pathsIn(yaml.value)) expect(json.at(path), `${text}\n${path.join('/')}`).toEqual(yaml.at(path));
}

const text = fc.oneof(
  fc.string({ maxLength: 8 }),
  fc.constantFrom('a', '"', '\\', '\\"', '{', '}]', ': ,', '\n', '\u00e9', '\ud83d\ude00', '#', 'null', '//'),
);
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.constantFrom(null, true, false, 0, 1, 2.5, -3, 12_345),
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(text, tie('any'), { maxKeys: 4 }),
  ),
})).any;

describe('a gateway file that a program wrote as JSON', () => {
  test.each([
    '{"listen":{"port":8080},"motifs":{"a":{"policies":["p","q"],"system":null},"b":{"tokens":[{"id":"t"}]}}}',
    '  {\n  "a" : [ 1, 2.5, {} , [ ] , "x]}" ] ,\n  "b\\"{": { "\\\\": "\\\\" }\n}\n',
    '{}',
    '{"a": 1, "a": 2}',
    '{"a": {"b": 1, "b": 2}}',
    '{"a": "\\u003a", "b:c": ":"}',
    '{"a": 1,}',
    '{a: 1}',
    '{"a": 1} # a remark',
    '{"a": 1e400}',
  ])('says of %j what YAML says, line and column too', (document) => {
    expect.hasAssertions();
    expectSame(document);
  });

  test('property: is read like YAML, whatever is in it and however it is laid out', () => {
    expect.hasAssertions();
    fc.assert(
      fc.property(fc.dictionary(text, value, { minKeys: 1, maxKeys: 4 }), fc.constantFrom(0, 1, 2), (top, indent) =>
        expectSame(JSON.stringify(top, undefined, indent)),
      ),
      { numRuns: 300 },
    );
  });

  test('a place is counted in characters, also on one line', () => {
    const { at } = parseYaml('{"\ud83d\ude00":"\ud83d\ude00","b":1}', 'a.yaml');
    expect(at(['b'])).toEqual({ line: 1, column: 14 });
  });
});

test.each([
  { name: 'as it is', text: (json: string) => json },
  {
    name: 'on one line without quotes',
    text: (json: string) => `a: ${json.replaceAll('"', '').replaceAll(/[:,]/g, '$& ')}`,
  },
  { name: 'that is cut off', text: (json: string) => json.slice(0, -40) },
  { name: 'without a comma', text: (json: string) => json.replace('},"m-150', '}"m-150') },
  { name: 'with a brace too many', text: (json: string) => `${json}}` },
])('a file of JSON $name is read in pieces of some entries', async ({ text: written }) => {
  const count = 2000;
  const motifs = Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`m-${at}`, { provider: 'mock', users: ['ana'] }]),
  );
  let turns = 0;
  const document = written(JSON.stringify({ listen: { port: 8080 }, motifs }));
  const work = function* (): Generator<void, unknown> {
    return (yield* parseQuickly(document, 'a.yaml')) ?? (yield* readWholeYaml(document, 'a.yaml'));
  };
  for (const reading = work(); reading.next().done !== true;) turns++;
  expect(turns).toBeGreaterThan(count / 16);
});
