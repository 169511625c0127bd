import { expect, test } from 'vitest';
import { parseShard } from '../../src/runs/shards.ts';

const slurm = { SLURM_ARRAY_TASK_ID: '12', SLURM_ARRAY_TASK_MIN: '10', SLURM_ARRAY_TASK_COUNT: '4' };

test.each([
  { name: 'a part by hand', text: '2/3', env: {}, shard: { index: 2, of: 3 } },
  {
    name: 'GitLab, from 1',
    text: 'auto',
    env: { CI_NODE_INDEX: '1', CI_NODE_TOTAL: '4' },
    shard: { index: 1, of: 4 },
  },
  {
    name: 'CircleCI, from 0',
    text: 'auto',
    env: { CIRCLE_NODE_INDEX: '0', CIRCLE_NODE_TOTAL: '4' },
    shard: { index: 1, of: 4 },
  },
  {
    name: 'Buildkite, from 0',
    text: 'auto',
    env: { BUILDKITE_PARALLEL_JOB: '3', BUILDKITE_PARALLEL_JOB_COUNT: '4' },
    shard: { index: 4, of: 4 },
  },
  { name: 'a Slurm array, from its own first number', text: 'auto', env: slurm, shard: { index: 3, of: 4 } },
  {
    name: 'a Slurm array that tells its last number, too',
    text: 'auto',
    env: { ...slurm, SLURM_ARRAY_TASK_MAX: '13' },
    shard: { index: 3, of: 4 },
  },
  {
    name: 'a Slurm array that tells its first and last number alone',
    text: 'auto/8',
    env: { SLURM_ARRAY_TASK_ID: '3', SLURM_ARRAY_TASK_MIN: '1', SLURM_ARRAY_TASK_MAX: '8' },
    shard: { index: 3, of: 8 },
  },
  {
    name: 'a Kubernetes Indexed Job, which tells no total',
    text: 'auto/8',
    env: { JOB_COMPLETION_INDEX: '0' },
    shard: { index: 1, of: 8 },
  },
])('$name', ({ text, env, shard }) => {
  expect(parseShard(text, env)).toEqual(shard);
});

test.each([
  { name: 'nothing that tells', text: 'auto', env: { CI_NODE_INDEX: '' }, says: 'no variable says which part' },
  {
    name: 'Kubernetes without a total',
    text: 'auto',
    env: { JOB_COMPLETION_INDEX: '0' },
    says: 'Kubernetes Indexed Job has no variable with it',
  },
  { name: 'GitLab without its total', text: 'auto', env: { CI_NODE_INDEX: '1' }, says: 'has not set CI_NODE_TOTAL' },
  {
    name: 'a part beyond the total',
    text: 'auto/2',
    env: { JOB_COMPLETION_INDEX: '2' },
    says: 'Kubernetes Indexed Job (JOB_COMPLETION_INDEX): there is no part 3 of 2',
  },
  {
    name: 'a Slurm array in steps',
    text: 'auto',
    env: { ...slurm, SLURM_ARRAY_TASK_STEP: '2' },
    says: 'the numbers of this Slurm array have holes',
  },
  {
    name: 'a Slurm array of some numbers, as of tasks that are run again',
    text: 'auto',
    env: { ...slurm, SLURM_ARRAY_TASK_MAX: '15' },
    says: 'the numbers of this Slurm array have holes',
  },
  {
    name: 'a Slurm array of one task of several that is run again',
    text: 'auto',
    env: {
      SLURM_ARRAY_TASK_ID: '5',
      SLURM_ARRAY_TASK_MIN: '5',
      SLURM_ARRAY_TASK_MAX: '5',
      SLURM_ARRAY_TASK_COUNT: '1',
    },
    says: 'the numbers of this Slurm array have holes',
  },
  {
    name: 'a variable that is no number',
    text: 'auto',
    env: { CI_NODE_INDEX: '\u001b[1m', CI_NODE_TOTAL: '2' },
    says: 'CI_NODE_INDEX is',
  },
  { name: 'part 0', text: '0/3', env: {}, says: 'there is no part 0 of 3' },
  { name: 'a part alone', text: '2', env: {}, says: '--shard takes i/n, auto or auto/n' },
])('$name is a usage error', ({ text, env, says }) => {
  expect(() => parseShard(text, env)).toThrow(says);
});
