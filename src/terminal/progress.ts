import { formatDuration } from '../text/durations.ts';
import { clip } from '../text/width.ts';
import type { Output } from '../world/world.ts';
import { createStyle } from './style.ts';

export interface Progress {
  /** Takes the place of what was running. The label is a constant of ours, never text from outside. */
  start(label: string): void;
  /** A line of its own on stderr, above the spinner where there is one. */
  note(line: string): Promise<void>;
  /** Wipes the line, before whatever is written to the terminal from now on; a second call does nothing. */
  stop(): void;
}

export interface ProgressOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly accessible: boolean;
  readonly quiet: boolean;
  readonly colour: boolean;
  monotonic(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

const appearsAfterMs = 300;
const frameMs = 80;
/** The wait after which a line says, where nothing moves, that something is being waited for. */
const saidAfterMs = 3000;
const columnsMin = 20;
/** Columns of the spinner's own mark, and the last one, which some terminals wrap at. */
const marginColumns = 4;

type Surface = Pick<Output, 'isTerminal' | 'columns' | 'write'>;

/** A spinner with the elapsed time for a wait that turns out long; one line where a terminal cannot show it. */
export function createProgress(stderr: Surface, options: ProgressOptions): Progress {
  let running: AbortController | undefined;
  let pen: Pen | undefined;

  async function sayLate(label: string, { signal }: AbortController): Promise<void> {
    await options.sleep(saidAfterMs, signal);
    await stderr.write(`motif: ${label}\n`);
  }

  async function spin(label: string, { signal }: AbortController): Promise<void> {
    const startedAt = options.monotonic();
    await options.sleep(appearsAfterMs, signal);
    const loaded = await createPen(stderr, options);
    while (!signal.aborted) {
      pen = loaded;
      const seconds = Math.floor((options.monotonic() - startedAt) / 1000);
      const text = seconds === 0 ? label : `${label} ${formatDuration(seconds * 1000)}`;
      if (stderr.columns >= columnsMin) await pen.draw(text);
      await options.sleep(frameMs, signal);
    }
  }

  function stop(): void {
    running?.abort();
    running = undefined;
    pen?.clear();
    pen = undefined;
  }

  return {
    start(label) {
      stop();
      if (!stderr.isTerminal || options.quiet || isCi(options)) return;
      running = new AbortController();
      // Ends by being stopped, by a signal, or with stderr; none of these may fail the work that is waited for.
      (mayMove(stderr, options) ? spin : sayLate)(label, running).catch(() => undefined);
    },
    async note(line) {
      pen?.clear();
      await stderr.write(`${line}\n`);
    },
    stop,
  };
}

function isCi({ env }: ProgressOptions): boolean {
  return env.CI !== undefined && !['', '0', 'false'].includes(env.CI);
}

function mayMove(stderr: Surface, { env, accessible }: ProgressOptions): boolean {
  return stderr.columns >= columnsMin && env.TERM !== 'dumb' && !accessible;
}

interface Pen {
  draw(text: string): Promise<void>;
  clear(): void;
}

/**
 * Draws with ora, frame by frame. Its `start()` is never called: that would replace the write methods of process.stdout
 * and process.stderr, put stdin in raw mode and hide the cursor, and a cursor that was never hidden needs no restoring
 * after a kill. Each frame reaches the terminal as one write.
 */
async function createPen(stderr: Surface, { env, colour }: ProgressOptions): Promise<Pen> {
  const [{ default: ora }, { Writable }, style] = await Promise.all([
    import('ora'),
    import('node:stream'),
    createStyle(colour),
  ]);
  let drawn = '';
  const add = (text: string): void => void (drawn += text);
  const sheet = Object.assign(
    new Writable({
      decodeStrings: false,
      write(text: string, _encoding, done) {
        add(text);
        done();
      },
    }),
    {
      isTTY: true,
      columns: columnsMin,
      cursorTo: (column: number) => add(`\u001b[${column + 1}G`),
      moveCursor: (_columns: number, rows: number) => add(`\u001b[${-rows}A`),
      clearLine: () => add('\u001b[K'),
    },
  );
  const spinner = ora({
    stream: sheet,
    spinner: { interval: 1, frames: frames(env).map((frame) => style.cyan(frame)) },
    color: false,
    hideCursor: false,
    discardStdin: false,
    isEnabled: true,
    isSilent: false,
  });
  const flush = async (): Promise<void> => {
    const text = drawn;
    drawn = '';
    await stderr.write(text);
  };
  return {
    async draw(text) {
      sheet.columns = stderr.columns;
      spinner.text = clip(text, stderr.columns - marginColumns);
      spinner.render();
      await flush();
    },
    clear() {
      spinner.clear();
      flush().catch(() => undefined);
    },
  };
}

/** The kernel's console and a locale without UTF-8 have no braille. */
function frames(env: ProgressOptions['env']): readonly string[] {
  const hasBraille = /utf-?8/i.test(env.LC_ALL || env.LC_CTYPE || env.LANG || '') && env.TERM !== 'linux';
  return Array.from(hasBraille ? '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏' : '-\\|/');
}
