import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { service } from '../../support/service.ts';
import { motif, type Run } from '../../support/motif.ts';
import '../../support/rooms/gateway-loaded.ts';

const read = (run: Run, name: string) => readFileSync(join(run.world.folder, name), 'utf8');

describe('check add --contains', () => {
  const has = ['check', 'add', '--demo', 'Opening hours?', '--contains'];
  test.each([
    { name: 'one text', argv: [...has, 'monday'], adds: '    answer:\n      contains: monday\n', says: 'answered\n' },
    {
      name: 'several, and one that it must not hold',
      argv: [...has, 'a, b', '--contains', 'c', '--not-contains', 'refund'],
      adds: '    answer:\n      contains: ["a, b", c]\n      not_contains: refund\n',
    },
    {
      name: 'a case without, which is another one',
      argv: [...has, 'monday'],
      files: { 'smoke.motif.yaml': 'cases:\n  - { id: a, prompt: Opening hours? }\n' },
      adds: '  - { id: opening-hours, prompt: Opening hours?, answer: { contains: monday } }\n',
    },
    {
      name: 'a case with the same, which is not added again',
      argv: [...has, 'monday'],
      files: { 'smoke.motif.yaml': 'cases:\n  - { id: a, prompt: Opening hours?, answer: { contains: monday } }\n' },
      adds: '',
    },
    {
      name: 'a prompt that was blocked, and should have been answered',
      argv: ['check', 'add', '--demo', 'My card is 4111 1111 1111 1111', '--not-contains', '4111'],
      adds: '    answer:\n      not_contains: "4111"\n',
      says: 'expect answered, which it is not yet: it was blocked',
    },
    {
      name: 'an answer that does not meet it now',
      argv: [...has, 'sunrise', '--not-contains', 'monday'],
      adds: '    answer:\n      contains: sunrise\n      not_contains: monday\n',
      says: 'expect answered; it fails with this answer, which lacks "sunrise" and has "monday"\n',
    },
  ])('what the answer must hold: $name', async ({ argv, files = {}, adds, says = '' }) => {
    const before: Readonly<Record<string, string>> = files;
    const run = await motif(argv, { env: {}, files: before });
    expect(run.exitCode).toBe(0);
    expect(run.stderr).toContain(says);
    const text = read(run, 'smoke.motif.yaml');
    const first = before['smoke.motif.yaml'];
    if (first === undefined) expect(text.endsWith(adds)).toBe(true);
    else expect(text).toBe(`${first}${adds}`);
  });

  test.each([
    {
      name: 'a text of an answer that must be blocked',
      argv: ['--not-contains', 'a', '--expect', 'blocked', 'x'],
      says: '--not-contains and --expect blocked do not go together: a blocked prompt has no answer\n',
    },
    {
      name: 'an empty text',
      argv: ['--contains', '', 'x'],
      says: '--contains takes a text that is not empty\n',
    },
  ])('$name: 2, and nothing is asked', async ({ argv, says }) => {
    const asked = service();
    const run = await motif(['check', 'add', ...argv], asked);
    expect(run.exitCode).toBe(2);
    expect(asked.requests).toEqual([]);
    expect(run.stderr).toContain(says);
  });
});
