import type { Command } from 'commander';
import { MotifError } from '../../errors.ts';
import { topicGroups, topicLines, topicNames, topics } from '../../manual/topics.ts';
import { printLines } from '../../terminal/output.ts';
import { defuseLine } from '../../text/defuse.ts';
import { closest } from '../../text/similar.ts';
import type { World } from '../../world/world.ts';
import { declare } from '../shared/declare.ts';
import { isMistypedVerb } from '../shared/flags/early.ts';
import { pathOf } from '../shared/flags/options.ts';
import { closestTopic, verbsNamed } from '../shared/flags/usage-error.ts';
import { type Run, styleOf } from '../shared/run.ts';
import { pagesAbout } from './pages-about.ts';
import { pagerOf, showInPager } from './pager.ts';

export function registerHelp(command: Command, world: World, load: (other: Command) => Promise<void>): void {
  declare(command, world, {
    summary: 'Help for a command, or on a topic',
    examples: ['motif help prompt', 'motif help profile set', 'motif help topics', 'motif help exit-codes'],
    operands: [['[name...]', 'a command and its verb, or a topic', 'help names']],
    run: (run, names) => runHelp(run, names, command.parent ?? command, load),
  });
}

async function runHelp(
  run: Run,
  names: readonly string[],
  program: Command,
  load: (other: Command) => Promise<void>,
): Promise<void> {
  const [name, ...verbs] = names;
  if (name === undefined) return program.outputHelp();
  if (name === 'topics') return printLines(topicLines(), run.world);
  const command = program.commands.find((candidate) => candidate.name() === name);
  const topic = topics.find((candidate) => candidate.name === name);
  if (command !== undefined) await load(command);
  if (topic !== undefined && verbs.length === 0) {
    // The page of batches is named like their command: both are meant, first of all the flags.
    const flags = command === undefined ? '' : `${flagsThenPage(name)}\n\n${helpTextOf(command)}\n`;
    return showPage(run, (await topic.load()).default, flags);
  }
  const group = verbs.length > 0 ? undefined : topicGroups.find(({ label }) => isSameName(label, name));
  if (command === undefined && group !== undefined) return showGroup(run, group);
  if (command === undefined) throw await unknownTopic(names, program, load);
  let shown = command;
  for (const verb of verbs) {
    const next = shown.commands.find((candidate) => candidate.name() === verb);
    if (next === undefined && (await isMistypedVerb(verb, shown, run.world.files))) throw unknownVerb(shown, verb);
    shown = next ?? shown;
  }
  shown.outputHelp();
}

/** The first line of a help that is longer than a screen. */
function flagsThenPage(name: string): string {
  return `First the flags, then the page. The flags alone: motif ${name} --help`;
}

/** The topics of a row of `motif --help`, whose first word is easily taken for one. */
async function showGroup({ world }: Run, { heading, topics: listed }: (typeof topicGroups)[number]): Promise<void> {
  await printLines(`Topics ${heading} (motif help TOPIC):\n${topicLines(listed)}`, world);
}

function isSameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** The text that a command's --help prints. */
function helpTextOf(command: Command): string {
  const usual = command.configureOutput();
  let text = '';
  command.configureOutput({ ...usual, writeOut: (part) => void (text += part) });
  command.outputHelp();
  command.configureOutput(usual);
  return text;
}

/** The most pages that are offered for a name that is none. */
const pagesShownMax = 4;

/** Wider lines are hard to read. */
const pageColumnsMax = 100;
/** The width of a terminal that nobody made wider, for pipes. */
const pageColumns = 80;

/** The page in colour on a terminal, and laid out as plain text in a pipe; behind `before`, if there is any. */
async function showPage(run: Run, markdown: string, before: string): Promise<void> {
  const { renderPage } = await import('../../terminal/answer.ts');
  const { stdout } = run.world;
  const style = await styleOf(run, stdout);
  const columns = stdout.isTerminal ? Math.min(stdout.columns, pageColumnsMax) : pageColumns;
  const page = before + renderPage(markdown, { style, columns });
  const pager = pagerOf(run);
  if (pager === undefined || !(await showInPager(page, pager, run.world))) await printLines(page, run.world);
}

/** For a name that is neither a command nor a topic: what is nearest to it, and the pages that say something of it. */
async function unknownTopic(
  names: readonly string[],
  program: Command,
  load: (other: Command) => Promise<void>,
): Promise<MotifError> {
  const name = names.join(' ');
  await Promise.all(program.commands.map(load));
  // People type `rotate` without its group.
  const verbs = verbsNamed(names[0] ?? '', program).map((verb) => `motif help ${pathOf(verb)}`);
  const commands = program.commands.map((command) => command.name());
  const near = closest(names.join('-'), [...commands, ...topicNames]) ?? closestTopic(names[0] ?? '');
  const pages = (await pagesAbout(names.at(-1) ?? '')).filter((page) => page !== near).slice(0, pagesShownMax);
  return new MotifError('usage', `there is no help on ${defuseLine(name, 64)}`, {
    hint: [
      ...(verbs.length === 0 ? [] : [`a verb of that name: ${verbs.join(', ')}`]),
      ...(near === undefined || verbs.length > 0 ? [] : [`did you mean ${near}?`]),
      ...(pages.length === 0 ? [] : [`pages that name it: ${pages.map((page) => `motif help ${page}`).join(', ')}`]),
      'all topics: motif help topics',
    ],
  });
}

function unknownVerb(group: Command, verb: string): MotifError {
  const verbs = group.commands.map((command) => command.name());
  const near = closest(verb, verbs);
  return new MotifError('usage', `motif ${pathOf(group)} has no ${defuseLine(verb, 64)}`, {
    hint: [near === undefined ? `its verbs: ${verbs.join(', ')}` : `did you mean ${near}?`],
  });
}
