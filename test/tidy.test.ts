import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

/** The house rules that a machine can see; src/README.md is the same for people. */
const top = resolve(import.meta.dirname, '..');
const sources = filesIn('src').filter((file) => file.endsWith('.ts'));

/**
 * Who may import whom. A room not named on the right is out of bounds; `types` may be imported with `import type` only.
 * A room that stands on the left alone imports nothing of the house but itself.
 */
const arrows: Record<string, { readonly values?: readonly string[]; readonly types?: readonly string[] }> = {
  'entry.ts': { values: ['main.ts', 'world'] },
  'main.ts': { values: ['program.ts', 'errors.ts', 'terminal', 'text'], types: ['world'] },
  'program.ts': { values: ['commands', 'errors.ts', 'text'], types: ['world'] },
  commands: {
    values: [
      'client',
      'settings',
      'messages',
      'chat',
      'conversations',
      'documents',
      'gateway',
      'terminal',
      'wire',
      'errors.ts',
      'text',
      'world',
    ],
  },
  chat: {
    values: ['messages', 'conversations', 'terminal', 'errors.ts', 'text'],
    types: ['client', 'wire'],
  },
  client: { values: ['wire', 'errors.ts', 'text'] },
  settings: { values: ['errors.ts', 'text', 'wire'], types: ['world'] },
  gateway: { values: ['wire', 'documents', 'errors.ts', 'text'] },
  documents: { values: ['errors.ts', 'text'] },
  conversations: { values: ['errors.ts', 'text', 'wire'], types: ['world'] },
  messages: { values: ['errors.ts', 'text', 'wire'] },
  terminal: { values: ['errors.ts', 'text'], types: ['wire', 'world'] },
  transport: { values: ['errors.ts', 'text'], types: ['wire'] },
  world: { values: ['errors.ts', 'text'], types: ['wire', 'transport'] },
  wire: { values: ['text'] },
  text: {},
  'errors.ts': {},
};

