/**
 * `npm run bench:batch`: motif batch beside a bare undici Pool loop that parses the replies and beside `xargs -P 8
 * curl`, over the same rows and the same server, in turn. Rows for each second of CPU of the client alone are compared,
 * so that what else runs on the machine counts for nobody. `--size` is another run: up to three million rows (`--quick`:
 * 100,000), the memory they take, how the time grows, and what a finished file costs. `--rpm` is one more: how much of
 * a limit of 600 a minute is used, named by the flag and learnt from refusals.
 */
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median } from './cpu.mjs';

const top = fileURLToPath(new URL('../..', import.meta.url));
const launcher = join(top, 'bin/motif.js');
const rounds = 7;
const rowsOfRound = 50_000;
const curlRows = 300;
/** Reads files once, line by line, each parsed. */
const reader = `(async () => { for (const file of process.argv.slice(1))
  for await (const line of require('node:readline').createInterface({ input: require('node:fs').createReadStream(file) }))
    JSON.parse(line); })()`;
const folder = mkdtempSync(join(tmpdir(), 'motif-bench-'));
const server = spawn('taskset', ['-c', '1', process.execPath, join(top, 'test/bench/stand-in.mjs')], {
  stdio: ['pipe', 'pipe', 'inherit'],
});
try {
  const port = await new Promise((resolve) => server.stdout.once('data', (data) => resolve(Number(data))));
  const url = `http://127.0.0.1:${port}/api/v1/apps/bench`;
  if (process.argv.includes('--size')) await size(url);
  else if (process.argv.includes('--rpm')) await pace();
  else throughput(url);
} finally {
  server.stdin.end();
  rmSync(folder, { recursive: true, force: true });
}

function throughput(url) {
  const input = writeRows(rowsOfRound);
  const few = writeRows(curlRows);
  const output = join(folder, 'out.jsonl');
  const pool = [process.execPath, join(top, 'test/bench/batch/pool.mjs'), url, input, '8'];
  const kinds = [
    { name: 'pool', rows: rowsOfRound, command: pool },
    { name: 'stdout', rows: rowsOfRound, command: motif(input) },
    { name: 'file', rows: rowsOfRound, command: motif(input, '-o', output) },
    { name: 'curl', rows: curlRows, command: ['bash', '-c', curl(url, few)] },
  ];
  const found = Object.fromEntries(kinds.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    // Each other round backwards, so that none of them always follows the same one.
    for (const { name, rows, command } of round % 2 === 0 ? kinds : kinds.toReversed()) {
      found[name].push(rows / cpu(command, { url }).seconds);
      rmSync(output, { force: true });
    }
  }
  const rates = ratesOf(found, median);
  const best = ratesOf(found, cheapestQuarter);
  for (const { name } of kinds) {
    const all = `${Math.round(Math.min(...found[name]))} to ${Math.round(Math.max(...found[name]))}`;
    console.log(
      `  ${name.padEnd(8)}${Math.round(rates[name])} rows a CPU second (median of ${rounds}; cheapest quarter ${Math.round(best[name])}; ${all})`,
    );
  }
  for (const name of ['stdout', 'file'])
    console.log(`  ${name}, of the bare loop, by the cheapest quarter: ${(best[name] / best.pool).toFixed(2)}`);
  verdict('to stdout, of the bare loop', rates.stdout / rates.pool, { min: 0.7 });
  verdict('to a file, of the bare loop', rates.file / rates.pool, { min: 0.5 });
  verdict('to stdout, times xargs -P 8 curl', rates.stdout / rates.curl, { min: 25 });
}

function ratesOf(found, of) {
  return Object.fromEntries(Object.entries(found).map(([name, values]) => [name, of(values)]));
}

/** The rate that only the quarter of the rounds reached which cost least: what others do meanwhile weighs less in it. */
function cheapestQuarter(rates) {
  const sorted = [...rates].sort((a, b) => b - a);
  return sorted[Math.floor(sorted.length / 4)];
}

/** The first run of a size is also the one whose peak of memory counts. */
async function size(url) {
  const perRow = [];
  const memory = [];
  const memoryToStdout = [];
  const sizes = [1000, 10_000, 100_000];
  if (!process.argv.includes('--quick')) sizes.push(1_000_000, 3_000_000);
  const output = join(folder, 'out.jsonl');
  for (const rows of sizes) {
    const input = writeRows(rows);
    rmSync(output, { force: true });
    const run = cpu(motif(input, '-o', output, '-q'), { url });
    memory.push(run.megabytes);
    perRow.push(run.seconds / rows);
    const toStdout = cpu(motif(input, '-q'), { url });
    console.log(
      `  ${rows} rows: ${run.seconds.toFixed(1)} s of CPU and ${run.megabytes} MB to a file, ${toStdout.seconds.toFixed(1)} s and ${toStdout.megabytes} MB to stdout`,
    );
    memoryToStdout.push(toStdout.megabytes);
  }
  verdict('most memory, MB', Math.max(...memory, ...memoryToStdout), { max: 180 });
  if (sizes.length > 3) {
    const million = (sizes.at(-1) - sizes[2]) / 1_000_000;
    verdict('MB a million rows more, to a file', (memory.at(-1) - memory[2]) / million, { max: 10 });
    verdict('MB a million rows more, to stdout', (memoryToStdout.at(-1) - memoryToStdout[2]) / million, { max: 10 });
  }
  verdict('time of the largest for each row, of that of the size before', perRow.at(-1) / perRow.at(-2), { max: 1.2 });
  const input = join(folder, `rows-${sizes.at(-1)}.jsonl`);
  const again = cpu(motif(input, '-o', output, '-q'), { url });
  const read = cpu([process.execPath, '-e', reader, input, output]);
  console.log(
    `  finished file: ${again.seconds.toFixed(1)} s, ${again.megabytes} MB; to read both: ${read.seconds.toFixed(1)} s`,
  );
  verdict('a finished file again, times reading both once', again.seconds / read.seconds, { max: 3 });
}

