import { describe, expect, test } from 'vitest';
import { motif } from '../support/motif.ts';
import { prompt } from '../support/rooms/prompt.ts';
import { blocked, refused, service } from '../support/service.ts';

const failing = (status: number) => () => service({ status, body: { error: 'the reason' } });
const answered = () => service();
const blocking = () => service({ body: blocked });

describe('a reader that has gone changes no verdict', () => {
  test.each([
    { name: 'an answer', argv: [], reply: answered, exitCode: 0, says: '' },
    { name: 'an answer as a document', argv: ['--json'], reply: answered, exitCode: 0, says: '' },
    { name: '401', argv: ['--json'], reply: failing(401), exitCode: 8, says: 'the reason' },
    { name: '401, a field', argv: ['--field', 'response'], reply: failing(401), exitCode: 8, says: 'the reason' },
    { name: '500', argv: ['--json'], reply: failing(500), exitCode: 5, says: 'the reason' },
    { name: 'a refused connection', argv: ['--json'], reply: () => service(refused()), exitCode: 6, says: 'refused' },
    { name: 'a block', argv: [], reply: blocking, exitCode: 10, says: 'blocked by policy' },
    { name: 'a block as a document', argv: ['--json'], reply: blocking, exitCode: 10, says: 'blocked by policy' },
    {
      name: 'an expected block',
      argv: ['--json', '--expect', 'blocked'],
      reply: blocking,
      exitCode: 0,
      says: 'blocked by policy',
    },
    {
      name: 'an answer where a block was expected',
      argv: ['--expect', 'blocked'],
      reply: answered,
      exitCode: 1,
      says: '--expect',
    },
    {
      name: 'the same as a document',
      argv: ['--json', '--expect', 'blocked'],
      reply: answered,
      exitCode: 1,
      says: '--expect',
    },
    { name: 'an answer that has no file', argv: ['-o', '/dev/full'], reply: answered, exitCode: 12, says: '/dev/full' },
    { name: 'a usage error', argv: ['--json', '--nope'], reply: answered, exitCode: 2, says: '--nope' },
  ])('$name: exit $exitCode', async ({ argv, reply, exitCode, says }) => {
    const run = await prompt(['hi', ...argv], { stdout: { fails: 'closed' } }, reply());
    expect(run.exitCode).toBe(exitCode);
    expect(run.stderr).toContain(says);
    expect(run.stderr).not.toContain('on stdout instead');
  });

  test.each([['whoami'], ['whoami', '--json'], ['doctor'], ['doctor', '--json']])('%s %s', async (...argv) => {
    const run = await motif(argv, { env: {}, stdout: { fails: 'closed' } });
    expect(run.exitCode).toBe(3);
    expect(run.stderr).toMatch(/^motif: \S/m);
  });
});

describe('a stdout that is full is told of, but it does not hide what else went wrong', () => {
  test.each([
    { name: 'an answer', argv: [], reply: answered, exitCode: 12, says: 'stdout could not be written' },
    { name: 'a document', argv: ['--json'], reply: answered, exitCode: 12, says: 'stdout could not be written' },
    { name: '401', argv: ['--json'], reply: failing(401), exitCode: 8, says: 'the reason' },
    { name: 'a block', argv: ['--json'], reply: blocking, exitCode: 10, says: 'blocked by policy' },
    { name: 'not what was expected', argv: ['--expect', 'blocked'], reply: answered, exitCode: 1, says: '--expect' },
    { name: 'a usage error', argv: ['--json', '--nope'], reply: answered, exitCode: 2, says: '--nope' },
  ])('$name: exit $exitCode', async ({ argv, reply, exitCode, says }) => {
    const run = await prompt(['hi', ...argv], { stdout: { fails: 'full' } }, reply());
    expect(run.exitCode).toBe(exitCode);
    expect(run.stderr).toContain(says);
    expect(run.stderr.match(/stdout could not be written/g)).toHaveLength(1);
  });

  test.each([['whoami', '--json'], ['doctor']])('%s', async (...argv) => {
    const run = await motif(argv, { env: {}, stdout: { fails: 'full' } });
    expect(run.exitCode).toBe(3);
    expect(run.stderr).toContain('stdout could not be written');
  });
});

test.each([
  { name: 'the command counts, not a word of the prompt', argv: ['whoami', 'prompt', '--json'], isPrompt: false },
  {
    name: 'nor a name that stands earlier in the table',
    argv: ['prompt', 'whoami', 'login', '--nope', '--json'],
    isPrompt: true,
  },
])('the document of a usage error: $name', async ({ argv, isPrompt }) => {
  const { stdout } = await motif(argv);
  expect('prompt_id' in (JSON.parse(stdout) as object)).toBe(isPrompt);
});
