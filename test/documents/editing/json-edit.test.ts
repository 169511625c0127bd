import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { YamlEdit } from '../../../src/documents/editing/edit.ts';
import { editYaml } from '../../../src/documents/editing/yaml-edit.ts';
import type { Path } from '../../../src/documents/fault.ts';
import { runs } from '../../support/runs.ts';

const edited = (text: string, change: (edit: YamlEdit) => void) => editYaml(text, 1024 * 1024, change);

type Value = null | boolean | number | string | Value[] | { [key: string]: Value };

/** Words that are no indexes: JavaScript moves a key like `7` to the front of an object. */
const key = fc
  .string({ unit: 'binary', maxLength: 6 })
  .map((word) => `k${word}`)
  .filter((word) => word.isWellFormed());
const { value: anyValue } = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<Value>(null, true, 0, -1.5, '', 'a "b" {c}, [d]: \\ e', '\u2028', [], {}),
    fc.string(),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(key, tie('value'), { maxKeys: 4 }),
  ),
}));
const document = fc.dictionary(key, anyValue, { minKeys: 1, maxKeys: 5, noNullPrototype: true });
const indents = fc.constantFrom(undefined, 1, 2, 4, '\t');

/** A copy in which no part is there twice, as constants of a generator are. */
function clone<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

interface Step {
  readonly kind: 'set' | 'add' | 'append' | 'remove';
  readonly at: number;
  readonly key: string;
  readonly value: Value;
}
const steps = fc.array(
  fc.record({
    kind: fc.constantFrom<Step['kind'][]>('set', 'add', 'append', 'remove'),
    at: fc.nat(),
    key,
    value: anyValue,
  }),
  { minLength: 1, maxLength: 4 },
);

interface Found {
  readonly path: Path;
  readonly value: Value;
  readonly around: Value[] | Record<string, Value>;
}

function* valuesIn(around: Value[] | Record<string, Value>, path: Path = []): Generator<Found> {
  for (const [name, value] of Object.entries(around)) {
    const own = [...path, Array.isArray(around) ? Number(name) : name];
    yield { path: own, value, around };
    if (typeof value === 'object' && value !== null) yield* valuesIn(value, own);
  }
}

/** Makes a change in a file and the same in its value. */
function makeBoth(edit: YamlEdit, top: Record<string, Value>, { kind, at, key: name, value }: Step): void {
  const all = [...valuesIn(top)];
  const isFit = ({ value: each }: Found): boolean =>
    kind === 'append' ? Array.isArray(each) : kind === 'add' ? isMap(each) : true;
  const fit = all.filter(isFit);
  const found = fit[at % fit.length];
  if (found === undefined || (kind === 'remove' && all.length === 1)) return;
  const { path, around } = found;
  const step = path.at(-1)!;
  if (kind === 'set') {
    edit.set(path, value);
    put(around, step, value);
  } else if (kind === 'add') {
    edit.set([...path, name], value);
    put(found.value as Record<string, Value>, name, value);
  } else if (kind === 'append') {
    edit.append(path, value);
    (found.value as Value[]).push(value);
  } else {
    edit.remove(path);
    if (Array.isArray(around)) around.splice(Number(step), 1);
    else delete around[String(step)];
  }
}

function put(around: Value[] | Record<string, Value>, step: string | number, value: Value): void {
  (around as Record<string | number, Value>)[step] = value;
}

function isMap(value: Value): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

test('changes of printed JSON are those of its value, printed in the same way', () => {
  fc.assert(
    fc.property(document, steps, indents, fc.constantFrom('', '\n', '\r\n'), (value, changes, indent, end) => {
      const isCrlf = end === '\r\n';
      const print = (each: Value): string => {
        const text = JSON.stringify(each, null, indent);
        return `${isCrlf ? text.replaceAll('\n', '\r\n') : text}${end}`;
      };
      const after = clone(value);
      const text = edited(print(value), (edit) => {
        for (const each of changes) makeBoth(edit, after, clone(each));
      });
      expect(text).toBe(print(after));
    }),
    runs(500),
  );
});

test('changes of JSON in any layout are those of its value', () => {
  fc.assert(
    fc.property(
      document,
      steps,
      fc.array(fc.constantFrom('', ' ', '\n', '\t', '\r\n  '), { minLength: 1 }),
      (value, changes, blanks) => {
        let at = 0;
        const text = JSON.stringify(value).replace(
          /"(?:[^"\\]|\\.)*"|[{}[\],:]/g,
          (token) => `${token}${blanks[at++ % blanks.length]!}`,
        );
        const after = clone(value);
        const now = edited(text, (edit) => {
          for (const each of changes) makeBoth(edit, after, clone(each));
        });
        expect(JSON.parse(now)).toEqual(after);
      },
    ),
    runs(500),
  );
});

const mixed = `{
    "tenant" : "org-a", "limits": {"in_flight": 12345678901234567890, "x": 1.10},

    "motifs" : {
        "one" : { "provider": "p", "tokens": [{ "id": "t1", "sha256": "\\u0061" }] },
        "two" : { "provider": "p", "tokens": [
            { "id": "t2" }
        ] }
    },
    "groups": {"a": ["x","y"],"b": []}
}`;

describe('JSON that a person wrote', () => {
  test.each<{ name: string; change: (edit: YamlEdit) => void; was: string; now: string }>([
    {
      name: 'an entry is one line where its neighbour is',
      change: (edit) => edit.append(['motifs', 'one', 'tokens'], { id: 't3', user: undefined, sha256: 'x' }),
      was: '"\\u0061" }]',
      now: '"\\u0061" }, { "id": "t3", "sha256": "x" }]',
    },
    {
      name: 'an entry has a line of its own where its neighbour has',
      change: (edit) => edit.append(['motifs', 'two', 'tokens'], { id: 't3' }),
      was: '{ "id": "t2" }\n',
      now: '{ "id": "t2" },\n            { "id": "t3" }\n',
    },
    {
      name: 'words stand as close as those before',
      change: (edit) => edit.append(['groups', 'a'], 'z'),
      was: '"x","y"',
      now: '"x","y","z"',
    },
    {
      name: 'a value keeps its key',
      change: (edit) => edit.set(['tenant'], 'org-b'),
      was: '"org-a"',
      now: '"org-b"',
    },
    {
      name: 'a new key in a map on one line',
      change: (edit) => edit.set(['limits', 'body'], '1MiB'),
      was: '1.10}',
      now: '1.10, "body": "1MiB"}',
    },
    {
      name: 'a list that becomes empty',
      change: (edit) => edit.remove(['motifs', 'two', 'tokens', 0]),
      was: '[\n            { "id": "t2" }\n        ]',
      now: '[]',
    },
    {
      name: 'the first one taken out',
      change: (edit) => edit.remove(['groups', 'a', 0]),
      was: '"x","y"',
      now: '"y"',
    },
    {
      name: 'a list that is made',
      change: (edit) => edit.append(['groups', 'c'], 'z'),
      was: '"b": []',
      now: '"b": [],"c": ["z"]',
    },
    { name: 'a list that is not there stays so', change: (edit) => edit.remove(['groups', 'c', 0]), was: '', now: '' },
  ])('$name', ({ change, was, now }) => {
    expect(edited(mixed, change)).toBe(mixed.replace(was, now));
  });

  test('a key that stands there twice is left to YAML, which says so', () => {
    const twice = '{"a": 1, "a": 2}';
    expect(edited(twice, () => {})).toBe(twice);
  });
});
