/**
 * Measures what a person feels of a chat: how soon a key is on the screen, how long a paste takes, how long the prompt
 * takes to come, on a real terminal that python3 makes: wall clock, the floor is `cat` on the same terminal. Then what
 * saved conversations cost, in CPU time. Figures are reported, and only one far over its goal is called failed. Ends
 * with 1 only when something could not be measured.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { median } from './cpu.mjs';
import { benchHistory } from './history.mjs';

const motif = fileURLToPath(new URL('../../bin/motif.js', import.meta.url));
const isQuick = process.argv.includes('--quick');
const keyCount = isQuick ? 300 : 2000;
const startCount = isQuick ? 5 : 21;
/** Machines are noisy; what is called failed is further over its goal than that explains. */
const farOver = 2;
const draftBytes = 100_000;
/** Without colours its two characters stand together. */
const prompt = '> ';
/** Keys of all kinds, in an order that goes to and fro in the text; each of them draws something. */
const keys =
  'x y z|\u001b[D|\u001b[A|\u001b[H|q|\u001b[F|\u007f|\u001bb|\u0014|\u001b[B|\u0017|\u0019|\n|\u007f|\u001bf|\u001f|\u001b[1;5H|w|\u001b[1;5F|v'
    .split('|')
    .flatMap((part) => (part.includes(' ') ? part.split(' ') : [part]));

const folder = mkdtempSync(join(tmpdir(), 'motif-bench-'));
const env = {
  PATH: process.env.PATH,
  TERM: 'xterm-256color',
  LANG: 'C.UTF-8',
  NO_COLOR: '1',
  HOME: folder,
  MOTIF_URL: 'http://127.0.0.1:9/api/v1/apps/bench',
  MOTIF_TOKEN: 'bench-token-0123456789',
  ...(process.env.NODE_EXTRA_CA_CERTS && { NODE_EXTRA_CA_CERTS: process.env.NODE_EXTRA_CA_CERTS }),
};
const tally = { passed: 0, failed: 0 };
const terminal = openTerminal();
try {
  console.log(`${'what'.padEnd(48)}${'p50 ms'.padStart(9)}${'p99 ms'.padStart(9)}   goal`);
  await measureKeys();
  await measurePaste();
  await measureStart();
} finally {
  terminal.close();
  rmSync(folder, { recursive: true, force: true });
}
benchHistory(isQuick ? 3 : 11, tally);
console.log(`${tally.passed} passed, ${tally.failed} failed`);

async function measureKeys() {
  await terminal.ask('start', 'sh', '-c', 'stty raw -echo; printf ready; exec cat');
  await terminal.ask('wait', 'ready');
  report('floor: a key through cat', await press(Array.from({ length: keyCount }, () => 'x')));
  await terminal.ask('end');
  const lines = Array.from({ length: draftBytes / 50 }, (_, index) => `line ${index} `.padEnd(49, 'word ')).join('\r');
  const drafts = {
    'an empty draft': '',
    '100 kB in 2,000 lines': lines,
    '100 kB in one line': 'word '.repeat(draftBytes / 5),
    '100 kB of wide characters in one line': '日本語の文'.repeat(draftBytes / 15),
  };
  for (const [name, text] of Object.entries(drafts)) {
    await startChat();
    if (text !== '') await paste(text);
    const all = Array.from({ length: keyCount }, (_, index) => keys[index % keys.length]);
    report(`a key, ${name}`, await press(all), 10);
    await terminal.ask('end');
  }
}

async function measurePaste() {
  const times = [];
  for (let round = 0; round < (isQuick ? 3 : 9); round += 1) {
    await startChat();
    times.push(await paste('A paste of many lines, one of which is this one.\r'.repeat(20_972)));
    await terminal.ask('end');
  }
  report('a paste of 1 MiB, until its end is seen', times, 1000);
}

/** The program may read, but not send: nothing listens at its address. */
async function measureStart() {
  const empty = join(folder, 'empty.cjs');
  writeFileSync(empty, 'process.stdout.write("done")');
  const times = { bare: [], chat: [], demo: [] };
  for (let round = 0; round <= startCount; round += 1) {
    const found = {
      bare: await startUntil('done', process.execPath, empty),
      chat: await startUntil(prompt, process.execPath, motif, 'chat'),
      demo: await startUntil(prompt, process.execPath, motif, 'chat', '--demo'),
    };
    // The first round only warms the caches.
    if (round > 0) for (const [name, ms] of Object.entries(found)) times[name].push(ms);
  }
  report('bare Node, until it has written', times.bare);
  report('motif chat, until the prompt is seen', times.chat, 2 * median(times.bare));
  report('motif chat --demo, until the prompt is seen', times.demo);
  console.log(`start to prompt: ${(median(times.chat) / median(times.bare)).toFixed(2)} of bare Node (goal 2.00)`);
}

async function startUntil(mark, ...command) {
  await terminal.ask('start', ...command);
  const ms = await terminal.ask('wait', mark);
  await terminal.ask('end');
  return ms;
}

async function startChat() {
  await terminal.ask('start', process.execPath, motif, 'chat', '--no-save');
  await terminal.ask('wait', prompt);
}

/** The mark is the paste's last word, which is seen once all of it is drawn. */
async function paste(text) {
  const mark = 'endmark';
  return await terminal.ask('send', `\u001b[200~${text}${mark}\u001b[201~`, mark);
}

async function press(all) {
  const times = [];
  for (const key of all) times.push(await terminal.ask('key', key));
  return times;
}

function report(what, times, goal) {
  const isMeasured = times.length > 0 && times.every(Number.isFinite);
  const sorted = times.toSorted((a, b) => a - b);
  const p50 = median(sorted);
  const p99 = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.99))];
  const judged = goal === undefined || times.length > 100 ? p99 : p50;
  const isFailed = !isMeasured || (goal !== undefined && judged > goal * farOver);
  if (!isMeasured) process.exitCode = 1;
  tally[isFailed ? 'failed' : 'passed'] += 1;
  const verdict = goal === undefined ? '' : `   ${goal.toFixed(0).padStart(4)}${judged > goal ? '  over' : ''}`;
  const figures = isMeasured ? p50.toFixed(2).padStart(9) + p99.toFixed(2).padStart(9) : 'not measured'.padStart(18);
  console.log(`${what.padEnd(48)}${figures}${verdict}`);
}

/** One question after the other, and a number for each: milliseconds, or NaN for what never came. */
function openTerminal() {
  const child = spawn('python3', [fileURLToPath(new URL('terminal.py', import.meta.url))], {
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const answers = createInterface(child.stdout)[Symbol.asyncIterator]();
  return {
    async ask(name, ...words) {
      child.stdin.write(`${[name, ...words.map((word) => Buffer.from(word).toString('base64'))].join(' ')}\n`);
      const { value } = await answers.next();
      return Number(value === '-' ? NaN : value);
    },
    close: () => void child.stdin.end(),
  };
}
