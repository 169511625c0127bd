import { expect, test } from 'vitest';
import { startMotif } from '../support/processes/program.ts';

const within = ['/bin/sh', '-c', 'gone=$(mktemp -d) && cd "$gone" && rmdir "$gone" && exec "$@"', 'sh'];

test.each([
  {
    argv: ['serve', '--', 'true'],
    code: 12,
    says: 'motif: the working folder is gone\n  go to one that is there: cd\n',
  },
  { argv: ['prompt', '--demo', 'hi'], code: 0, says: '' },
  { argv: ['prompt', '--demo', '-o', 'x', 'hi'], code: 12, says: 'motif: ' },
  { argv: ['check', '--demo'], code: 0, says: '' },
  { argv: ['check'], code: 2, says: 'no suite' },
  { argv: ['check', 'init'], code: 12, says: 'motif: ' },
  { argv: ['admin', 'validate'], code: 2, says: 'gateway.yaml: no such file' },
  { argv: ['batch', '--demo', 'x.txt'], code: 2, says: 'x.txt: no such file' },
])('in a folder that was removed, $argv ends with $code', async ({ argv, code, says }) => {
  const run = await startMotif(argv, { env: { HOME: '/nowhere' }, within }).ended;
  expect(run.code).toBe(code);
  expect(run.stderr).toContain(says);
  expect(run.stderr).not.toContain('unforeseen');
});