/** What only one room may touch; each entry names the files that may. */
const keepers: readonly { readonly what: RegExp; readonly where: RegExp }[] = [
  { what: /from '(node:)?fs(\/promises)?'/, where: /^src\/world\// },
  { what: /from '(node:)?child_process'/, where: /^src\/world\// },
  { what: /import\('(node:)?(fs|child_process)/, where: /^src\/world\// },
  { what: /(from|import\() ?'undici/, where: /^src\/transport\// },
  { what: /(from|import\() ?'chalk'/, where: /^src\/terminal\/style\.ts$/ },
  { what: /(from|import\() ?'ora'/, where: /^src\/terminal\/progress\.ts$/ },
  { what: /(from|import\() ?'conf'/, where: /^src\/settings\/profile-store\.ts$/ },
  { what: /(from|import\() ?'yaml/, where: /^src\/documents\// },
  { what: /(from|import\() ?'ajv/, where: /^src\/gateway\/policies\/kinds\/schema\.ts$/ },
  { what: /(from|import\() ?'re2js/, where: /^src\/text\/patterns\.ts$/ },
  { what: /(from|import\() ?'commander'/, where: /^src\/(program\.ts|commands\/)/ },
  // Only what carries the gateway loads it; prompt and doctor reach it through embedded.ts, when a flag asks for it.
  { what: /from '(\.\.\/)+gateway\//, where: /^src\/commands\/gateway\// },
  { what: /\bprocess\./, where: /^src\/(world\/|entry\.ts)/ },
  { what: /from 'node:(http|https|cluster)'/, where: /^src\/gateway\/server\/(http-[a-z]+|admin-server|workers)\.ts$/ },
];

describe('who imports whom', () => {
  test.each(sources)('%s keeps to the arrows', (file) => {
    expect(importsOf(file).filter((found) => !isAllowed(file, found))).toEqual([]);
  });

  test('each room has its arrows', () => {
    expect(Object.keys(arrows).sort()).toEqual([...new Set(sources.map(roomOf))].sort());
  });

  test.each(keepers)('$what stands only in $where', ({ what, where }) => {
    const found = sources.filter((file) => what.test(withoutComments(read(file))) && !where.test(file));
    expect(found).toEqual([]);
  });

  test('fault 19: conf keeps no secret, and its encryption, which is none, is not used', () => {
    expect(sources.filter((file) => /encryptionKey/.test(read(file)))).toEqual([]);
  });

  test('fault 70: the spinner shows words of ours alone', () => {
    const starts = sources.flatMap((file) => read(file).match(/spinner\??\.start\([^)]*\)/g) ?? []);
    expect(starts.length).toBeGreaterThan(0);
    expect(starts.filter((call) => !/start\('[a-z ]+'\)/.test(call))).toEqual([]);
  });

  test('undici, conf and ora are loaded when they are needed, never before', () => {
    const eager = sources.filter((file) => /^import (?!type)[^;]*from '(conf|ora|chalk)'/m.test(read(file)));
    expect(eager).toEqual([]);
  });
});

describe('how it is written', () => {
  const written = [...sources, ...filesIn('test').filter((file) => file.endsWith('.ts')), ...filesIn('bin')];
  const own = 'test/tidy.test.ts';

  test.each([
    { rule: 'no file is longer than 300 lines', bad: (text: string) => text.split('\n').length > 301 },
    { rule: 'nothing ends the process but its exit code', bad: (text: string) => /process\.exit\(/.test(text) },
    { rule: 'nothing is left for later', bad: (text: string) => /\b(TODO|FIXME|XXX)\b/.test(text) },
    { rule: 'no module is patched', bad: (text: string) => /vi\.(mock|stubGlobal|spyOn)\(/.test(text) },
    {
      rule: 'no check is switched off',
      bad: (text: string) => /@ts-(ignore|nocheck|expect-error)|oxlint-disable/.test(text),
    },
    { rule: 'no test runs alone', bad: (text: string) => /\b(test|it|describe)\.(only|todo)\b/.test(text) },
  ])('$rule', ({ bad }) => {
    expect(written.filter((file) => file !== own && !file.includes('fixtures/') && bad(read(file)))).toEqual([]);
  });

  test('files are kebab-case nouns, and none is called after nothing', () => {
    const names = sources.map((file) => file.split('/').at(-1) ?? '');
    expect(names.filter((name) => !/^[a-z0-9]+(-[a-z0-9]+)*(\.d)?\.ts$/.test(name))).toEqual([]);
    expect(names.filter((name) => /utils|helpers|common|manager|service/.test(name))).toEqual([]);
  });

  test('the top level holds nothing that the customer did not allow', () => {
    const tracked = execFileSync('git', ['ls-files'], { cwd: top, encoding: 'utf8' }).split('\n').filter(Boolean);
    const allowed = /^(package(-lock)?\.json|tsconfig\.json|README\.md|LICENSE|bin|src|test|\..*)$/;
    expect([...new Set(tracked.map((file) => file.split('/')[0] ?? ''))].filter((name) => !allowed.test(name))).toEqual(
      [],
    );
  });

  test('the map is at most 60 lines and names every room', () => {
    const map = read('src/README.md');
    expect(map.trimEnd().split('\n').length).toBeLessThanOrEqual(60);
    expect(Object.keys(arrows).filter((room) => !map.includes(room))).toEqual([]);
  });
});

interface Import {
  readonly target: string;
  readonly isType: boolean;
  readonly isLazy: boolean;
}

function importsOf(file: string): Import[] {
  const text = withoutComments(read(file));
  const eager = [...text.matchAll(/(?:import|export)\s+(type\s)?([^;'"]*?)from '(\.[^']+)'/g)].map((match) => ({
    target: match[3] ?? '',
    isType: match[1] !== undefined || isTypesOnly(match[2] ?? ''),
    isLazy: false,
  }));
  const lazy = [...text.matchAll(/import\('(\.[^']+)'\)/g)].map((match) => ({
    target: match[1] ?? '',
    isType: false,
    isLazy: true,
  }));
  return [...eager, ...lazy].map((found) => ({
    ...found,
    target: roomOf(relative(top, resolve(top, file, '..', found.target))),
  }));
}

function isTypesOnly(clause: string): boolean {
  const names = /\{([^}]*)\}/.exec(clause)?.[1]?.split(',') ?? [];
  return names.length > 0 && names.every((name) => name.trim() === '' || name.trim().startsWith('type '));
}

function isAllowed(file: string, { target, isType, isLazy }: Import): boolean {
  const room = roomOf(file);
  if (target === room) return true;
  const { values = [], types = [] } = arrows[room] ?? {};
  // The world alone hands out the transport, and loads it when something is sent.
  if (room === 'world' && target === 'transport') return isType || isLazy;
  // A fault of a file is told apart by its class, which is all that the rooms take of the world at run time.
  if (target === 'world' && types.includes('world')) return isType || importsOnlyFaults(file);
  return values.includes(target) || (isType && types.includes(target));
}

function importsOnlyFaults(file: string): boolean {
  const clauses = [...read(file).matchAll(/import \{([^}]*)\} from '[^']*world\/world\.ts'/g)].map(
    (match) => match[1] ?? '',
  );
  return clauses.every((clause) => clause.split(',').every((name) => /^\s*(type .*|FileFault)?\s*$/.test(name)));
}

function roomOf(file: string): string {
  return file.replace(/^src\//, '').split('/')[0] ?? '';
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
}

function read(file: string): string {
  return readFileSync(join(top, file), 'utf8');
}

function filesIn(folder: string): string[] {
  return readdirSync(join(top, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(top, join(entry.parentPath, entry.name)))
    .sort();
}
