import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { answered, blocked as blockedBody } from '../service.ts';
import type { Run } from '../motif.ts';
import { fakeWorld, type FakeWorld } from '../world.ts';
import { batch, batchService } from './batch.ts';
import { argvOf, commandsIn, concurrency, output, requestOf, type RunStep, type Step } from './batch-steps.ts';
import { type Death, dieAt } from './dying-files.ts';

const oldRows = `${output}.before-fresh`;

/** An answer that was paid for, and is in a file. */
interface Answer {
  readonly row: string;
  readonly text: string;
  /** The run with `--fresh` since which all are asked. */
  readonly since: number;
  readonly request: string;
  /** Old rows are put back as one file: of several answers to a row the latest is the one that counts there. */
  readonly isOutdated?: boolean;
}

interface Line {
  readonly index: number | null;
  readonly name: string;
  readonly note: number;
  readonly blocked: boolean | null;
  readonly response: string | null;
  readonly prompt_id: string | null;
}

/** The history of an output, beside a small model of what it must hold; each step is held against it. */
export class BatchHistory {
  readonly #world: FakeWorld = fakeWorld();
  #input = ['row 1', 'row 2', 'row 3', 'row 4'];
  #rowsMade = 4;
  /** A field of each row that only passes through. */
  readonly #notes = new Map<string, number>();
  #answersMade = 0;
  #answers: readonly Answer[] = [];
  #since = 0;
  #last: { readonly step: RunStep; readonly stderr: string } | undefined;
  /** The rows of a finished file; after a kill it may be one. */
  #finished: { readonly rows: number; readonly isLimited: boolean } | 'not' | 'perhaps' = 'not';
  readonly log: string[] = [];

  async take(step: Step): Promise<void> {
    if (step.kind === 'edit') return this.#edit(step);
    if (step.kind === 'merge') return this.#merge();
    if (step.kind === 'run') return void (await this.#run(step));
    return this.#next(step.at);
  }

  #edit({ how, at }: Extract<Step, { kind: 'edit' }>): void {
    this.#last = undefined;
    const place = at % this.#input.length;
    const row = this.#input[place]!;
    if (how === 'add') this.#input.splice(place, 0, `row ${(this.#rowsMade += 1)}`);
    else if (how === 'double') this.#input.push(row);
    else if (how === 'note') this.#notes.set(row, this.log.length);
    else if (how === 'move') this.#input.push(...this.#input.splice(place, 1));
    else if (this.#input.length > 1) this.#input.splice(place, 1);
    this.log.push(`${how} ${place}: ${this.#input.join(', ')}`);
  }

  /** Types a command that the last run has named, with a service that answers all. */
  async #next(at: number): Promise<void> {
    if (this.#last === undefined) return;
    const named = commandsIn(this.#last.stderr);
    const { step, stderr } = this.#last;
    const chosen = named[at % Math.max(1, named.length)];
    if (chosen === undefined) return;
    const { run, asked } = await this.#run({
      ...step,
      ...chosen.change,
      end: { by: 'itself' },
      failing: 0,
      blocking: 0,
    });
    const words = `${stderr}\n${run.stderr}`;
    // All may be there by now, and more of it blocked than --max-blocked takes, or more of what was beyond a limit.
    const isLifted = step.limit !== undefined && 'limit' in chosen.change;
    const mayHalt = run.stderr.includes('over a limit') || (isLifted && run.stderr.includes('raise --max-blocked'));
    expect(mayHalt ? 0 : run.exitCode, words).toBe(0);
    if (chosen.asks !== undefined) expect(asked, words).toHaveLength(chosen.asks);
  }

