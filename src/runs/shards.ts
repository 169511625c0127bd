import { MotifError } from '../errors.ts';
import { defuseLine } from '../text/defuse.ts';

/** One part of several that a job is split into. */
export interface Shard {
  /** From 1. */
  readonly index: number;
  readonly of: number;
}

const shardsMax = 10_000;

type Env = Readonly<Record<string, string | undefined>>;

interface ShardSystem {
  readonly name: string;
  /** The variable that says which part this is, and the number that its first part has. */
  readonly index: string;
  readonly first: number | string;
  /** The variable with the number of parts; absent where the system tells none. */
  readonly total?: string;
}

/** Systems that run parts of a job side by side, and the variables by which they tell. */
const shardSystems: readonly ShardSystem[] = [
  { name: 'GitLab CI', index: 'CI_NODE_INDEX', first: 1, total: 'CI_NODE_TOTAL' },
  { name: 'CircleCI', index: 'CIRCLE_NODE_INDEX', first: 0, total: 'CIRCLE_NODE_TOTAL' },
  { name: 'Buildkite', index: 'BUILDKITE_PARALLEL_JOB', first: 0, total: 'BUILDKITE_PARALLEL_JOB_COUNT' },
  { name: 'Slurm', index: 'SLURM_ARRAY_TASK_ID', first: 'SLURM_ARRAY_TASK_MIN', total: 'SLURM_ARRAY_TASK_COUNT' },
  { name: 'Kubernetes Indexed Job', index: 'JOB_COMPLETION_INDEX', first: 0 },
];

/**
 * Reads `--shard`: `2/3`, `auto` (part and number from the system's variables) or `auto/3` (the part from them). A
 * system that is not found is a usage error, for otherwise every machine would do everything and all would look well.
 */
export function parseShard(text: string, env: Env): Shard {
  const [, part, total] = /^(auto|\d{1,5})(?:\/(\d{1,5}))?$/.exec(text) ?? [];
  if (part === undefined || (part !== 'auto' && total === undefined)) {
    throw new MotifError('usage', '--shard takes i/n, auto or auto/n', { hint: 'for example --shard 2/3' });
  }
  const shard =
    part === 'auto' ? autoShard(env, total) : { index: Number(part), of: Number(total), from: `--shard ${text}` };
  if (shard.of < 1 || shard.of > shardsMax || shard.index < 1 || shard.index > shard.of) {
    throw new MotifError('usage', `${shard.from}: there is no part ${shard.index} of ${shard.of}`, {
      hint: 'parts count from 1: --shard 1/3, 2/3, 3/3',
    });
  }
  return { index: shard.index, of: shard.of };
}

function autoShard(env: Env, total: string | undefined): Shard & { readonly from: string } {
  const system = shardSystems.find(({ index }) => isSet(env[index]));
  if (system === undefined) {
    const names = shardSystems.map(({ name }) => name).join(', ');
    throw new MotifError('usage', '--shard auto: no variable says which part this is', {
      hint: [`it reads those of ${names}`, 'elsewhere name the part: --shard 2/3'],
    });
  }
  const first = typeof system.first === 'number' ? system.first : numberOf(env, system.first);
  const index = numberOf(env, system.index) - first;
  if (system.name === 'Slurm') refuseHoles(env);
  return { index: index + 1, of: totalOf(system, total, env), from: `${system.name} (${system.index})` };
}

/** An array of 0, 2, 4 has holes, and part 2 of it would be number 3; one of 5 alone is a part that is run again. */
function refuseHoles(env: Env): void {
  const { SLURM_ARRAY_TASK_STEP: step, SLURM_ARRAY_TASK_MIN: min, SLURM_ARRAY_TASK_MAX: max } = env;
  const count = env.SLURM_ARRAY_TASK_COUNT;
  const isWhole =
    (!isSet(max) || !isSet(count) || count === String(Number(max) - Number(min) + 1)) &&
    !(count === '1' && Number(min) > 1);
  if ((!isSet(step) || step === '1') && isWhole) return;
  throw new MotifError('usage', '--shard auto: the numbers of this Slurm array have holes', {
    hint: ['number it one by one: --array=1-8', 'for one part again name it: --shard 5/8'],
  });
}

function totalOf(system: ShardSystem, total: string | undefined, env: Env): number {
  if (total !== undefined) return Number(total);
  if (system.total !== undefined && isSet(env[system.total])) return numberOf(env, system.total);
  const why = system.total === undefined ? 'has no variable with it' : `has not set ${system.total}`;
  throw new MotifError('usage', `--shard auto: the number of parts is not known: ${system.name} ${why}`, {
    hint: 'name it: --shard auto/8',
  });
}

function numberOf(env: Env, name: string): number {
  const text = env[name] ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new MotifError('usage', `--shard auto: ${name} is ${defuseLine(JSON.stringify(text), 60)}, not a number`);
}

function isSet(text: string | undefined): text is string {
  return text !== undefined && text !== '';
}

/** The part of a row by what is sent rather than by its place, so that an edit of the input moves no other row. */
export function shardOfKey(key: string, { of }: Shard): number {
  return (parseInt(key.slice(-8), 16) % of) + 1;
}
