import { expect, test } from 'vitest';
import { filesHolding, logIn } from '../../support/rooms/login.ts';
import { testToken, testUrl } from '../../support/motif.ts';

test.each([
  ['Bearer before it', `Bearer ${testToken}`, 'the token must come without "Bearer " before it'],
  ['quotes around it', `"${testToken}"`, 'the token stands in quotes: take them off'],
  ['a blank in it', 'not a token', 'the token holds a space at position 4'],
])('with %s it is asked for again', async (_name, typed, says) => {
  const run = await logIn([testUrl, '--no-verify'], {
    stdin: { typed: [`${typed}\r`, `${testToken}\r`] },
    stderr: { columns: 200 },
  });
  expect(run).toMatchObject({ exitCode: 0 });
  expect(run.stderr).toContain(`motif: ${says}\n`);
  expect(run.stderr.match(/^Token \(not shown\): /gm)).toHaveLength(2);
  expect(run.stderr).not.toContain(testToken);
  expect(filesHolding(run.world.home ?? '', testToken)).toHaveLength(1);
});

test('an address that is none is asked for again', async () => {
  const run = await logIn(['--no-verify'], {
    stdin: { typed: ['support-bot\n', `${testUrl}\n`, `${testToken}\r`] },
    stderr: { columns: 200 },
  });
  expect(run).toMatchObject({ exitCode: 0 });
  expect(run.stderr.match(/^Address: /gm)).toHaveLength(2);
});
