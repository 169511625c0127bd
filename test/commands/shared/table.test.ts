import { expect, test } from 'vitest';
import { printRows } from '../../../src/commands/shared/table.ts';
import { createRedactor } from '../../../src/text/redact.ts';
import { createFakeOutput } from '../../support/fake-output.ts';

const rows = [
  ['looked', 'no-pii', 'for email and card: nothing has the form of one'],
  ['read', 'message 1', 'as sent'],
  ['one'],
];

async function printed(columns?: number): Promise<string> {
  const stdout = createFakeOutput(1, columns === undefined ? {} : { columns });
  await printRows(rows, { stdout, redactor: createRedactor() });
  return stdout.text;
}

test('a pipe gets each row on a line of its own', async () => {
  expect(await printed()).toBe(
    'looked  no-pii     for email and card: nothing has the form of one\nread    message 1  as sent\none\n',
  );
});

test('on a terminal a long row goes on below its last cell, and breaks between words alone', async () => {
  expect(await printed(50)).toBe(
    `looked  no-pii     for email and card: nothing has\n${' '.repeat(19)}the form of one\nread    message 1  as sent\none\n`,
  );
});

test('where that leaves too little room it goes on near the margin', async () => {
  expect(await printed(30)).toBe(
    'looked  no-pii     for email\n  and card: nothing has the\n  form of one\nread    message 1  as sent\none\n',
  );
});
