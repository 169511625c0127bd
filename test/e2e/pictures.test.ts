import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createHome, type Home } from '../support/processes/home.ts';
import { program } from '../support/processes/program.ts';
import { noPty, openPty, type Pty } from '../support/terminals/pty.ts';
import { toPicture } from '../support/terminals/terminal-picture.ts';
import { VirtualScreen } from '../support/terminals/virtual-screen.ts';

/**
 * The pictures of the README: real runs on a real terminal. `npm run pictures` makes them anew; here they are made
 * again and compared.
 */
const columns = 96;

interface Scene {
  readonly name: string;
  readonly title: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}

interface Step {
  readonly command: string;
  /** Run as a person types it: waits for the first, types the second. */
  readonly typed?: readonly (readonly [shown: string, keys: string])[];
}

const gatewayFile = `providers: { mock: { kind: mock, mode: quote } }
policies:
  no-pii: { kind: pii, entities: [card, iban, phone] }
  no-secrets: { kind: secrets, action: redact }
motifs: { support-bot: { provider: mock, policies: [no-pii, no-secrets] } }
`;

const suite = `name: Policies
cases:
  - { id: greets, prompt: Say hello, expect: answered }
  - { id: order, prompt: Where is order 1042?, expect: answered }
  - { id: card, prompt: My card is 4111 1111 1111 1111, expect: blocked }
`;

const scenes: readonly Scene[] = [
  {
    name: 'first-session',
    title: 'A prompt that is answered, one that is blocked, and why',
    steps: [
      { command: 'motif prompt --demo "How long can I return a kettle?"' },
      { command: 'motif prompt --demo "Refund my card 4111 1111 1111 1111"' },
      { command: 'motif admin try --demo "Refund my card 4111 1111 1111 1111"' },
    ],
  },
  {
    name: 'chat',
    title: 'A chat with a block in it',
    steps: [
      {
        command: 'motif chat --demo --no-save',
        typed: [
          ['leaves', 'How long can I return a kettle?\r'],
          ['in 1 turn', 'Refund my card 4111 1111 1111 1111\r'],
          ['a blocked text i', '\u0004'],
        ],
      },
    ],
  },
  {
    name: 'check',
    title: 'A table of cases, one of which fails',
    files: {
      'cases.csv': `id,prompt,expect,contains
returns,How long can I return a kettle?,answered,30 days
shipping,Do you ship for free?,answered,from 25 euros
card,My card is 4111 1111 1111 1111,blocked,
`,
    },
    steps: [{ command: 'motif check cases.csv --demo' }],
  },
  {
    name: 'prove',
    title: 'The policies that no case of a suite tests',
    files: { 'gateway.yaml': gatewayFile, 'policies.motif.yaml': suite },
    steps: [{ command: 'motif check --local gateway.yaml --prove' }],
  },
  {
    name: 'batch',
    title: 'A prompt for each row of a table',
    files: {
      'tickets.csv': 'id,text\n1,The kettle leaks\n2,My card is 4111 1111 1111 1111\n3,Do you ship for free?\n',
      'classify.txt': 'Classify this ticket: ${text}\n',
    },
    steps: [{ command: 'motif batch tickets.csv -t classify.txt -o out.jsonl --demo' }],
  },
];

describe.skipIf(noPty)(`pictures ${noPty ?? ''}`, () => {
  test.each(scenes)('$name', async ({ name, title, files = {}, steps }) => {
    const home = createHome();
    for (const [file, content] of Object.entries(files)) {
      mkdirSync(home.root, { recursive: true });
      writeFileSync(join(home.root, file), content);
    }
    const screen = new VirtualScreen(columns, 60);
    for (const { command, typed = [] } of steps) {
      screen.write(`\u001b[1m$ ${command}\u001b[0m\r\n`);
      screen.write(settled(await runOn(home, command, typed), home));
    }
    const rows = screen.painted.slice(
      0,
      screen.painted.findLastIndex((row) => row.some(({ text }) => text.trim())) + 1,
    );
    const picture = toPicture(title, rows, columns);
    expect(Buffer.byteLength(picture)).toBeLessThan(60_000);
    await expect(picture).toMatchFileSnapshot(resolve(`.github/pictures/${name}.svg`));
  });
});

async function runOn(home: Home, command: string, typed: NonNullable<Step['typed']>): Promise<string> {
  const words = [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '').slice(1);
  const inFolder = ['sh', '-c', 'cd "$1" && shift && exec "$@"', 'sh', home.root, ...program, ...words];
  const pty: Pty = openPty(inFolder, { env: home.env, columns, rows: 60 });
  let after = 0;
  for (const [shown, keys] of typed) {
    await pty.says(shown, after);
    after = pty.shown().length;
    pty.type(keys);
  }
  return (await pty.ended).shown;
}

/** A time, and the blanks before what stands at the right edge. */
const timed = /\b(\d+(?:\.\d+)? (?:ms|s))\b((?:\u001b\[\d+m(?=(?:\u001b\[\d+m)* {2}))*)((?: {2,})?)/g;

/**
 * As many blanks as keep the right edge where it is when the time becomes `4 ms`. Two are the least there are: the line
 * is longer than its right edge then, and grows with the time (`1 s`, `0.9 s`).
 */
function fitted(blanks: string, time: string): string {
  return blanks.length <= 2 ? blanks : ' '.repeat(blanks.length + time.length - '4 ms'.length);
}

/** Without what differs from run to run: identifiers, times and the folder of the run. */
function settled(shown: string, { root }: Home): string {
  return shown
    .replaceAll(root, '~')
    .replace(/\b01[0-9A-HJKMNP-TV-Z]{24}\b/g, '01JD3K9V5T8W2Q4X6Z7A1B2C3D')
    .replace(/…[0-9A-HJKMNP-TV-Z]{6}\b/g, '…B2C3D4')
    .replace(timed, (_, time: string, colours: string, blanks: string) => `4 ms${colours}${fitted(blanks, time)}`);
}
