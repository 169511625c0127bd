import { MotifError } from '../../../errors.ts';
import { type NamedText, type Parts, withoutLastNewline } from '../../../messages/compose.ts';
import { oddRoles, parseMessagesFile } from '../../../messages/messages-file.ts';
import { fillTemplate, MissingValue, parseVariables, unusedWords } from '../../../messages/template.ts';
import { fileRemedy } from '../../../text/file-remedies.ts';
import { promptBytesMax } from '../../../text/limits.ts';
import { counted, formatSize } from '../../../text/sizes.ts';
import { globBase, hasWildcard } from '../../../text/patterns/glob.ts';
import { checkPathHint, defuseLine, pathWord, plainWord, shellWord } from '../../../text/defuse.ts';
import { isSwitchedOn } from '../../../settings/table.ts';
import { Utf8Fault } from '../../../text/utf8.ts';
import { FileFault, type World } from '../../../world/world.ts';
import type { Notice } from '../notices.ts';
import type { Message } from '../../../wire/request.ts';
import type { PartFlags } from './flags.ts';
import type { Run } from '../run.ts';
import { decodeText, readStdin, tooLarge } from '../stdin.ts';

interface PartReader {
  readonly world: World;
  /** Gets the text of stdin, for the one part that names it as `-`. */
  readonly stdin: () => Promise<string>;
  readonly notice: Notice;
}

/** Reads everything the flags name. Nothing is sent if any of it cannot be read. */
export async function readParts(run: Run<PartFlags>, words: readonly string[], timeoutMs: number): Promise<Parts> {
  const { world, flags, notice } = run;
  const namesStdin = (word: string, at: number): boolean => word === '-' && at < words.length - run.literalWords;
  const texts = words.filter((word, at) => !namesStdin(word, at));
  const stdinWords = words.length - texts.length;
  if (stdinWords + stdinFlags(flags) > 1) throw new MotifError('usage', '- names stdin, which can be read only once');
  refuseReplaced([...texts, flags.system ?? '', ...(flags.message ?? []), ...(flags.var ?? [])]);
  await refuseFileNames(texts, run);
  const reader: PartReader = {
    world,
    stdin: () => readNamedStdin(world, timeoutMs, notice),
    notice,
  };
  const system = flags.systemFile === undefined ? flags.system : await readSystem(flags.systemFile, reader);
  if (system === '') notice('the system message is empty, so none is sent');
  const parts: Parts = {
    ...(system === undefined || system === '' ? {} : { system }),
    given: flags.messages === undefined ? [] : await readMessages(flags.messages, reader),
    turns: flags.message ?? [],
    ...(flags.template === undefined ? {} : { template: await readTemplate(flags.template, flags.var ?? [], reader) }),
    words: texts,
    files: await readFiles(flags.file ?? [], reader, flags.noIgnore === true),
  };
  const stdin = stdinWords > 0 ? await reader.stdin() : await readLooseStdin(run, texts, timeoutMs);
  return stdin === undefined ? parts : { ...parts, stdin };
}

async function readMessages(name: string, reader: PartReader): Promise<readonly Message[]> {
  const messages = parseMessagesFile(await readText(name, '--messages', reader), name);
  for (const words of oddRoles(messages).slice(0, 1)) reader.notice(`${defuseLine(name)}: ${words}`);
  return messages;
}

/** Node puts U+FFFD in the place of what is no UTF-8 in an argument, and nothing tells that from one that was typed. */
function refuseReplaced(texts: readonly string[]): void {
  if (!texts.some((text) => text.includes('\ufffd'))) return;
  throw new MotifError('usage', 'the text on the command line is not valid UTF-8, or holds U+FFFD', {
    hint: 'send it from a file or a pipe: -f FILE',
  });
}

/** The number of flags that name stdin as `-`. */
function stdinFlags({ file = [], systemFile, messages, template }: PartFlags): number {
  return [...file, systemFile, messages, template].filter((name) => name === '-').length;
}

/** Text is never a file name; but a word beside -f that is one was most likely a glob that the shell expanded. */
async function refuseFileNames(words: readonly string[], run: Run<PartFlags>): Promise<void> {
  const { world, flags } = run;
  if (flags.file === undefined) return noticeFileNames(words, run);
  for (const word of words) {
    if (/\s/.test(word) || (await world.files.info(word))?.type !== 'file') continue;
    throw new MotifError('usage', `${word} would be sent as text, but it is a file`, {
      hint: [
        ...(flags.file.includes(word)
          ? [`-f ${pathWord(word)} sends it already: leave the word out`]
          : [`-f takes one name or a quoted pattern: -f '*.md'`, `each file by itself: -f ${word}`]),
        'to send the word itself: make it part of a longer text, or pipe it in',
      ],
    });
  }
}

/** The most words that are checked for being the name of a file. */
const lookedAtMax = 100;
const shownMax = 3;

