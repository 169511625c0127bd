/**
 * Measures saved conversations: a list and searches of ten thousand, the resume of one with ten thousand turns. User
 * and system time of the whole program, beside a floor that reads and parses every line of the same files. Figures are
 * reported, and only one far over its goal is called failed, after the floor has told how slow the machine is just now.
 * A part of `npm run bench:chat`.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cpuMs, medians } from './cpu.mjs';

const motif = fileURLToPath(new URL('../../bin/motif.js', import.meta.url));
const count = 10_000;
/** What is called failed is further over its goal than chance explains. */
const farOver = 2;
/** The floor where the goals were set. A slower machine raises the line of failure as much as it raises the floor. */
const floorThereMs = 480;
const readEveryLine = `
  const { readdirSync, readFileSync } = require('node:fs');
  for (const name of readdirSync(process.argv[1])) {
    if (!name.endsWith('.jsonl')) continue;
    for (const line of readFileSync(process.argv[1] + '/' + name, 'utf8').split('\\n')) if (line !== '') JSON.parse(line);
  }`;
const words =
  'kettle return policy receipt shipping order late refund handbook opening hours free weight für Geräte Café'.split(
    ' ',
  );

const root = mkdtempSync(join(tmpdir(), 'motif-bench-'));
const env = { PATH: process.env.PATH, HOME: root, XDG_STATE_HOME: root };

export function benchHistory(rounds, tally) {
  try {
    const folder = join(root, 'motif/conversations');
    mkdirSync(folder, { recursive: true });
    const bytes = fill(folder);
    const longest = writeConversation(folder, 'longest', { turns: count, at: Date.UTC(2027, 0) });
    console.log(`\n${count} conversations of 5 turns (${size(bytes)}), and one of ${count} turns (${size(longest)})`);
    console.log(`${'what'.padEnd(46)}${'CPU ms'.padStart(8)}   goal`);
    measure(folder, rounds, tally);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function measure(folder, rounds, tally) {
  const run = (...args) => ({ command: [process.execPath, motif, ...args], env });
  const first = [1, 2, 3].map(() => {
    rmSync(join(folder, 'summaries.json'), { force: true });
    return cpuMs(run('history', 'list').command, env);
  });
  const rows = {
    list: { what: 'history list', goal: 300, ...run('history', 'list') },
    json: { what: 'history list --json', ...run('history', 'list', '--json') },
    rare: { what: 'history search, a word of one conversation', goal: 1500, ...run('history', 'search', 'zebra') },
    common: {
      what: 'history search, two words of them all',
      goal: 1500,
      ...run('history', 'search', 'cafe', 'gerate'),
    },
    phrase: { what: 'history search, a phrase', goal: 1500, ...run('history', 'search', 'free shipping') },
    resume: { what: `prompt -c, after ${count} turns`, goal: 500, ...run('prompt', '--dry-run', '-c', 'hello') },
    complete: { what: 'Tab after --conversation', ...run('completion', 'words', '--', 'prompt', '--conversation', '') },
    floor: { what: 'floor: every line read and parsed', command: [process.execPath, '-e', readEveryLine, folder], env },
    bare: { what: 'bare Node', command: [process.execPath, '-e', '0'], env },
  };
  const { medianMs, faults } = medians(rows, rounds);
  const slowness = Math.max(1, medianMs.floor / floorThereMs);
  report(tally, 'history list, nothing known beforehand', first.sort((a, b) => a - b)[1]);
  for (const [name, { what, goal }] of Object.entries(rows)) report(tally, what, medianMs[name], goal, slowness);
  for (const [name, fault] of faults) console.log(`${rows[name].what} could not be measured: ${fault}`);
  if (faults.size > 0) process.exitCode = 1;
}

function report(tally, what, ms, goal, slowness = 1) {
  const isFailed = ms === null || (goal !== undefined && ms > goal * farOver * slowness);
  tally[isFailed ? 'failed' : 'passed'] += 1;
  const verdict = goal === undefined ? '' : `${String(goal).padStart(5)}${ms > goal ? '  over' : ''}`;
  console.log(`${what.padEnd(46)}${(ms === null ? '-' : ms.toFixed(0)).padStart(8)}  ${verdict}`);
}

function fill(folder) {
  let bytes = 0;
  for (let index = 0; index < count; index += 1) {
    const id = `c${String(index).padStart(9, '0')}`;
    bytes += writeConversation(folder, id, { turns: 5, at: Date.UTC(2026, 0) + index * 60_000, seed: index + 1 });
  }
  return bytes;
}

/** The same texts in every run. */
function writeConversation(folder, id, { turns, at, seed = 1 }) {
  let state = seed;
  const draw = () => {
    state = Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9;
    return words[(state >>> 8) % words.length];
  };
  const text = (length) => Array.from({ length }, draw).join(' ');
  const created = new Date(at).toISOString();
  const title = `${text(5)} ${id}`;
  const lines = [{ v: 1, id, title, created, motif_id: 'support-bot', profile: 'work' }];
  for (let turn = 0; turn < turns; turn += 1) {
    const usage = { prompt_tokens: 40, completion_tokens: 110, total_tokens: 150 };
    const facts = { prompt_id: '01JD3K9V5T8W2Q4X6Z7A1B2C3D', finish_reason: 'stop', usage, elapsed_ms: 812 };
    const name = `${id}-${turn}`;
    lines.push({ kind: 'message', turn: name, role: 'user', content: text(20) });
    lines.push({ kind: 'message', turn: name, role: 'assistant', content: `${text(40)}\n\n${text(40)}` });
    lines.push({
      kind: 'outcome',
      turn: name,
      time: new Date(at + turn * 1000).toISOString(),
      blocked: false,
      ...facts,
    });
  }
  if (id.endsWith('777')) lines[1].content += ' zebra';
  const content = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  writeFileSync(join(folder, `${id}.jsonl`), content);
  return Buffer.byteLength(content);
}

function size(bytes) {
  return `${(bytes / 1_048_576).toFixed(1)} MiB`;
}
