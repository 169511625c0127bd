/**
 * `npm run bench:soak`: twenty minutes (`--minutes N`, or three with `--quick`; `--tls`) of a gateway with two workers, 2,000
 * Motifs and a megabyte of documents at half of what it can do, while all its Motifs and some documents are changed, a
 * document breaks and heals, tokens are rotated, its audit is rotated with SIGHUP, and slow and dead clients come and
 * go. Prints memory and descriptors over time, and holds that they are flat, so that every version that was replaced is
 * let go, that every answer has one line in the audit, and that its seals verify.
 */
import { execFile, execFileSync, spawn } from 'node:child_process';
import {
  createReadStream,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { median } from './cpu.mjs';
import { freePorts } from './gateway/peers.mjs';
import { IdSet, rough, steady } from './soak/clients.mjs';
import { documentOf, documents, gatewayFile, withVersion } from './soak/files.mjs';

const program = fileURLToPath(new URL('../../bin/motif.js', import.meta.url));
const upstreamProgram = fileURLToPath(new URL('./gateway/upstream.mjs', import.meta.url));
const minutesAt = process.argv.indexOf('--minutes');
const wholeMinutes = process.argv.includes('--quick') ? 3 : 20;
const minutes = minutesAt === -1 ? wholeMinutes : Number(process.argv[minutesAt + 1]);
const isTls = process.argv.includes('--tls');
const samples = 40;
/** The memory of a few versions of the file. If they stayed, each 20 MB in each worker, a hundred would come between. */
const memorySlackMb = 120;
const connections = 16;
const body = JSON.stringify({
  messages: [
    { role: 'user', content: 'Please tell me how long I can return a kettle that I bought last week. '.repeat(7) },
  ],
});

const folder = mkdtempSync(join(tmpdir(), 'motif-soak-'));
const file = join(folder, 'gateway.yaml');
const [upstreamPort, port, adminPort] = await freePorts(3);
const started = [];
let isOver = false;
let tokenFiles = 0;
let failed = 0;
try {
  await main();
} finally {
  isOver = true;
  for (const child of started) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failed > 0 ? 1 : 0;

async function main() {
  writeFileSync(join(folder, 'handbook.md'), '# Returns\n\nKettles can be returned within 30 days.\n');
  mkdirSync(join(folder, 'library'));
  for (const name of documents) writeFileSync(join(folder, name), documentOf(name, 1));
  writeFileSync(file, gatewayFile({ port, adminPort, upstreamPort, isTls }));
  if (isTls) makeCertificate();
  const tokens = { steady: await rotated('steady'), rough: await rotated('rough') };
  run(process.execPath, [upstreamProgram, String(upstreamPort), '500']);
  const gateway = run(process.execPath, [program, 'serve', '-c', file, '--log-level', 'error']);
  await isReady();
  const common = { port, motif: 'steady', token: () => tokens.steady, body, connections, isTls };
  const ids = new IdSet();
  const faults = [];
  const full = await mostPerSecond({ ...common, ids, faults });
  const perSecond = full / 2;
  console.log(`${Math.round(full)} prompts a second at most; ${Math.round(perSecond)} for ${minutes} minutes\n`);
  const over = () => isOver;
  const load = [
    steady({ ...common, perSecond, isOver: over, ids, faults }),
    rough({ port, motif: 'rough', token: tokens.rough, body, isOver: over, isTls }),
    disturb(gateway, tokens),
  ];
  const seen = await watch(gateway, ids);
  const reloads = await reloadsApplied();
  isOver = true;
  await Promise.all(load);
  const ended = new Promise((resolve) => gateway.once('exit', resolve));
  gateway.kill('SIGTERM');
  verdict('the gateway ends with 0', (await ended) === 0);
  verdict(`${reloads} reloads were applied`, reloads > 10);
  await judge(seen, ids, faults);
}

/** A new one each time, with the system's openssl, because Node itself can sign none. */
function makeCertificate() {
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];
  const words = ['req', '-x509', ...curve, '-nodes', '-keyout', 'tls.key', '-out', 'tls.crt', '-subj', '/CN=gw'];
  execFileSync('openssl', words, { cwd: folder, stdio: 'ignore' });
}

/** Resolves with the exit code and what was said. */
function motifCommand(...words) {
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...words], { cwd: folder }, (error, stdout, stderr) =>
      resolve({ status: error?.code ?? 0, said: stdout + stderr }),
    );
  });
}

async function rotated(motif) {
  const out = join(folder, `token-${(tokenFiles += 1)}`);
  const words = ['admin', 'rotate', motif, '-c', file, '--grace', '20s', '--token-out', out];
  const { status, said } = await motifCommand(...words);
  if (status !== 0) throw new Error(`no token: ${said}`);
  return readFileSync(out, 'utf8').trim();
}

function run(command, words) {
  const child = spawn(command, words, { stdio: ['ignore', 'ignore', 'inherit'] });
  started.push(child);
  return child;
}

async function isReady() {
  for (;;) {
    const reply = await fetch(`http://127.0.0.1:${adminPort}/readyz`).catch(() => undefined);
    if (reply?.status === 200) return;
    await wait(50);
  }
}

