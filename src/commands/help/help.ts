import type { Command } from 'commander';
import { MotifError } from '../../errors.ts';
import { topicLines, topicNames, topics } from '../../manual/topics.ts';
import { printLines } from '../../terminal/output.ts';
import { defuseLine } from '../../text/defuse.ts';
import { closest } from '../../text/similar.ts';
import type { World } from '../../world/world.ts';
import { declare } from '../shared/declare.ts';
import { type Run, styleOf } from '../shared/run.ts';
import { pagerOf, showInPager } from './pager.ts';

export function registerHelp(command: Command, world: World, load: (other: Command) => Promise<void>): void {
  declare(
    command,
    world,
    {
      summary: 'Help for a command, or on a topic',
      examples: ['motif help prompt', 'motif help profile set', 'motif help topics', 'motif help exit-codes'],
      operands: [['[name...]', 'a command and its verb, or a topic', 'help names']],
    },
    (run, names) => runHelp(run, names, command.parent ?? command, load),
  );
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
  // The page of batches is named like their command, which alone has verbs.
  if (topic !== undefined && (command === undefined || verbs.length === 0))
    return showPage(run, (await topic.load()).default);
  if (command === undefined) throw unknownTopic(name, program);
  await load(command);
  let shown = command;
  for (const verb of verbs) shown = shown.commands.find((candidate) => candidate.name() === verb) ?? shown;
  shown.outputHelp();
}

/** Wider lines are hard to read. */
const pageColumnsMax = 100;
/** The width of a terminal that nobody made wider, for pipes. */
const pageColumns = 80;

/** The page in colour on a terminal, and laid out as plain text in a pipe. */
async function showPage(run: Run, markdown: string): Promise<void> {
  const { renderPage } = await import('../../terminal/answer.ts');
  const { stdout } = run.world;
  const style = await styleOf(run, stdout);
  const columns = stdout.isTerminal ? Math.min(stdout.columns, pageColumnsMax) : pageColumns;
  const page = renderPage(markdown, { style, columns });
  const pager = pagerOf(run);
  if (pager === undefined || !(await showInPager(page, pager, run.world))) await printLines(page, run.world);
}

function unknownTopic(name: string, program: Command): MotifError {
  const names = [...program.commands.map((command) => command.name()), ...topicNames];
  // Many topics are plurals: policy means policies.
  const near = closest(name, names) ?? closest(`${name}s`, names);
  return new MotifError('usage', `there is no help on ${defuseLine(name, 64)}`, {
    hint: [...(near === undefined ? [] : [`did you mean ${near}?`]), 'all topics: motif help topics'],
  });
}
