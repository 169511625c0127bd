import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

/** The house rules that a machine can see; src/README.md is the same for people. */
const top = resolve(import.meta.dirname, '..');
const sources = filesIn('src').filter((file) => file.endsWith('.ts'));

interface Arrows {
  readonly values?: readonly string[];
  /** For `import type` alone. */
  readonly types?: readonly string[];
  /** For `import()` and `import type`. */
  readonly lazy?: readonly string[];
}

/** Rooms that every command may use. */
const forCommands = `batch chat client conversations documents manual messages reports rows runs settings suites
  terminal wire world errors.ts text`.split(/\s+/);

/** The nouns of the gateway, and what stands below the whole of it. */
const gatewayNouns = ['gateway/vocabulary.ts', 'gateway/config.ts', 'gateway/refusal.ts', 'wire', 'errors.ts', 'text'];
const gatewayParts = ['policies', 'providers', 'knowledge', 'records', 'access'].map((room) => `gateway/${room}`);
const gatewaySteps = ['contract', 'admission', 'conclusion', 'composition', 'prompt-body'].map(
  (file) => `gateway/${file}.ts`,
);
const belowGateway = [...gatewaySteps, ...gatewayParts, ...gatewayNouns];

/**
 * Arrows between rooms. The longest name on the left that a path begins with is its room; a name on the right stands
 * for all below it. A room that stands on the left alone imports nothing of the house but itself.
 */
const arrows: Record<string, Arrows> = {
  'entry.ts': { values: ['main.ts', 'world'] },
  'main.ts': { values: ['program.ts', 'errors.ts', 'terminal', 'text'], types: ['world'] },
  'program.ts': { values: ['commands', 'manual', 'terminal', 'errors.ts', 'text'], types: ['world'] },
  commands: { values: ['commands/shared', 'commands/target.ts', ...forCommands] },
  'commands/shared': { values: forCommands },
  'commands/target.ts': { values: ['commands/shared', ...forCommands], lazy: ['commands/gateway/embedded.ts'] },
  'commands/gateway': { values: ['gateway', 'commands/shared', ...forCommands] },
  'commands/check': {
    values: ['commands/shared', 'commands/target.ts', ...forCommands],
    lazy: ['commands/gateway/embedded.ts'],
  },
  chat: { values: ['messages', 'conversations', 'terminal', 'errors.ts', 'text'], types: ['client', 'wire'] },
  batch: {
    values: ['rows', 'runs', 'messages', 'documents', 'reports', 'wire', 'errors.ts', 'text'],
    types: ['client', 'world'],
  },
  suites: {
    values: ['rows', 'runs', 'messages', 'documents', 'reports', 'wire', 'errors.ts', 'text'],
    types: ['client', 'world'],
  },
  rows: { values: ['documents', 'errors.ts', 'text'], types: ['world'] },
  runs: { values: ['wire', 'errors.ts', 'text'], types: ['client', 'world'] },
  reports: { values: ['text'] },
  client: { values: ['wire', 'errors.ts', 'text'] },
  settings: { values: ['errors.ts', 'text', 'wire'], types: ['world'] },
  documents: { values: ['errors.ts', 'text'] },
  conversations: { values: ['errors.ts', 'text', 'wire'], types: ['world'] },
  messages: { values: ['errors.ts', 'text', 'wire'] },
  terminal: { values: ['errors.ts', 'text'], types: ['wire', 'world'] },
  transport: { values: ['errors.ts', 'text'], types: ['wire'] },
  world: { values: ['errors.ts', 'text'], types: ['wire', 'transport'], lazy: ['transport'] },
  wire: { values: ['text'] },
  manual: {},
  text: {},
  'errors.ts': {},
  gateway: { values: gatewayNouns },
  'gateway/knowledge': { values: gatewayNouns },
  'gateway/records': { values: gatewayNouns },
  'gateway/access': { values: gatewayNouns },
  'gateway/server': {
    values: ['gateway/assembly.ts', 'gateway/gateway.ts', 'gateway/prompt-id.ts', ...belowGateway],
  },
  'gateway/assembly.ts': { values: ['gateway/gateway.ts', ...belowGateway] },
  'gateway/gateway.ts': { values: belowGateway },
  'gateway/admission.ts': { values: ['gateway/contract.ts', 'gateway/access', ...gatewayNouns] },
  'gateway/conclusion.ts': { values: ['gateway/contract.ts', 'gateway/access', 'gateway/records', ...gatewayNouns] },
  'gateway/composition.ts': { values: ['gateway/contract.ts', 'gateway/knowledge', ...gatewayNouns] },
  'gateway/contract.ts': { values: [...gatewayParts, ...gatewayNouns] },
  'gateway/file': { values: ['documents', 'gateway/policies', 'gateway/providers', ...gatewayNouns] },
  'gateway/policies': { values: ['documents', ...gatewayNouns] },
  'gateway/policies/rules': { values: ['gateway/policies/readings', 'text'] },
  'gateway/policies/readings': { values: ['text'] },
  'gateway/providers': { values: ['documents', 'gateway/knowledge', ...gatewayNouns] },
  'gateway/explanation': { values: ['gateway/policies', ...gatewayNouns] },
};

