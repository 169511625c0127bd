import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MotifError } from '../../src/errors.ts';
import { fillTemplate, parseVariables, unusedWords } from '../../src/messages/template.ts';
import { bestCpuMs } from '../support/best-cpu-ms.ts';

const values = (entries: Record<string, string | null>) => new Map(Object.entries(entries));
const only = (name: string, value: string | null = 'VALUE') => values({ [name]: value });

test('what a value holds is never filled', () => {
  fc.assert(
    fc.property(fc.string(), fc.constantFrom('${a}', '${b}', '$&', '$1', '$$', "$'", '{{a}}'), (left, right) => {
      const value = left + right;
      expect(fillTemplate('<${a}|${b}|${a}>', values({ a: value, b: 'B' }), 't').text).toBe(`<${value}|B|${value}>`);
    }),
  );
});

test.each([
  { template: '${x}', line: 1 },
  { template: '\n\n  ${x}', line: 3 },
  { template: '${a}\r\n${x}', line: 2 },
])('a missing name says its file and line $line', ({ template, line }) => {
  expect(() => fillTemplate(template, values({ a: '1\n2\n3' }), 'mail.txt')).toThrow(`mail.txt, line ${line}`);
});

test('a template that its values make too large is refused', () => {
  const template = '${a}'.repeat(20_000);
  expect(() => fillTemplate(template, values({ a: 'x'.repeat(100_000) }), 'mail.txt')).toThrow(
    new MotifError('usage', 'mail.txt grows over 16 MiB as it is filled'),
  );
  expect(fillTemplate(template, values({ a: 'x'.repeat(800) }), 'mail.txt').text).toHaveLength(16_000_000);
});

test.each([
  { end: '', name: 'by nothing' },
  { end: '}', name: 'together' },
  { end: '=\u00e9}}}', name: 'together, beside a letter that has two forms' },
])('holes inside of each other that are closed $name are filled in time', ({ end }) => {
  const template = '${'.repeat(100_000) + end;
  const fill = () => expect(fillTemplate(template, values({ a: '1', 'b}': '2' }), 't').text).toBe(template);
  expect(bestCpuMs(fill, 500)).toBeLessThan(500);
});

test.each([
  { texts: ['a=1', 'b=2=3', 'c='], entries: { a: '1', b: '2=3', c: '' } },
  {
    texts: ['first name=Ana', 'Preis (€)=3', 'größe=L'],
    entries: { 'first name': 'Ana', 'Preis (€)': '3', größe: 'L' },
  },
  { texts: [], entries: {} },
  { texts: ['__proto__=x'], entries: JSON.parse('{"__proto__":"x"}') as Record<string, string> },
])('--var $texts', ({ texts, entries }) => {
  expect([...parseVariables(texts)]).toEqual(Object.entries(entries));
});

test.each([['a'], ['=1'], ['a=1', 'a=2'], [' a=1'], ['a = 1'], ['${a}=1'], [' =1']])(
  '--var %j %j is refused',
  (...texts) => {
    expect(() => parseVariables(texts.filter((text) => typeof text === 'string'))).toThrow(MotifError);
  },
);

describe('any name that has a value is filled in', () => {
  const names = [
    'Ticket No',
    'Customer text',
    'Ticket-No',
    'größe',
    'Größe in cm',
    'first  name',
    ' leading',
    'trailing ',
    'a.b.c',
    'Preis (€)',
    'Ja/Nein',
    '2023',
    '1',
    '#',
    'Nr. #',
    'x:-y',
    'x[0]',
    'a}b',
    '}',
    'a{b',
    '{a}',
    '$x',
    '${x}',
    'Q1 "net"',
    "it's",
    '50 %',
    'A & B',
    'line\nbreak',
    'tab\tname',
    'Ticket\u00a0No',
    '質問',
    'Вопрос клиента',
    '🙂',
    'a=b',
    'a,b;c',
    'constructor',
    '__proto__',
    '$&',
    '\\d',
  ];
  test.each(names.map((name) => ({ name })))('$name', ({ name }) => {
    expect(fillTemplate(`<\${${name}}|\${${name}}>`, new Map([[name, 'VALUE']]), 't').text).toBe('<VALUE|VALUE>');
  });

  test('whatever the header of a table holds', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), (name) => {
        expect(fillTemplate(`a \${${name}} b`, new Map([[name, 'VALUE']]), 't').text).toBe('a VALUE b');
      }),
    );
  });

  test('an accent that is a character of its own is the same letter', () => {
    expect(fillTemplate('${größe}', only('gro\u0308ße'), 't').text).toBe('VALUE');
    expect(fillTemplate('${gro\u0308ße}', only('größe'), 't').text).toBe('VALUE');
  });

  test('the shortest that is a name, where a name holds a brace', () => {
    expect(fillTemplate('${a}b}', values({ a: '1', 'a}b': '2' }), 't').text).toBe('1b}');
  });
});

