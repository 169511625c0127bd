/**
 * Kills `motif batch -o` again and again and edits its input in between, until all rows are there; then holds the
 * output and the service's journal against the input. Prints what it found as JSON. `node batch-kill.mjs ROWS KILLS`.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const [rows, kills] = process.argv.slice(2).map(Number);
const concurrency = 8;
const folder = mkdtempSync(join(tmpdir(), 'motif-kill-'));
const journal = new Map();
const server = createServer((request, response) => {
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => {
    const { content } = JSON.parse(Buffer.concat(parts).toString()).messages[0];
    journal.set(content, (journal.get(content) ?? 0) + 1);
    response.end(JSON.stringify({ blocked: false, response: `re: ${content}` }));
  });
});
await new Promise((done) => server.listen(0, '127.0.0.1', done));

const lines = Array.from({ length: rows }, (_, index) => `row ${index}`);
const removed = [];
let killed = 0;
try {
  for (let edits = 0; ; edits++) {
    writeFileSync(join(folder, 'in.txt'), `${lines.join('\n')}\n`);
    const code = await run(killed < kills ? random(20, 700) : undefined);
    if (code === null) killed += 1;
    else if (code !== 0) throw new Error(`ended with ${code}`);
    else if (killed >= kills) break;
    else rmSync(join(folder, 'out.jsonl'));
    if (code === 0) journal.clear();
    edit(edits);
  }
  const output = readFileSync(join(folder, 'out.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const inOrder = output.filter(({ index }) => index !== null);
  const wrong = lines.filter(
    (line, index) => inOrder[index]?.index !== index || inOrder[index].response !== `re: ${line}`,
  );
  const repeated = [...journal.values()].reduce((sum, count) => sum + count - 1, 0);
  const extra = output.length - lines.length;
  console.log(
    JSON.stringify({
      rows: lines.length,
      killed,
      wrong: wrong.length,
      extra,
      repeated,
      mayRepeat: killed * concurrency,
    }),
  );
} finally {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true, force: true });
}

/** Takes a row out, puts a new one in, and moves one. */
function edit(count) {
  const [gone] = lines.splice(random(0, lines.length - 1), 1);
  removed.push(gone);
  lines.splice(random(0, lines.length), 0, `new ${count}`);
  if (removed.length > 5) lines.splice(random(0, lines.length), 0, removed.shift());
  const [moved] = lines.splice(random(0, lines.length - 1), 1);
  lines.push(moved);
}

function run(killAfterMs) {
  return new Promise((done) => {
    const words = [
      'bin/motif.js',
      'batch',
      join(folder, 'in.txt'),
      '-o',
      join(folder, 'out.jsonl'),
      '-q',
      '-j',
      `${concurrency}`,
    ];
    const url = `http://127.0.0.1:${server.address().port}/api/v1/apps/kill`;
    const env = { PATH: process.env.PATH, MOTIF_URL: url, MOTIF_TOKEN: 'mtf_kill' };
    const child = spawn(process.execPath, words, {
      cwd: resolve(import.meta.dirname, '../..'),
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const timer = killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs);
    child.once('exit', (code) => {
      clearTimeout(timer);
      done(code);
    });
  });
}

function random(from, to) {
  return from + Math.floor(Math.random() * (to - from + 1));
}