/** Several names of files among the words are most likely a pattern that the shell expanded. */
async function noticeFileNames(words: readonly string[], run: Run<PartFlags>): Promise<void> {
  const { world, notice } = run;
  const { files, stderr } = world;
  // One among others may be meant, so that a person alone is told. What stands after -- is meant as it is.
  const isOneTold = (stderr.isTerminal || words.length === 1) && run.literalWords === 0;
  if (words.length < 2 && !isOneTold) return;
  const looked = await Promise.all(
    words.slice(0, lookedAtMax).map(async (word) => (/\s/.test(word) ? undefined : await files.info(word))),
  );
  const names = words.filter((_, at) => looked[at]?.type === 'file');
  const [name = ''] = names;
  if (names.length === 1 && isOneTold && /[./]/.test(name)) {
    const typed = /^[\w./-]+$/.test(name) ? name : shellWord(name);
    notice(`${defuseLine(name, 200)} is taken as a word; -f ${typed} sends the file`);
  }
  if (names.length < 2) return;
  const shown = names.length > shownMax ? [...names.slice(0, shownMax), '...'] : names;
  const bytes = looked.reduce((sum, info) => sum + (info?.type === 'file' ? info.size : 0), 0);
  const what = `${names.length} words are names of files (${formatSize(bytes)}) and are sent as words`;
  notice(`${what}: ${shown.join(', ')} (-f 'PATTERN' adds files)`);
}

async function readSystem(path: string, reader: PartReader): Promise<string> {
  return withoutLastNewline(await readText(path, '-S', reader));
}

async function readTemplate(path: string, variables: readonly string[], reader: PartReader): Promise<string> {
  const [name, values] = [path === '-' ? 'stdin' : path, parseVariables(variables)];
  const template = await readText(path, '-t', reader);
  const text = filledText(template, values, name);
  for (const words of unusedWords(template, values, name)) reader.notice(words);
  return text;
}

/** Of a name in the template and one of a `--var` that are almost the same, either may be the misspelled one. */
function filledText(template: string, values: ReadonlyMap<string, string>, name: string): string {
  try {
    return fillTemplate(template, values, name).text;
  } catch (error) {
    if (!(error instanceof MissingValue) || error.near === undefined) throw error;
    const meant = plainWord(`${error.missing}=VALUE`);
    const hint = `--var ${plainWord(error.near)} is given: did you mean --var ${meant}, or \${${error.near}} in the template?`;
    throw new MotifError('usage', error.message, { hint });
  }
}

/** The files of one name or pattern; a name is never stdin here. */
export async function readFilesOf(
  name: string,
  flag: string,
  world: World,
  notice: Notice,
): Promise<readonly NamedText[]> {
  if (name === '-') throw new MotifError('usage', `${flag} needs the name of a file, and - is stdin`);
  return readFiles([name], { world, stdin: async () => '', notice }, false, flag);
}

/** More files of one pattern, or more bytes, are said: they cost tokens. */
const unsaidFilesMax = 20;
const unsaidBytesMax = 1024 * 1024;

async function readFiles(
  names: readonly string[],
  reader: PartReader,
  takesIgnored: boolean,
  flag = '-f',
): Promise<NamedText[]> {
  const texts: NamedText[] = [];
  let total = 0;
  for (const name of names) {
    const before = { count: texts.length, total };
    const pattern = await expand(name, flag, reader.world, takesIgnored);
    for (const path of pattern ?? [name]) {
      const text = await (pattern === undefined ? readText : readIfText)(path, flag, reader);
      if (text === undefined) continue;
      total += Buffer.byteLength(text);
      if (total > promptBytesMax) throw tooLarge(`the text of all ${flag} files`);
      texts.push({ name: path === '-' ? 'stdin' : path, text });
    }
    const [count, bytes] = [texts.length - before.count, total - before.total];
    const isSaid = pattern !== undefined && (count > unsaidFilesMax || bytes > unsaidBytesMax);
    if (isSaid) reader.notice(`${flag} ${name} took ${counted(count, 'file')}, ${formatSize(bytes)}`);
    if (pattern !== undefined && count === 0) throw new MotifError('usage', `${flag}: no file of ${name} is text`);
  }
  return texts;
}

/** The files that a pattern matches; undefined for the name of one file. */
async function expand(
  name: string,
  flag: string,
  { files }: World,
  takesIgnored: boolean,
): Promise<readonly string[] | undefined> {
  if (!hasWildcard(name) || (await files.info(name)) !== undefined) return undefined;
  const paths = await files.glob(name, { withoutIgnored: !takesIgnored });
  if (paths.length > 0) return paths;
  if (!takesIgnored && (await files.glob(name)).length > 0) {
    throw new MotifError(
      'usage',
      `${flag}: every file that matches ${name} is named by a .gitignore, or in .git or node_modules`,
      {
        hint: flag === '-f' ? '--no-ignore takes them' : 'name one without a pattern',
      },
    );
  }
  await needReadableFolder(globBase(name), flag, files);
  throw new MotifError('usage', `${flag}: no file matches ${name}`, {
    hint: textHint(name, flag) ?? 'a pattern starts at the working folder; ** goes into folders below',
  });
}

