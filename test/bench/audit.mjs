/**
 * `npm run bench:audit`: how fast `motif admin audit` reads, of the speed of a program that splits the same file, the
 * same gzip or the same pipe into lines with JSON.parse on each, and how its memory grows with the file. `--gigabyte`
 * reads 1 GB instead of 64 MB, once.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createGzip } from 'node:zlib';
import { pipeline } from 'node:stream/promises';
import { median } from './cpu.mjs';

const program = fileURLToPath(new URL('../../bin/motif.js', import.meta.url));
const isLarge = process.argv.includes('--gigabyte');
const bytesWanted = isLarge ? 1e9 : 64e6;
const rounds = isLarge ? 1 : 5;
const linesPerSeal = 20_000;
const memoryMbMax = 200;

const parseProgram = `import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
const name = process.argv[2];
const file = name === '-' ? process.stdin : createReadStream(name);
let rest = Buffer.alloc(0);
let count = 0;
for await (const chunk of name.endsWith('.gz') ? file.pipe(createGunzip()) : file) {
  const piece = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
  let start = 0;
  for (let end = piece.indexOf(10); end !== -1; end = piece.indexOf(10, start)) {
    count += JSON.parse(piece.toString('utf8', start, end)).status ?? 0;
    start = end + 1;
  }
  rest = piece.subarray(start);
}
console.log(count);
`;

const folder = mkdtempSync(join(tmpdir(), 'motif-bench-audit-'));
try {
  const file = join(folder, 'audit.jsonl');
  const lines = await writeAudit(file);
  await pipeline(createReadStream(file), createGzip({ level: 1 }), createWriteStream(`${file}.gz`));
  writeFileSync(join(folder, 'parse.mjs'), parseProgram);
  console.log(`${lines.toLocaleString('en-US')} lines, ${Math.round(bytesWanted / 1e6)} MB`);
  const verbs = {
    parse: [join(folder, 'parse.mjs'), file],
    'parse of gzip': [join(folder, 'parse.mjs'), `${file}.gz`],
    'parse of a pipe': [join(folder, 'parse.mjs'), '-'],
    list: [program, 'admin', 'audit', 'list', '--decision', 'block', '--jsonl', file],
    stats: [program, 'admin', 'audit', 'stats', '--by', 'team,model', '--policy', 'no-pii', file],
    verify: [program, 'admin', 'audit', 'verify', file],
    lookup: [program, 'admin', 'audit', '01ZZZZ', file],
    'stats of gzip': [program, 'admin', 'audit', 'stats', `${file}.gz`],
    'verify of gzip': [program, 'admin', 'audit', 'verify', `${file}.gz`],
    'stats of a pipe': [program, 'admin', 'audit', 'stats', '-'],
    'verify of a pipe': [program, 'admin', 'audit', 'verify', '-'],
  };
  const found = Object.fromEntries(Object.keys(verbs).map((name) => [name, { seconds: [], mb: 0 }]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, words] of Object.entries(verbs)) {
      const { seconds, mb } = measured(words, name.endsWith('pipe') ? file : undefined);
      found[name].seconds.push(seconds);
      found[name].mb = Math.max(found[name].mb, mb);
    }
  }
  for (const [name, { seconds, mb }] of Object.entries(found)) {
    const floor = ['parse of gzip', 'parse of a pipe'].find((each) => name.endsWith(each.slice('parse'.length)));
    const speeds = seconds.map((each, round) => found[floor ?? 'parse'].seconds[round] / each);
    const speed = median(speeds);
    console.log(
      `  ${name.padEnd(16)} ${median(seconds).toFixed(2)} s CPU  ${speed.toFixed(2)} of JSON.parse ` +
        `(${Math.min(...speeds).toFixed(2)} to ${Math.max(...speeds).toFixed(2)})  ${mb} MB`,
    );
    if (name.startsWith('parse')) continue;
    if (mb > memoryMbMax) fail(`${name} takes ${mb} MB, more than ${memoryMbMax}`);
    if (speed < 0.5) fail(`${name} is slower than half of JSON.parse`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function fail(reason) {
  console.log(`MISSED ${reason}`);
  process.exitCode = 1;
}

/** CPU seconds and the most memory of a run, by the shell's own clock. */
function measured(words, stdin) {
  const script = `cat ${stdin ?? '/dev/null'} | { "$0" "$@"; times; }`;
  const probe = `process.on('exit', () => process.stderr.write('\\nRSS ' + process.resourceUsage().maxRSS + '\\n'))`;
  const probeFile = join(folder, 'probe.cjs');
  writeFileSync(probeFile, probe);
  const run = spawnSync('bash', ['-c', script, process.execPath, '--require', probeFile, ...words], {
    encoding: 'utf8',
    maxBuffer: 1e9,
  });
  const times = run.stdout.trimEnd().split('\n').at(-1).split(' ');
  const seconds = times.reduce(
    (sum, each) => sum + Number(/m([\d.]+)s/.exec(each)[1]) + 60 * Number(each.split('m')[0]),
    0,
  );
  return { seconds, mb: Math.round(Number(/RSS (\d+)/.exec(run.stderr)[1]) / 1024) };
}

