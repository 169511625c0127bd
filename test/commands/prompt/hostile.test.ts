import { describe, expect, test } from 'vitest';
import {
  hiddenAnywhere,
  hiddenOutOfPlace,
  type HostilePack,
  hostilePacks,
  hostileTexts,
  packEnd,
} from '../../fixtures/hostile-text.ts';
import { testEnv } from '../../support/motif.ts';
import { onTerminal, prompt, type PromptRun } from '../../support/rooms/prompt.ts';
import { answered, answering, blocked, type Scripted, service } from '../../support/service.ts';

/** Our own colours are off, so that whatever is found came from the service. */
const env = { ...testEnv, NO_COLOR: '1' };
const terminal = { ...onTerminal, env };

const isHidden = (text: string) => hiddenAnywhere.test(text) || hiddenOutOfPlace.test(text);

const both = ({ stdout, stderr }: PromptRun) => stdout + stderr;

type Shown = (run: PromptRun) => string;

/** The names of the texts that got through. They are tried in packs; a pack that is cut is tried text by text. */
async function survivors(packs: readonly HostilePack[], run: (text: string) => Promise<PromptRun>, shown: Shown) {
  const names: string[] = [];
  let showsPacks = true;
  for (const { text, texts } of packs) {
    const all: string = showsPacks && texts.length > 1 ? shown(await run(text)) : '';
    showsPacks &&= texts.length === 1 || all.includes(packEnd);
    if (all.includes(packEnd) && !isHidden(all)) continue;
    for (const one of texts) if (isHidden(shown(await run(one.text)))) names.push(one.name);
    if (isHidden(all)) names.push(texts.map(({ name }) => name).join(', '));
  }
  return names;
}

interface Field {
  readonly field: string;
  readonly argv?: readonly string[];
  readonly reply: (text: string) => Scripted;
}

/** The words of a service that are cut when they are long, so that not all texts can come at once. */
const words: readonly Field[] = [
  { field: 'response', reply: (text) => ({ body: { ...answered, response: text } }) },
  {
    field: 'finish_reason and prompt_id',
    reply: (text) => ({ body: { ...answered, finish_reason: text, prompt_id: text } }),
  },
  {
    field: 'those of an empty answer',
    reply: (text) => ({ body: { ...answered, response: '', finish_reason: text } }),
  },
  { field: 'those of a block', reply: (text) => ({ body: { ...blocked, finish_reason: text, prompt_id: text } }) },
  { field: 'error', reply: (text) => ({ status: 400, body: { error: text } }) },
  { field: 'error in an object', reply: (text) => ({ status: 500, body: { error: { [text]: [text] } } }) },
  { field: 'error.message', argv: ['--debug'], reply: (text) => ({ status: 401, body: { error: { message: text } } }) },
  { field: 'a body that is no JSON', reply: (text) => ({ status: 502, body: `<p>${text}` }) },
  { field: 'a 200 that is no JSON', reply: (text) => ({ body: text }) },
  {
    field: 'a key named twice',
    reply: (text) => ({ body: `{${JSON.stringify(text)}:1,${JSON.stringify(text)}:2}` }),
  },
  { field: 'Location', reply: (text) => ({ status: 302, body: '', headers: { location: text } }) },
  {
    field: 'Retry-After',
    argv: ['--retries', '0'],
    reply: (text) => ({ status: 429, body: '', headers: { 'retry-after': text } }),
  },
];

const every = (write: (text: string) => string) => hostileTexts.map(({ text }) => write(text)).join('\n\n');