/** Refuses a folder that may not be read, which a search takes for an empty one. */
async function needReadableFolder(path: string, flag: string, files: World['files']): Promise<void> {
  try {
    await files.list(path === '' ? '.' : path);
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    throw new MotifError('usage', `${flag}: ${path}: ${error.message}`, { hint: readHint(error, flag) });
  }
}

async function readText(path: string, flag: string, { world, stdin }: PartReader): Promise<string> {
  if (path === '-') return stdin();
  if (path === '') throw new MotifError('usage', `${flag} needs the name of a file, but got an empty one`);
  if (flag === '--messages' && /^\s*[[{]/.test(path)) throw inlineMessages();
  try {
    const { bytes } = await world.files.read(path, { bytesMax: promptBytesMax });
    return decodeText(bytes, `${flag}: ${path}`);
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    throw new MotifError('usage', `${flag}: ${path}: ${error.message}`, { hint: readHint(error, flag) });
  }
}

/** The text of one of many files; one that is no text is named and left out. */
async function readIfText(path: string, flag: string, reader: PartReader): Promise<string | undefined> {
  try {
    return await readText(path, flag, reader);
  } catch (error) {
    if (!(error instanceof MotifError) || !(error.cause instanceof Utf8Fault)) throw error;
    reader.notice(`${error.message}; left out`);
    return undefined;
  }
}

function inlineMessages(): MotifError {
  return new MotifError('usage', '--messages takes the name of a file, and this is JSON', {
    hint: ["send it through a pipe: echo '[...]' | motif prompt --messages -", 'one message: -m user:TEXT'],
  });
}

/** Advice for a text that was typed where the name of a file belongs; undefined for what looks like a name. */
function textHint(typed: string, flag: string): string | undefined {
  if (!/\s/.test(typed)) return undefined;
  if (flag === '-t') return '-t takes the name of a file: write the template into one';
  return flag === '-S' ? '-S takes the name of a file; -s takes a system message itself' : undefined;
}

/** Advice for a file that cannot be read. */
function readHint({ code, path }: FileFault, flag: string): string {
  if (code === 'EISDIR' && (flag === '-f' || flag === '/file'))
    return `the files in it: ${flag} '${path.replace(/\/+$/, '')}/*'`;
  if (code === 'ETOOLARGE') return 'a prompt takes no more; send a part of it, for example with head -c';
  if (fileRemedy(code) === 'owner') return `you may not read it: ls -ld ${shellWord(path)} shows who may`;
  if (code === 'ENOENT' && textHint(path, flag) !== undefined) return textHint(path, flag)!;
  return code === 'ENOTFILE' ? 'send it on stdin instead: COMMAND | motif prompt ...' : checkPathHint(path, code);
}

async function readNamedStdin(world: World, timeoutMs: number, notice: Notice): Promise<string> {
  if (world.stdin.kind === 'terminal') {
    throw new MotifError('usage', '- reads stdin, but that is the terminal', {
      hint: 'pipe something in: COMMAND | motif prompt -',
    });
  }
  return world.stdin.kind === 'none' ? '' : readStdin(world, timeoutMs, notice);
}

/** True where something is sent, and paid for, without what stdin was meant to add. */
function isPromptWithoutStdin({ file, messages, message, template }: PartFlags, words: readonly string[]): boolean {
  return words.length > 0 || [file, messages, message, template].some((given) => given !== undefined);
}

/** Stdin that no flag names: part of the prompt if it is a pipe or a file, and never a device. */
async function readLooseStdin(
  { world, flags, notice }: Run<PartFlags>,
  words: readonly string[],
  timeoutMs: number,
): Promise<string | undefined> {
  const isOff = flags.noStdin === true || isSwitchedOn(world.env.MOTIF_NO_STDIN);
  if (isOff || stdinFlags(flags) > 0 || world.stdin.kind === 'terminal' || world.stdin.kind === 'none')
    return undefined;
  const text = await readStdin(world, timeoutMs, notice);
  if (text === '' && world.stdin.kind === 'pipe' && isPromptWithoutStdin(flags, words))
    notice('stdin is a pipe with nothing in it, so nothing is added from it');
  if (text !== '' && words.length > 0) {
    const lines = text.replace(/\n$/, '').split('\n').length;
    notice(`added ${counted(lines, 'line')} from stdin (--no-stdin keeps ${lines === 1 ? 'it' : 'them'} out)`);
  }
  return text;
}
