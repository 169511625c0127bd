/** The output of all runs. */
export const output = 'out.jsonl';
/** Rows at once: as many answers may be lost with a process. */
export const concurrency = 2;

/** A run over the input of the job, or over one of another job that has the same output by mistake. */
export interface RunStep {
  readonly kind: 'run';
  readonly job: 'own' | 'other-input' | 'other-request';
  readonly isPiped: boolean;
  readonly fresh: boolean;
  readonly limit: number | undefined;
  readonly maxBlocked: number | undefined;
  readonly end: { readonly by: 'itself' } | { readonly by: 'kill' | 'SIGTERM' | 'SIGINT'; readonly at: number };
  /** Every so manieth row fails or is blocked; 0: none. */
  readonly failing: number;
  readonly blocking: number;
}

export type Step =
  | RunStep
  | { readonly kind: 'edit'; readonly how: 'add' | 'remove' | 'move' | 'double' | 'note'; readonly at: number }
  /** One of the commands that the last run named. */
  | { readonly kind: 'next'; readonly at: number }
  | { readonly kind: 'merge' };

/** The words of a run, behind `motif batch`. */
export function argvOf({ job, isPiped, fresh, limit, maxBlocked }: RunStep): string[] {
  return [
    ...(isPiped ? [] : ['in.jsonl']),
    '-o',
    output,
    '-j',
    String(concurrency),
    ...(job === 'other-request' ? ['-s', 'another'] : []),
    ...(fresh ? ['--fresh'] : []),
    ...(limit === undefined ? [] : ['--limit', String(limit)]),
    ...(maxBlocked === undefined ? [] : ['--max-blocked', String(maxBlocked)]),
  ];
}

/** A command that a run has named. */
interface NamedCommand {
  readonly change: Partial<RunStep>;
  /** The number of rows that it is said to ask. */
  readonly asks: number | undefined;
}

/** The commands that a run has named as the next ones. */
export function commandsIn(stderr: string): readonly NamedCommand[] {
  const same =
    /the same command(?: (with|without) (--fresh)?(?: and )?(--limit)?)? (goes on|asks (?:the )?(\S+)(?: in error)? again|puts)/g;
  const named = [...stderr.matchAll(same)].map(([, how, fresh, limit, does, number]) => ({
    change: {
      ...(fresh === undefined ? {} : { fresh: how === 'with' }),
      ...(limit === undefined ? {} : { limit: undefined }),
    },
    asks:
      does === 'puts' ? 0 : number === undefined ? undefined : number === 'it' || number === 'one' ? 1 : Number(number),
  }));
  const raised = [...stderr.matchAll(/raise --max-blocked( and leave out --fresh)? to go on/g)].map(([, fresh]) => ({
    change: { maxBlocked: 1000, ...(fresh === undefined ? {} : { fresh: false }) },
    asks: undefined,
  }));
  return [...named, ...raised];
}

/** The request that a run makes of each row. */
export function requestOf({ job }: RunStep): string {
  return job === 'other-request' ? 'other' : 'own';
}
