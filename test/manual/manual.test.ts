import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { exportFormats } from '../../src/conversations/export.ts';
import { exitTable, signalTable } from '../../src/errors.ts';
import { statisticKeys } from '../../src/gateway/records/audit/statistics.ts';
import { topics } from '../../src/manual/topics.ts';
import { commandTable } from '../../src/program.ts';
import { settingTable } from '../../src/settings/table.ts';
import { answerShapes, caseShapes } from '../../src/suites/expectations/table.ts';
import { reportKinds } from '../../src/suites/reports/table.ts';
import { requestHeaderBytesMax, tokenCharactersMax } from '../../src/text/limits.ts';
import { motif } from '../support/motif.ts';
import { flagsIn, readWrittenText, readWrittenTexts, tableRows } from '../support/texts/written-examples.ts';

/** The README and the manual are copied into scripts: what they show is run, or held against the program. */
const texts = readWrittenTexts();
const lines = texts.flatMap(({ name, scriptLines }) => scriptLines.map((line) => ({ name, line })));
const calls = texts.flatMap(({ name, calls: found }) => found.map((call) => ({ name, call })));

describe('examples', () => {
  test('there are some', () => {
    expect(calls.length).toBeGreaterThan(25);
  });

  test.each(calls)('$name: $call: the command and its flags exist', async ({ call }) => {
    const words = call.split(/\s+/).slice(1);
    const typed = words.slice(0, words.indexOf('--') === -1 ? words.length : words.indexOf('--'));
    const [name = ''] = typed;
    if (name.startsWith('-')) return expect((await motif([name])).exitCode).toBe(0);
    expect(commandTable.map((command) => command.name)).toContain(name);
    const { stdout } = await motif([...verbsOf(name, typed.slice(1)), '--help']);
    const known = new Set(stdout.match(/(?<![\w-])--?[a-z][a-z-]*/g));
    expect(flagsIn(call).filter((flag) => !known.has(flag))).toEqual([]);
  });

  test('a variable that becomes a prompt stands after -- or comes through stdin', () => {
    const careless = calls.filter(({ call }) => {
      if (!call.startsWith('motif prompt')) return false;
      const before = call.split(/\s--\s/)[0] ?? '';
      const words = before.replace(/(?<!\S)(-{1,2}[\w-]+)[ =]("[^"]*"|'[^']*'|\S+)/g, '');
      return /\$/.test(words);
    });
    expect(careless).toEqual([]);
  });

  test('no example puts a token into argv, and none runs a package that is not ours', () => {
    expect(lines.filter(({ line }) => /--token[ =]|npx motif/.test(line))).toEqual([]);
  });
});

/** The command with those of the words behind it that name its verbs, as in `admin audit list`. */
function verbsOf(name: string, words: readonly string[]): readonly string[] {
  const verbs = { profile: 1, admin: 2, history: 1, batch: 1, check: 1 }[name] ?? 0;
  const known =
    /^(?:list|use|show|set|rename|init|create|rotate|revoke|validate|try|audit|replay|schema|stats|verify|search|export|delete|prune|merge|add)$/;
  const named = words.slice(0, verbs);
  const end = named.findIndex((word) => !known.test(word));
  return [name, ...(end < 0 ? named : named.slice(0, end))];
}

describe('the manual', () => {
  test('every page is a topic of help, and every topic a page', () => {
    const pages = texts.flatMap(({ name }) => /^src\/manual\/(.*)\.md$/.exec(name)?.[1] ?? []);
    expect(topics.map(({ name }) => name).sort()).toEqual(pages.sort());
  });

  test.each(topics)('motif help $name shows its page in 80 columns', async ({ name }) => {
    const { text } = readWrittenText(`src/manual/${name}.md`);
    const run = await motif(['help', name], { env: {}, home: null });
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    const title = text.split('\n')[0] ?? '';
    expect(title).toMatch(/^# /);
    const lines = run.stdout.split('\n');
    const [first] = lines[0]?.startsWith('First the flags, ') ? lines.filter((line) => line === title) : lines;
    expect(first).toBe(title);
    const long = lines.filter((line) => line.length > 80);
    expect(long).toEqual([]);
  });

  test.each(texts)('links of $name lead somewhere', ({ name, text }) => {
    const targets = [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)[^)]*\)/g)].map((match) => match[1] ?? '');
    expect(targets.filter((target) => !existsSync(join(dirname(name), target)))).toEqual([]);
  });

  test('a link to a page of help leads to that page', () => {
    const links = texts.flatMap(({ text }) => [...text.matchAll(/\[motif help ([\w-]+)\]\(([^)]+)\)/g)]);
    expect(links.length).toBeGreaterThan(10);
    expect(links.filter(([, topic, target]) => target !== `${topic}.md`).map(([link]) => link)).toEqual([]);
  });

  test('no page names a machine path', () => {
    expect(texts.filter(({ text }) => /\/(?:work|root)\//.test(text)).map(({ name }) => name)).toEqual([]);
  });
});

describe('tables', () => {
  test('the exit codes are those of the program', () => {
    const rows = tableRows(readWrittenText('src/manual/exit-codes.md').text, 'Code');
    expect(rows).toEqual([
      ...exitTable.map(({ code, kind, cause }) => [String(code), kind, cause]),
      ...signalTable.map(({ code, signal, cause }) => [String(code), signal, cause]),
    ]);
  });

  test('the variables of settings are those of the program', () => {
    const rows = tableRows(readWrittenText('src/manual/environment.md').text, 'Variable');
    const settings = Object.values(settingTable).flatMap(({ env, summary }) =>
      env === undefined ? [] : [[env, summary]],
    );
    expect(rows).toEqual(expect.arrayContaining(settings));
  });

  test.each([...Object.keys(caseShapes), ...Object.keys(answerShapes)])('the expectation %s has a row', (name) => {
    const { text } = readWrittenText('src/manual/suites.md');
    const rows = tableRows(text, 'Expectation').map((cells) => cells.join(' '));
    expect(rows.filter((row) => new RegExp(`(?:^|[ .])${name}\\b`).test(row))).not.toEqual([]);
  });
});

test('the page of limits names the room for headers', () => {
  const { text } = readWrittenText('src/manual/limits.md');
  expect(requestHeaderBytesMax).toBe(2 * tokenCharactersMax);
  expect(text).toContain(`${requestHeaderBytesMax / 1024} KiB of them, half of which the longest token may take.`);
});

const profileKeys = Object.values(settingTable).flatMap(({ profileKey }) => profileKey ?? []);

describe('lists', () => {
  test.each([
    { page: 'suites', start: '`--report KIND[=FILE]`', names: reportKinds },
    { page: 'audit', start: '**`stats --by`** takes any of', names: statisticKeys },
    { page: 'conversations', start: '**export** writes', names: exportFormats },
    { page: 'profiles', start: 'The keys of `set` are', names: profileKeys },
  ])('$page names everything behind $start', ({ page, start, names }) => {
    const { text } = readWrittenText(`src/manual/${page}.md`);
    const listed = text.slice(text.indexOf(start) + start.length).split(/\.\s/)[0] ?? '';
    expect(
      names.filter(
        (name) =>
          !listed
            .toLowerCase()
            .match(/[a-z_]+/g)
            ?.includes(name),
      ),
    ).toEqual([]);
  });
});
