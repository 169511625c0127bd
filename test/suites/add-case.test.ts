import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseYaml } from '../../src/documents/yaml.ts';
import { withCase } from '../../src/suites/add-case.ts';

const casesOf = (text: string): unknown[] =>
  (parseYaml(text, 's.motif.yaml').value as { readonly cases: unknown[] }).cases;
const add = (text: string, prompt: string): string =>
  withCase(text, undefined, { messages: [{ role: 'user', content: prompt }], expect: 'answered', tags: ['pii'] }).text;

/** Texts that look like the file around them. */
const lookalike = fc.oneof(
  fc.constantFrom(
    'Dear team:\n  hello',
    'Traceback:\n    File "app.py":\n      line 12\n- not a case',
    'a\tb\n\tc:\n\t  d',
    '[ control ] and { a: b }',
    'cases:\n- id: x\n  prompt: y',
    'ends\n\n\n',
    '# no comment\n---\n...',
  ),
  fc.string({ maxLength: 20 }),
);

const block = (text: string, indicator: string, indent: string): string =>
  `${indicator}\n${text
    .split('\n')
    .map((line) => (line === '' ? '' : `${indent}${line}`))
    .join('\n')}`;

const plainLook = fc.constantFrom(
  'Dear team:\n  hello',
  'Error:\n    at x:\n      y',
  'cases:\n- id: x',
  'one\n\n\n',
  'a:\n\t b',
);

/** Suites as people write them, each item in one of their styles. */
const suite = fc
  .record({
    column: fc.constantFrom('', '  ', '      '),
    gap: fc.constantFrom(' ', '   '),
    head: fc.constantFrom(
      '',
      'name: x\n',
      '# ours\ndefaults: {  motif: hr   }   # kept\n',
      'defaults:\n      expect: answered\n',
    ),
    items: fc.array(
      fc.record({
        kind: fc.constantFrom('block', 'flow', 'quoted', 'tags', 'lines'),
        text: plainLook,
        indicator: fc.constantFrom('|', '|-', '|+', '>', '>-', '|2-'),
        after: fc.constantFrom('', '\n', ' # remark\n', '#   out\n'),
      }),
      { minLength: 1, maxLength: 4 },
    ),
    tail: fc.constantFrom('', '\n\n', '# the end\n', '\nnote:   "kept"\n'),
    lineEnd: fc.constantFrom('\n', '\r\n'),
    isEnded: fc.boolean(),
  })
  .map(({ column, gap, head, items, tail, lineEnd, isEnded }) => {
    const inner = `${column} ${gap}`;
    const written = items.map(({ kind, text, indicator, after }, index) => {
      const value = {
        block: block(text, indicator, `${inner}  `),
        flow: `"a"\n${inner}answer: {contains: [ x,y ]}`,
        quoted: `'it''s:'   # why`,
        tags: `hi\n${inner}tags: [control,   pii]`,
        lines: `hi\n${inner}answer:\n${inner}    contains:\n${inner}    - a`,
      }[kind];
      const remark = after === '' ? '' : after === '\n' ? '\n' : `${inner}${after.trimStart()}`;
      return `${column}-${gap}id: c${index}\n${inner}prompt: ${value}\n${remark}`;
    });
    const text = `${head}cases:\n${written.join('')}${tail}`;
    return (isEnded ? text : text.replace(/\n+$/, '')).replaceAll('\n', lineEnd);
  })
  .filter((text) => parseYaml(text, '').faults.length === 0);

test('a case more changes no byte of what stands in the file', () => {
  fc.assert(
    fc.property(suite, lookalike, (text, prompt) => {
      const after = add(text, prompt);
      const cases = casesOf(after);
      expect(cases.slice(0, -1)).toEqual(casesOf(text));
      expect(cases.at(-1)).toMatchObject({ prompt, tags: ['pii'] });
      expect(isInsertion(text, after), JSON.stringify([text, after])).toBe(true);
    }),
    { numRuns: 300 },
  );
});

/** True where one text is the other with something put in at one place. */
function isInsertion(before: string, after: string): boolean {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start += 1;
  const rest = before.length - start;
  return before.slice(start) === after.slice(after.length - rest);
}

describe('a case stands as those before it', () => {
  test.each([
    {
      name: 'a text that looks like a map',
      text: 'name: x\ncases:\n  - id: a\n    prompt: |-\n      Dear team:\n        hello\n',
      added: '  - id: opening-hours\n    prompt: Opening hours?\n    tags: [pii]\n',
    },
    {
      name: 'items in the column of their key, no newline at the end',
      text: 'cases:\n- id: a\n  prompt: x   # why',
      added: '\n- id: opening-hours\n  prompt: Opening hours?\n  tags: [pii]\n',
    },
    {
      name: 'CRLF',
      text: 'cases:\r\n    - id: a\r\n      prompt: x\r\n',
      added: '    - id: opening-hours\r\n      prompt: Opening hours?\r\n      tags: [pii]\r\n',
    },
    {
      name: 'brackets with blanks in a text',
      text: 'cases:\n  - {id: a, prompt: "[ x ]"}\n',
      added: '  - {id: opening-hours, prompt: Opening hours?, tags: [pii]}\n',
    },
  ])('$name', ({ text, added }) => {
    expect(add(text, 'Opening hours?')).toBe(`${text}${added}`);
  });
});

test('a traceback added again and again stays in its column', () => {
  let text = 'cases:\n  - id: a\n    prompt: hi\n    tags: [control]\n';
  for (let count = 1; count <= 10; count++) {
    const after = add(text, `What is wrong? ${count}\nTraceback:\n  File app.py, line 12`);
    expect(after.startsWith(text)).toBe(true);
    text = after;
  }
});