  async #run(step: RunStep): Promise<{ readonly run: Run; readonly asked: readonly string[] }> {
    const input = step.job === 'other-input' ? ['x', 'y'] : this.#input;
    const taken = input.slice(0, step.limit);
    const before = this.#files();
    // An output without a row is what was kept beside it.
    const rowsBefore = [output, oldRows].map((name) => this.#lines(name)).find((lines) => lines.length > 0) ?? [];
    const allBefore = this.#rows();
    const answersBefore = this.#current(step);
    const { run, asked, given, isKilled } = await this.#perform(step, input);
    this.log.push(
      `${JSON.stringify(step)}\n  input ${input.join(', ')}; asked ${asked.join(', ')}; code ${run.exitCode} ${run.signal}\n${run.stderr}`,
    );
    this.#last = isKilled ? undefined : { step, stderr: run.stderr };
    const isForeign = !step.fresh && !isKilled && this.#isForeign(step, rowsBefore);
    if (isForeign) {
      expect(run.exitCode, 'another job is refused').toBe(2);
      expect(asked, 'asked of another job').toEqual([]);
      expect(this.#rows(), 'after another job').toEqual(allBefore);
    }
    const isOfErrorsAlone = rowsBefore.length > 0 && answersBefore.length === 0;
    if (!isForeign && !isKilled && !isOfErrorsAlone) expect(run.exitCode, run.stderr).not.toBe(2);
    for (const row of new Set(asked)) {
      const had = step.fresh ? 0 : answersBefore.filter((each) => each.row === row).length;
      expect(count(asked, row), `${row} was paid for before`).toBeLessThanOrEqual(Math.max(0, count(taken, row) - had));
    }
    const lines = this.#lines(output);
    const texts = new Set(this.#rows().map(textOf));
    const kept = given.filter(({ text }) => texts.has(text));
    expect(given.length - kept.length, 'answers lost with the process').toBeLessThanOrEqual(
      isKilled || run.signal !== undefined ? concurrency : 0,
    );
    if (step.fresh && before.get(output) !== this.#files().get(output) && lines.length > 0) this.#since += 1;
    const mine = lines.filter(({ index, blocked }) => index !== null && blocked !== null);
    const isWhole = input.every((row) => mine.filter(({ name }) => name === row).length >= count(input, row));
    const mayGo = isWhole && !isKilled;
    if (run.stderr.includes('it holds again')) this.#outdate();
    const missing = this.#answers.filter(
      ({ text, since, isOutdated }) => !texts.has(text) && isOutdated !== true && !(mayGo && since < this.#since),
    );
    expect(missing, 'answers that are in no file any more').toEqual([]);
    this.#answers = [
      ...this.#answers.filter(({ text }) => texts.has(text)),
      ...kept.map((answer) => ({ ...answer, since: this.#since, request: requestOf(step) })),
    ];
    this.#checkEnd(step, run, { input, taken, lines, before, isKilled });
    return { run, asked };
  }

  #checkEnd(
    step: RunStep,
    run: Run,
    {
      input,
      taken,
      lines,
      before,
      isKilled,
    }: {
      readonly input: readonly string[];
      readonly taken: readonly string[];
      readonly lines: readonly Line[];
      readonly before: ReadonlyMap<string, string>;
      readonly isKilled: boolean;
    },
  ): void {
    const isComplete = !isKilled && (run.exitCode === 0 || run.exitCode === 1 || run.stderr.includes('over a limit'));
    if (before.get(output) !== this.#files().get(output)) this.#finished = isKilled ? 'perhaps' : 'not';
    if (!isKilled) expect([...this.#files().keys()].filter((name) => name !== output && name !== oldRows)).toEqual([]);
    if (!isComplete) {
      if (!isKilled && run.exitCode !== 2) expect(commandsIn(run.stderr).length, run.stderr).toBeGreaterThan(0);
      return;
    }
    expect(
      lines.slice(0, taken.length).map(({ name }) => name),
      'in the order of the input',
    ).toEqual(taken);
    expect(lines.slice(0, taken.length).map(({ index }) => index)).toEqual(taken.map((_, index) => index));
    expect(
      lines.slice(0, taken.length).map(({ note }) => note),
      'the notes of the input',
    ).toEqual(taken.map((row) => this.#noteOf(row)));
    const isLimited = step.limit !== undefined && input.length >= step.limit + (step.isPiped ? 0 : 1);
    this.#finished = { rows: taken.length, isLimited };
  }

  async #perform(step: RunStep, input: readonly string[]) {
    const asked: string[] = [];
    const given: { row: string; text: string }[] = [];
    let death: Death | undefined;
    let world: FakeWorld | undefined;
    const { end } = step;
    const service = batchService((row, number) => {
      if (death?.isDead === true) return new Error('dead');
      asked.push(row);
      if ((end.by === 'SIGTERM' || end.by === 'SIGINT') && number === end.at) world?.interrupt(end.by);
      const which = Number(/\d+/.exec(row)?.[0] ?? 1);
      if (step.failing > 0 && which % step.failing === 0) return { status: 400, body: {} };
      const text = `answer ${(this.#answersMade += 1)}`;
      given.push({ row, text });
      if (step.blocking > 0 && which % step.blocking === 0) return { body: { ...blockedBody, prompt_id: text } };
      return { body: { ...answered, response: `${row}`, prompt_id: text } };
    });
    const text = input
      .map((row) => `${JSON.stringify({ prompt: row, name: row, note: this.#noteOf(row) })}\n`)
      .join('');
    const run = await batch(
      argvOf(step),
      {
        after: this.#world,
        ...(step.isPiped ? { stdin: text } : { files: { 'in.jsonl': text } }),
        prepare(made) {
          world = made;
          if (end.by === 'kill') death = dieAt(made, end.at);
        },
      },
      service,
    );
    return { run, asked, given, isKilled: death?.isDead === true };
  }

  async #merge(): Promise<void> {
    if (!this.#files().has(output)) return;
    const run = await batch(['merge', output, '-o', 'table.csv'], { after: this.#world });
    this.log.push(`merge: ${run.exitCode} ${run.stderr}`);
    const rows = this.#files().get('table.csv')?.split('\r\n').length;
    const finished = this.#finished;
    if (finished === 'perhaps') expect([0, 1, 2]).toContain(run.exitCode);
    else if (finished === 'not' || finished.isLimited) expect(run.exitCode, 'a merge of what is no whole').toBe(2);
    else expect(rows, run.stderr).toBe(finished.rows + 2);
    await this.#world.files.remove('table.csv');
  }

  #noteOf(row: string): number {
    return this.#notes.get(row) ?? 0;
  }

  #outdate(): void {
    this.#answers = this.#answers.map((old) => {
      const isOutdated = this.#answers.some(
        ({ row, request, since }) => row === old.row && request === old.request && since > old.since,
      );
      return isOutdated ? { ...old, isOutdated } : old;
    });
  }

  /** The answers with which a run without `--fresh` goes on. */
  #current(step: RunStep): readonly Answer[] {
    return this.#answers.filter(({ since, request }) => since === this.#since && request === requestOf(step));
  }

  #isForeign(step: RunStep, lines: readonly Line[]): boolean {
    const current = this.#answers.filter(({ since }) => since === this.#since);
    if (current.length === 0) return false;
    if (current.some(({ request }) => request !== requestOf(step))) return true;
    // Of a pipe nobody knows which rows will come.
    if (step.isPiped) return false;
    const taken = new Set(step.job === 'other-input' ? ['x', 'y'] : this.#input.slice(0, step.limit));
    return !lines.some(({ name }) => taken.has(name));
  }

  /** The rows of the output and those that are kept beside it. */
  #rows(): readonly Line[] {
    return [output, oldRows].flatMap((name) => this.#lines(name));
  }

  #lines(name: string): readonly Line[] {
    return linesOf(this.#files().get(name) ?? '');
  }

  #files(): ReadonlyMap<string, string> {
    const { folder } = this.#world;
    const names = readdirSync(folder).filter((name) => name !== 'in.jsonl');
    return new Map(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
  }
}

/** The whole lines of a text. */
function linesOf(text: string): readonly Line[] {
  return text
    .split('\n')
    .slice(0, -1)
    .flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Line]));
}

function textOf({ prompt_id: text }: Line): string {
  return text ?? '';
}

function count(rows: readonly string[], row: string): number {
  return rows.filter((each) => each === row).length;
}