const nowhere = /^$/;

/** Things that only one room may touch; each entry names the files that may. */
const keepers: readonly { readonly what: RegExp; readonly where: RegExp }[] = [
  { what: /from '(node:)?fs(\/promises)?'/, where: /^src\/world\// },
  { what: /from '(node:)?child_process'/, where: /^src\/world\// },
  { what: /import\('(node:)?(fs|child_process)/, where: /^src\/world\// },
  { what: /(from|import\() ?'undici/, where: /^src\/transport\// },
  { what: /(from|import\() ?'chalk'/, where: /^src\/terminal\/style\.ts$/ },
  { what: /(from|import\() ?'ignore'/, where: /^src\/world\/files\/git-ignore\.ts$/ },
  { what: /(from|import\() ?'ora'/, where: /^src\/terminal\/progress\.ts$/ },
  { what: /(from|import\() ?'conf'/, where: /^src\/settings\/profile-store\.ts$/ },
  { what: /(from|import\() ?'csv-parse/, where: /^src\/rows\// },
  { what: /(from|import\() ?'yaml/, where: /^src\/documents\// },
  { what: /(from|import\() ?'ajv/, where: /^src\/documents\/json-schema\.ts$/ },
  { what: /(from|import\() ?'re2js/, where: /^src\/text\/patterns\/(pattern|automaton)\.ts$/ },
  { what: /(from|import\() ?'commander'/, where: /^src\/(program\.ts|commands\/)/ },
  // serve writes the audit to stdout where its file says so; everything else is printed by terminal/output.
  { what: /\bstdout\.write\(/, where: /^src\/(world\/|terminal\/output\.ts|commands\/gateway\/serve\/stage\.ts)/ },
  { what: /\bprocess\./, where: /^src\/(world\/|entry\.ts)/ },
  // Its timer stays until it is due: ten thousand prompts that were answered at once would keep as many.
  { what: /AbortSignal\.timeout\(/, where: /^src\/world\// },
  { what: /from 'node:(http|https|cluster|worker_threads)'/, where: /^src\/gateway\/server\// },
  // These are loaded when they are needed, never before.
  { what: /^import (?!type)[^;]*from '(conf|ora|chalk)'/m, where: nowhere },
  // The encryption of conf is none.
  { what: /encryptionKey/, where: nowhere },
];

describe('who imports whom', () => {
  test.each(sources)('%s keeps to the arrows', (file) => {
    expect(importsOf(file).filter((found) => !isAllowed(file, found))).toEqual([]);
  });

  test('no file imports itself through others, be it for a type or later', () => {
    const imports = new Map(sources.map((file) => [file, importsOf(file).map(({ target }) => `src/${target}`)]));
    // A file that imports nothing that is left is in no circle.
    for (let before = Infinity; imports.size < before;) {
      before = imports.size;
      for (const [file, targets] of imports) if (!targets.some((target) => imports.has(target))) imports.delete(file);
    }
    expect([...imports.keys()]).toEqual([]);
  });

  test('only admin try explains decisions', () => {
    const users = sources.filter((file) =>
      importsOf(file).some(({ target }) => isBelow(target, 'gateway/explanation')),
    );
    const others = users.filter((file) => !/^src\/(gateway\/explanation|commands\/gateway\/admin\/trial)/.test(file));
    expect(others).toEqual([]);
  });

  test.each(keepers)('$what stands only in $where', ({ what, where }) => {
    const found = sources.filter((file) => what.test(withoutComments(read(file))) && !where.test(file));
    expect(found).toEqual([]);
  });

  test('the spinner shows words of ours alone', () => {
    const starts = sources.flatMap((file) => read(file).match(/spinner\??\.start\([^)]*\)/g) ?? []);
    expect(starts.length).toBeGreaterThan(0);
    expect(starts.filter((call) => !/start\('[a-z ]+'\)/.test(call))).toEqual([]);
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
    {
      rule: 'no comment opens with a question that it then answers',
      bad: (text: string) => /^ *(?:\/\*\*(?:\n *\*)?|\/\/) (?:What|Who|Whom|Whether|How|Where) /m.test(text),
    },
    {
      rule: 'no comment is wider than the code',
      bad: (text: string) => /^(?= *(?:\/\*\*|\/\/|\*) ).{121}/m.test(text),
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

  test.each([
    { rule: 'no folder holds more than 24 files', most: 24, of: (file: string) => dirname(file) },
    { rule: 'no five files of a folder begin with the same word', most: 4, of: (file: string) => firstWord(file) },
  ])('$rule', ({ most, of }) => {
    const groups = written.filter((file) => file.endsWith('.ts')).map(of);
    expect([...new Set(groups)].filter((group) => groups.filter((other) => other === group).length > most)).toEqual([]);
  });

  test('the top level holds nothing that the customer did not allow', () => {
    const tracked = execFileSync('git', ['ls-files'], { cwd: top, encoding: 'utf8' }).split('\n').filter(Boolean);
    const allowed = /^(package(-lock)?\.json|tsconfig\.json|README\.md|LICENSE|bin|src|test|\..*)$/;
    expect([...new Set(tracked.map((file) => file.split('/')[0] ?? ''))].filter((name) => !allowed.test(name))).toEqual(
      [],
    );
  });

  test('the map is at most 130 lines and names every room', () => {
    const map = read('src/README.md');
    expect(map.trimEnd().split('\n').length).toBeLessThanOrEqual(130);
    expect([...new Set(sources.map(roomOf))].filter((room) => !map.includes(room.split('/').at(-1) ?? room))).toEqual(
      [],
    );
  });
});

interface Import {
  /** Below `src`. */
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
    target: relative(join(top, 'src'), resolve(top, file, '..', found.target)),
  }));
}

function isTypesOnly(clause: string): boolean {
  const names = /\{([^}]*)\}/.exec(clause)?.[1]?.split(',') ?? [];
  return names.length > 0 && names.every((name) => name.trim() === '' || name.trim().startsWith('type '));
}

function isAllowed(file: string, { target, isType, isLazy }: Import): boolean {
  const room = roomOf(file);
  const isOwn = looseRooms.has(room) ? isSameVerb(file, target) : isBelow(target, room);
  if (isOwn) return true;
  const { values = [], types = [], lazy = [] } = arrows[room] ?? {};
  const isAmong = (names: readonly string[]) => names.some((name) => isBelow(target, name));
  if (isAmong(values)) return true;
  if (isAmong(lazy)) return isType || isLazy;
  // A fault of a file is told apart by its class, which is all that the rooms take of the world at run time.
  if (isBelow(target, 'world') && types.includes('world')) return isType || importsOnlyFaults(file);
  return isType && isAmong(types);
}

/** Folders of rooms, which are no room themselves: what stands beside each other in them does not import each other. */
const looseRooms = new Set(['commands', 'commands/check', 'gateway']);

/** A verb is a folder, or a file beside the others; it imports no other verb. */
function isSameVerb(file: string, target: string): boolean {
  const folder = /^src\/(commands\/[^/]+)\//.exec(file)?.[1];
  return folder !== undefined && isBelow(target, folder);
}

function isBelow(path: string, room: string): boolean {
  return path === room || path.startsWith(`${room}/`);
}

function importsOnlyFaults(file: string): boolean {
  const clauses = [...read(file).matchAll(/import \{([^}]*)\} from '[^']*world\/world\.ts'/g)].map(
    (match) => match[1] ?? '',
  );
  return clauses.every((clause) => clause.split(',').every((name) => /^\s*(type .*|FileFault)?\s*$/.test(name)));
}

function roomOf(file: string): string {
  const path = file.replace(/^src\//, '');
  const rooms = Object.keys(arrows).filter((room) => isBelow(path, room));
  return rooms.sort((one, other) => other.length - one.length)[0] ?? `no room for ${path}`;
}

function firstWord(file: string): string {
  return /^.*\/[^/.-]+/.exec(file)?.[0] ?? file;
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
