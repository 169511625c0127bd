import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { CommandEnded, MotifError } from '../errors.ts';
import { printLines } from '../terminal/output.ts';
import type { Style } from '../terminal/style.ts';
import { defuse } from '../text/defuse.ts';
import { wrap } from '../text/width.ts';
import type { Child, World } from '../world/world.ts';
import { declare } from './shared/declare.ts';
import { type Run, styleOf } from './shared/run.ts';

/** A step of the tour: what is run, what it is to end with, and what it shows. */
interface Step {
  readonly title: string;
  readonly argv: readonly string[];
  /** Words that are run beside those that are shown. */
  readonly unshown?: readonly string[];
  readonly exitCode: number;
}

const card = 'Refund my card 4111 1111 1111 1111';

const steps: readonly Step[] = [
  { title: 'Ask', argv: ['prompt', '-u', '--demo', 'How long can I return a kettle?'], exitCode: 0 },
  { title: 'Blocked', argv: ['prompt', '-u', '--demo', card], exitCode: 10 },
  { title: 'Why', argv: ['admin', 'try', '--demo', card], exitCode: 0 },
  { title: 'Redacted', argv: ['prompt', '--demo', 'Is AKIAIOSFODNN7EXAMPLE a valid key?'], exitCode: 0 },
  { title: 'Script', argv: ['prompt', '--demo', '--field', 'usage.total_tokens', 'Opening hours?'], exitCode: 0 },
  // Suites of the folder in which the tour is taken are no part of it, which a notice would tell.
  { title: 'CI', argv: ['check', '--demo', '--prove'], unshown: ['-q'], exitCode: 0 },
];

const columns = 80;
const stepTimeoutMs = 20_000;

const intro = `motif demo: a whole Motif gateway in this process; no network, no key, no files.
No model is asked: a mock provider answers by quoting a small handbook.
Motif support-bot · knowledge handbook · no-pii blocks, no-secrets redacts
`;

const install = '  npm install -g .          puts motif on your PATH\n';

const next = `  motif chat --demo         talk to this Motif
  motif login ADDRESS       your own Motif; login says where its token is shown
  motif admin init          your own gateway; then motif serve -c gateway.yaml
`;

const topics = '  motif --help              all commands and the pages of the manual\n';

export function registerDemo(command: Command, world: World): void {
  const summary = 'A short tour, on a gateway inside this program';
  declare(command, world, { summary, examples: ['motif demo'], run: runDemo });
}

/**
 * Runs each step as the real program and shows what came of it; ends badly if one does not end as it should. A person
 * at a terminal has the last turn, in a chat.
 */
async function runDemo(run: Run): Promise<void> {
  const { world, flags } = run;
  const style = await styleOf(run, world.stdout);
  await printLines(`${intro}\n`, world);
  for (const [index, step] of steps.entries()) await runStep(`${index + 1}. ${step.title}`, step, style, world);
  const isInClone = await isRunFromClone(world);
  await printLines(`\nNext (each works now):\n${isInClone ? install : ''}${next}${isInClone ? '' : topics}`, world);
  const isAtTerminal = world.stdin.kind === 'terminal' && world.stdout.isTerminal && world.stderr.isTerminal;
  if (!isAtTerminal) return;
  await printLines('\nYour turn:', world);
  const argv = ['chat', '--demo', '--no-save', ...(flags.accessible ? ['--accessible'] : [])];
  const { code } = await world.run({ ...selfCalled(argv, world), inheritsEnv: true, sharesStreams: true });
  if (code !== 0) throw new CommandEnded(code ?? 1);
}

/** True where the launcher was called in a clone, by its own path: an installed one has no sources beside it. */
async function isRunFromClone({ self, files }: World): Promise<boolean> {
  const launcher = self.at(-1) ?? '';
  return (await files.info(join(dirname(launcher), '..', 'src', 'entry.ts'))) !== undefined;
}

/** This program itself with other arguments. */
function selfCalled(argv: readonly string[], { self }: World): Pick<Child, 'command' | 'args'> {
  const [command = '', ...words] = self;
  return { command, args: [...words, ...argv] };
}

async function runStep(
  title: string,
  { argv, unshown = [], exitCode }: Step,
  style: Style,
  world: World,
): Promise<void> {
  await printLines(`${style.bold(title.padEnd(11))} ${style.cyan(`$ motif ${argv.map(quote).join(' ')}`)}`, world);
  const result = await world.run({ ...selfCalled([...argv, ...unshown], world), timeoutMs: stepTimeoutMs });
  const lines = `${result.stdout}${result.stderr}`
    .trimEnd()
    .split('\n')
    .flatMap((line) => wrap(defuse(line), columns - 3));
  await printLines(withExit(lines, `exit ${result.code ?? 'none'}`, style), world);
  if (result.code !== exitCode) {
    throw new MotifError(
      'failed',
      `this step should have ended with ${exitCode}, but ended with ${result.code ?? 'nothing'}`,
      {
        hint: 'run it by itself with --debug, and tell the authors',
      },
    );
  }
}

/** The exit code stands at the right of the last line, or on a line of its own where there is no room. */
function withExit(lines: readonly string[], exit: string, style: Style): string {
  const last = lines.at(-1) ?? '';
  const isTight = 3 + last.length + 1 + exit.length > columns;
  const shown = isTight ? [...lines, ''] : lines;
  const gap = ' '.repeat(columns - 3 - exit.length - (isTight ? 0 : last.length));
  const paintBlocks = (line: string): string =>
    line.replace(/blocked by policy|^block(?= )/, (word) => style.bold(style.yellow(word)));
  return shown
    .map((line, at) => `   ${paintBlocks(line)}${at === shown.length - 1 ? `${gap}${style.dim(exit)}` : ''}`)
    .join('\n');
}

function quote(word: string): string {
  return /^[\w.-]+$/.test(word) ? word : `"${word}"`;
}