/** Services that take 600 in each sixty seconds, for twelve minutes (`--quick`: three), side by side. */
async function pace() {
  const minutes = process.argv.includes('--quick') ? 3 : 12;
  const kinds = [
    { name: 'with --rpm 600', flags: ['--rpm', '600'], saysWhen: true },
    { name: 'learnt from 429 with Retry-After', flags: [], saysWhen: true },
    { name: 'learnt from 429 without it', flags: [], saysWhen: false },
  ];
  const input = writeRows(600 * minutes);
  const found = await Promise.all(kinds.map((kind) => paceOf(kind, input)));
  for (const [at, { elapsedMinutes, refused }] of found.entries()) {
    const { name } = kinds[at];
    verdict(`share of a limit of 600 a minute, ${name}`, minutes / elapsedMinutes, { min: 0.95 });
    verdict(`share of 429, ${name}`, refused / (600 * minutes + refused), { max: 0.01 });
  }
}

async function paceOf({ flags, saysWhen }, input) {
  const times = [];
  let refused = 0;
  const limited = createServer((request, response) => {
    request.resume().on('end', () => {
      const now = Date.now();
      while (times.length > 0 && times[0] <= now - 60_000) times.shift();
      const isFull = times.length >= 600;
      if (isFull) refused += 1;
      else times.push(now);
      const wait = isFull && saysWhen ? { 'retry-after': String(Math.ceil((times[0] + 60_000 - now) / 1000)) } : {};
      response.writeHead(isFull ? 429 : 200, { 'content-type': 'application/json', ...wait });
      response.end(JSON.stringify(isFull ? { error: 'slow down' } : { blocked: false, response: 'yes' }));
    });
  });
  await new Promise((resolve) => limited.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${limited.address().port}/api/v1/apps/bench`;
  const startedAt = performance.now();
  const env = { ...process.env, MOTIF_URL: url, MOTIF_TOKEN: 'mtf_bench' };
  const [command, ...args] = motif(input, '-q', ...flags);
  const child = spawn(command, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const status = await new Promise((resolve) => child.once('exit', resolve));
  limited.close();
  if (status !== 0) throw new Error(`status ${status} from: motif batch ${flags.join(' ')}`);
  return { elapsedMinutes: (performance.now() - startedAt) / 60_000, refused };
}

function motif(input, ...flags) {
  return [process.execPath, launcher, 'batch', input, ...flags];
}

function curl(url, input) {
  const call = `curl -s -o /dev/null -H 'content-type: application/json' -H 'authorization: Bearer mtf_bench' --data-binary @- ${url}/prompts`;
  const body = `'{"messages":[{"role":"user","content":"%s"}]}'`;
  return `seq ${curlRows} | xargs -P 8 -I{} sh -c "printf ${body.replaceAll('"', '\\"')} {} | ${call}" < /dev/stdin; : ${input}`;
}

function writeRows(count) {
  const path = join(folder, `rows-${count}.jsonl`);
  const file = openSync(path, 'w');
  let text = '';
  for (let index = 0; index < count; index++) {
    text += `{"id":${index},"prompt":"How long can I return the kettle of order ${index}, which I bought last week?"}\n`;
    if (text.length > 1 << 20 || index === count - 1) {
      writeSync(file, text);
      text = '';
    }
  }
  closeSync(file);
  if (statSync(path).size === 0) writeFileSync(path, '');
  return path;
}

/** User and system time of a command and its children, and the most memory it had; throws where it failed. */
function cpu(command, { url } = {}) {
  const env = url === undefined ? process.env : { ...process.env, MOTIF_URL: url, MOTIF_TOKEN: 'mtf_bench' };
  const { status, stderr } = spawnSync('/usr/bin/time', ['-f', '%U %S %M', 'taskset', '-c', '0', ...command], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  });
  const [user, system, kilobytes] = stderr.trim().split('\n').at(-1).split(' ').map(Number);
  if (status !== 0) throw new Error(`status ${status} from: ${command.join(' ')}\n${stderr}`);
  return { seconds: user + system, megabytes: Math.round(kilobytes / 1024) };
}

function verdict(what, value, { min = -Infinity, max = Infinity }) {
  const isMet = value >= min && value <= max;
  console.log(
    `${isMet ? 'met   ' : 'MISSED'} ${what}: ${value.toFixed(2)} (${min === -Infinity ? `at most ${max}` : `at least ${min}`})`,
  );
  if (!isMet) process.exitCode = 1;
}