/** Every text in one answer, where nothing of it is cut. */
const answers: readonly { form: string; argv?: readonly string[]; response: string; isError?: true }[] = [
  { form: 'with --raw', argv: ['--raw'], response: every((text) => text) },
  { form: 'a code block with -x', argv: ['-x'], response: `~~~~~\n${every((text) => text)}\n~~~~~` },
  { form: 'code fences', response: every((text) => `\`\`\`${text}\nx\n\`\`\``) },
  { form: 'headings and lists', response: every((text) => `# ${text}\n\n- ${text}\n\n> ${text}`) },
  { form: 'emphasis and code', response: every((text) => `**${text}** _${text}_ \`${text}\``) },
  { form: 'links', response: every((text) => `[a${text}](http://a${text} "${text}")`) },
  { form: 'tables', response: every((text) => `|a${text}|b|\n|---|---|\n|c${text}|d|`) },
  { form: '--field', argv: ['--field', 'response'], response: every((text) => text) },
  { form: '--json', argv: ['--json'], response: every((text) => text) },
  { form: '--json of a failure', argv: ['--json'], response: every((text) => text), isError: true },
  { form: '--field of a failure', argv: ['--field', 'error.detail'], response: every((text) => text), isError: true },
];

describe('on a terminal nothing that a server chose is obeyed', () => {
  test.each(words)('$field', { timeout: 60_000 }, async ({ argv = [], reply }) => {
    const run = (text: string) => prompt(['hi', ...argv], terminal, service(reply(text)));
    expect(await survivors(hostilePacks, run, both)).toEqual([]);
  });

  test.each(answers)('answers as $form', async ({ argv = [], response, isError }) => {
    const reply = isError ? service({ status: 403, body: { error: response } }) : answering(response);
    const run = await prompt(['hi', ...argv], terminal, reply);
    expect(run.exitCode).toBe(isError ? 8 : 0);
    expect(run.stdout).toContain('before');
    expect(isHidden(both(run))).toBe(false);
  });

  test('nor in pieces that only meet on the screen', async () => {
    const body = { ...blocked, finish_reason: '\u001b', prompt_id: ']0;x\u0007' };
    expect(isHidden(both(await prompt(['hi'], terminal, service({ body }))))).toBe(false);
  });

  test('with colours on only ours are there', async () => {
    const run = await prompt(['hi', '--color', 'always'], onTerminal, answering(every((text) => `**bold** ${text}`)));
    expect(isHidden(both(run).replaceAll(/\u001b\[(?:[0-9]|[1-4][0-9]|9[0-7])m/g, ''))).toBe(false);
  });
});

test.each(words)('stderr is read by people, in a pipe too: $field', async ({ argv = [], reply }) => {
  const some = hostilePacks.filter((_, index) => index % 8 === 0);
  const run = (text: string) => prompt(['hi', '-u', ...argv], { env }, service(reply(text)));
  expect(await survivors(some, run, ({ stderr }) => stderr)).toEqual([]);
});

describe('in a pipe the answer is the answer', () => {
  /** Texts with half a surrogate pair are left out: it has no bytes. */
  const texts = hostileTexts.filter(({ text }) => !/\p{Cs}/u.test(text)).map(({ text }) => text);
  const response = texts.join('\n');

  test.each([{ argv: [] }, { argv: ['--field', 'response'] }, { argv: ['--raw'] }])(
    'byte for byte $argv',
    async ({ argv }) => {
      const run = await prompt(['hi', ...argv], { env }, answering(response));
      expect(run.stdout === `${response}\n`).toBe(true);
    },
  );

  test.each([
    { where: 'a pipe', setup: { env } },
    { where: 'a terminal', setup: terminal },
  ])('as --json nothing is lost on $where', async ({ setup }) => {
    const all = hostileTexts.map(({ text }) => text).join('\n');
    const run = await prompt(['hi', '--json'], setup, answering(all, { prompt_id: all }));
    const document = JSON.parse(run.stdout) as { response: string; prompt_id: string };
    expect(document.response === all && document.prompt_id === all).toBe(true);
  });
});

test('a prompt_id or a finish_reason of a megabyte does not fill the screen', async () => {
  const long = 'x'.repeat(1_000_000);
  for (const body of [
    { ...blocked, prompt_id: long, finish_reason: long },
    { ...answered, prompt_id: long, finish_reason: long },
  ]) {
    const run = await prompt(['hi', '-u'], terminal, service({ body }));
    expect(run.stderr.length).toBeLessThan(1000);
  }
});