describe('stays text, byte for byte', () => {
  const fields = values({ x: '1', text: '2', name: '3', 'Customer text': '4', Preis: '5' });
  test.each(
    [
      '${x:-y}',
      '${text:-none}',
      '${text^^}',
      '${#text}',
      '${!name}',
      '${name%.*}',
      '${name/a/b}',
      '${name[0]}',
      '${1}',
      '${@}',
      '${}',
      '${ }',
      '${',
      '${x',
      "${text ?? 'none'}",
      '${f(text)}',
      '${a + b}',
      '${jndi:ldap://x}',
      '{{text}}',
      '$text',
      '$${',
      '${\n}',
      '${x,\n y}',
      '%{text}',
    ].map((text) => ({ text })),
  )('$text', ({ text }) => {
    expect(fillTemplate(`<${text}>`, fields, 't').text).toBe(`<${text}>`);
  });

  test('but for the hole within it', () => {
    expect(fillTemplate('${y:-${x}} ${${Customer text}} $${x}', fields, 't').text).toBe('${y:-1} ${4} $1');
  });
});

describe('an unknown name is an error, never text that is paid for', () => {
  const fields = values({ 'Ticket No': '1', 'Customer text': '2', größe: '3', lang: '4', 'Preis (€)': '5' });
  test.each([
    { hole: 'Customer_text', near: 'Customer text' },
    { hole: 'customer text', near: 'Customer text' },
    { hole: 'Customer  text', near: 'Customer text' },
    { hole: 'Customer\u00a0text', near: 'Customer text' },
    { hole: 'Customer/text', near: 'Customer text' },
    { hole: 'Customer text:-none', near: 'Customer text' },
    { hole: 'Custmer text', near: 'Customer text' },
    { hole: ' lang ', near: 'lang' },
    { hole: 'lang ', near: 'lang' },
    { hole: 'Größe', near: 'größe' },
    { hole: 'Preis(€)', near: 'Preis (€)' },
    { hole: 'Preis', near: 'Preis (€)' },
    { hole: 'your name', near: undefined },
    { hole: 'Menge (Stück)', near: undefined },
    { hole: 'цена', near: undefined },
  ])('$hole', ({ hole, near }) => {
    const fill = () => fillTemplate(`one\n\${${hole}}`, fields, 't.txt');
    expect(fill).toThrow(`t.txt, line 2: there is no value for \${${hole}}`);
    expect(fill).toThrow(
      expect.objectContaining({
        hints: [expect.stringMatching(near === undefined ? /^give one/ : /^did you mean/) as string],
        words: expect.stringContaining(near === undefined ? hole : `; did you mean \${${near}}?`) as string,
      }),
    );
  });

  test('one that is known and has no value here is none', () => {
    expect(() => fillTemplate('${x:-y}', only('x:-y', null), 't')).toThrow('there is no value for ${x:-y}');
  });

  test('the hint quotes a name that a shell would take apart', () => {
    const fill = () => fillTemplate('${your name}', fields, 't');
    expect(fill).toThrow(expect.objectContaining({ hints: ["give one: --var 'your name=VALUE'"] }));
  });
});

test('a --var of any name is used where a hole has it, and told where none has', () => {
  const given = values({ 'first name': 'Ana', order: '7' });
  expect(unusedWords('Dear ${first name}', given, 't')).toEqual(['--var order is not used: t has no ${order}']);
});