/** As `motif serve` writes it: one writer, with seals. */
async function writeAudit(path) {
  const stream = createWriteStream(path);
  const writer = 'aabbccddeeff';
  let before = null;
  let hash = createHash('sha256');
  let first = 1;
  let number = 0;
  let bytes = 0;
  const random = (from) => from[number % from.length];
  const motifs = JSON.stringify({ 'support-bot': { policies: ['no-pii'] } });
  let text = `{"event":"config","time":"2026-10-01T00:00:00.000Z","hash":"6f687eb0","motifs":${motifs}`;
  while (bytes < bytesWanted) {
    number += 1;
    const line = `${text},"writer":"${writer}","line":${number}}\n`;
    hash.update(line);
    bytes += line.length;
    if (!stream.write(line)) await once(stream, 'drain');
    if (number % linesPerSeal === 0) {
      const facts = { event: 'seal', time: '2026-10-01T00:00:00.000Z', writer, first, last: number, before };
      const head = `${JSON.stringify(facts).slice(0, -1)},"sha256":"`;
      const sha256 = hash.update(head).digest('hex');
      stream.write(`${head}${sha256}"}\n`);
      [before, first, hash] = [sha256, number + 1, createHash('sha256')];
    }
    const time = new Date(Date.UTC(2026, 9, 1) + number * 1000).toISOString();
    const id = `01M8${String(number).padStart(22, '0')}`;
    const rules =
      number % 100 === 0
        ? [
            {
              policy: 'no-pii',
              rule: 'card',
              on: 'prompt',
              action: 'block',
              message: 1,
              start: 4,
              length: 19,
              place: null,
            },
          ]
        : [];
    const decision = rules.length > 0 ? 'block' : 'pass';
    text =
      `{"time":"${time}","prompt_id":"${id}","motif":"support-bot","team":"${random(['support', 'sales'])}","token_id":"t1",` +
      `"user":"${random(['ana', 'bo', 'cyd'])}","tenant":"acme-7f3a","decision":"${decision}","rules":${JSON.stringify(rules)},"action":${rules.length > 0 ? '"block"' : null},` +
      `"provider":"openai","model":"gpt-5-mini","model_answered":"gpt-5-mini-2026-08-01","provider_request_id":"req_${number}",` +
      `"fallback":false,"usage":{"prompt_tokens":${200 + (number % 97)},"completion_tokens":50,"total_tokens":250},` +
      `"ms":{"policy":0.084,"provider":${700 + (number % 501)},"total":702.5},"status":200,"reason":null,"traceparent":null,"config":"6f687eb0"`;
  }
  stream.end();
  await once(stream, 'finish');
  return number;
}
