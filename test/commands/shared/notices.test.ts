import { expect, test } from 'vitest';
import { createNotice } from '../../../src/commands/shared/notices.ts';
import { createRedactor } from '../../../src/text/redact.ts';

test.each([
  { name: 'a path', text: 'saved in /home/ana/talk.jsonl', terminal: 'saved in ~/talk.jsonl' },
  { name: 'a path in brackets', text: 'stored (/home/ana/a.json): done', terminal: 'stored (~/a.json): done' },
  { name: 'a command that works as typed', text: 'rm /home/ana/a.lock', terminal: 'rm ~/a.lock' },
  { name: 'a quoted path, which a shell takes as it is', text: "chmod 600 '/home/ana/my file'" },
  { name: 'a path behind an equals sign', text: 'motif serve --config=/home/ana/gateway.yaml' },
  { name: 'the folder of somebody else', text: 'no such file: /home/anais/a, /srv/home/ana/a' },
  { name: 'the home itself', text: 'nothing in /home/ana' },
])('$name: ~ stands for the home on a terminal alone', ({ text, terminal = text }) => {
  expect(said(text, true)).toBe(`motif: ${terminal}\n`);
  expect(said(text, false)).toBe(`motif: ${text}\n`);
});

function said(text: string, isTerminal: boolean): string {
  let written = '';
  const stderr = {
    isTerminal,
    columns: 200,
    write(chunk: string | Uint8Array) {
      written += String(chunk);
      return Promise.resolve();
    },
  };
  createNotice({ stderr, redactor: createRedactor(), home: '/home/ana' }, {})(text);
  return written;
}