/** Of all workers. */
async function reloadsApplied() {
  const metrics = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text();
  return Number(/^motif_gateway_reloads_total\{result="applied"\} (\d+)/m.exec(metrics)?.[1] ?? 0);
}

async function mostPerSecond(load) {
  let most = 0;
  // The first seconds warm up.
  for (const seconds of [5, 5]) {
    const before = load.ids.count;
    const until = performance.now() + seconds * 1000;
    await steady({ ...load, perSecond: Infinity, isOver: () => performance.now() > until });
    most = (load.ids.count - before) / seconds;
  }
  return most;
}

/** Every few seconds one thing that operators do, or that happens to them. */
async function disturb(gateway, tokens) {
  const document = join(folder, 'handbook.md');
  const words = readFileSync(document, 'utf8');
  let rotations = 0;
  let version = 1;
  const acts = [
    async () => {
      version += 1;
      replace(file, withVersion(readFileSync(file, 'utf8'), version));
    },
    async () => {
      version += 1;
      for (const name of documents.slice(0, 5)) replace(join(folder, name), documentOf(name, version));
    },
    async () => {
      renameSync(join(folder, 'audit.jsonl'), join(folder, `audit-${(rotations += 1)}.jsonl`));
      gateway.kill('SIGHUP');
    },
    async () => {
      tokens.steady = await rotated('steady');
    },
    async () => writeFileSync(document, Buffer.from(words, 'utf16le')),
    async () => writeFileSync(document, `${words}\n## Change ${rotations}\n\nOpened boxes are fine.\n`),
    async () => gateway.kill('SIGHUP'),
    ...(isTls ? [async () => makeCertificate()] : []),
  ];
  const everyMs = Math.max(1500, (minutes * 60_000) / 120);
  for (let count = 0; !isOver; count++) {
    await acts[count % acts.length]();
    await wait(everyMs);
  }
}

/** Puts a file in the place of another whole. */
function replace(path, text) {
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
}

/** Memory and descriptors of the gateway with its workers, again and again. */
async function watch(gateway, ids) {
  const seen = [];
  console.log('minute   prompts   MB of memory   descriptors (of each process, the one above the workers first)');
  for (let sample = 1; sample <= samples; sample++) {
    await wait((minutes * 60_000) / samples);
    const pids = [gateway.pid, ...childrenOf(gateway.pid)];
    const memory = pids.map(memoryMb);
    const descriptors = pids.map((pid) => openFiles(pid));
    seen.push({
      memory: sum(memory),
      files: sum(descriptors.map(({ files }) => files)),
      sockets: sum(descriptors.map(({ sockets }) => sockets)),
    });
    const minute = ((minutes * sample) / samples).toFixed(1);
    const each = descriptors.map(({ files, sockets }) => `${files}+${sockets}`);
    console.log(
      `${minute.padStart(6)} ${String(ids.count).padStart(9)}   ${memory.map((mb) => mb.toFixed(0)).join(' + ')}   ${each.join(' ')}`,
    );
  }
  return seen;
}

/** Rough clients come and go, so that descriptors of sockets go up and down; files do not. */
async function judge(seen, ids, faults) {
  const part = (from, to, of) =>
    median(seen.slice(Math.floor(from * seen.length), Math.ceil(to * seen.length)).map(of));
  const isFlat = (what, slack, of) => {
    const [before, after] = [part(0.25, 0.5, of), part(0.75, 1, of)];
    const words = `${what}: ${before.toFixed(0)} in the second quarter, ${after.toFixed(0)} in the last`;
    verdict(words, after - before <= slack);
  };
  isFlat('MB of memory', memorySlackMb, ({ memory }) => memory);
  isFlat('files', 2, ({ files }) => files);
  isFlat('sockets', 10, ({ sockets }) => sockets);
  const kinds = [...new Set(faults)].map((kind) => `${faults.filter((fault) => fault === kind).length} ${kind}`);
  verdict(`answers that failed: ${kinds.join(', ') || 'none'}`, faults.length === 0);
  const audits = readdirSync(folder).filter((name) => name.startsWith('audit'));
  const lines = new IdSet();
  let others = 0;
  for (const name of audits) {
    for await (const line of createInterface({ input: createReadStream(join(folder, name)) })) {
      const { prompt_id: id, motif } = JSON.parse(line);
      if (motif === 'steady') lines.add(id);
      else others += 1;
    }
  }
  console.log(`${others} lines of rough clients, seals and configurations in ${audits.length} files`);
  verdict(`${ids.count} answers and ${lines.count} lines, with the same prompt IDs`, ids.text === lines.text);
  const verified = await motifCommand('admin', 'audit', 'verify', ...audits.map((name) => join(folder, name)));
  console.log(verified.said.trim());
  verdict('the seals verify', verified.status === 0);
}

function verdict(what, isMet) {
  console.log(`${isMet ? 'met   ' : 'MISSED'} ${what}`);
  if (!isMet) failed += 1;
}

function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}

function childrenOf(pid) {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
}

function memoryMb(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

function openFiles(pid) {
  const names = readdirSync(`/proc/${pid}/fd`).map((fd) => targetOf(`/proc/${pid}/fd/${fd}`));
  const sockets = names.filter((name) => name.startsWith('socket:')).length;
  return { sockets, files: names.length - sockets };
}

function targetOf(path) {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
