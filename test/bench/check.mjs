/**
 * Measures `motif check`: 10,000 cases on the demo's gateway against the gateway function in a bare loop, and one
 * case against bare Node, to its first request and to its end, in user and system time. Only a figure far over its
 * goal is called failed.
 * With `--bare` it is the loop itself, in a process of its own so that both begin as cold.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { built } from './built.mjs';
import { median, medians } from './cpu.mjs';

const top = fileURLToPath(new URL('../..', import.meta.url));
const motif = join(top, 'bin/motif.js');
const casesCount = 10_000;
const prompts = Array.from({ length: casesCount }, (_, index) =>
  index % 10 === 0
    ? { prompt: `Refund my card 4111 1111 1111 1111, order ${index}`, expect: 'blocked' }
    : { prompt: `How long can I return a kettle that I bought on day ${index}?`, expect: 'answered' },
);

/** Suites of one case each, in the forms that a suite may have. */
const oneCase = {
  'one.jsonl': `${JSON.stringify(prompts[1])}\n`,
  'one.motif.yaml': `cases:\n  - { id: one, prompt: "${prompts[1].prompt}", expect: answered }\n`,
  'one.csv': `prompt,expect\n${prompts[1].prompt},answered\n`,
};

/** Says on file descriptor 3 what the process cost until it first opened a socket, or else until it ended. */
const untilFirstSocket = `
const { writeSync } = require('node:fs');
const { Socket } = require('node:net');
const { connect } = Socket.prototype;
let isSaid = false;
const say = () => {
  if (isSaid) return;
  isSaid = true;
  const { user, system } = process.cpuUsage();
  writeSync(3, String((user + system) / 1000));
};
Socket.prototype.connect = function (...args) { say(); return connect.apply(this, args); };
process.on('exit', say);
`;

if (process.argv.includes('--bare')) console.log(await bareLoopMs());
else await measureAll(process.argv.includes('--quick') ? 3 : 5);

async function measureAll(rounds) {
  const folder = mkdtempSync(join(tmpdir(), 'motif-bench-'));
  const standIn = spawn(process.execPath, [fileURLToPath(new URL('stand-in.mjs', import.meta.url))]);
  const tally = { passed: 0, failed: 0 };
  const report = (what, figure, value, goal, farOver) => {
    const isFine = value <= goal * farOver;
    tally[isFine ? 'passed' : 'failed'] += 1;
    console.log(`${what.padEnd(46)}${figure.padStart(22)}   goal ${goal}${isFine ? '' : '   far over'}`);
  };
  try {
    const suite = join(folder, 'many.jsonl');
    writeFileSync(suite, prompts.map((each) => `${JSON.stringify(each)}\n`).join(''));
    const runs = Array.from({ length: rounds }, () => ({ bare: spawnBare(), check: spawnCheck(suite, folder) }));
    const bareMs = median(runs.map(({ bare }) => bare));
    const checkMs = median(runs.map(({ check }) => check.cpuMs));
    const megabytes = median(runs.map(({ check }) => check.megabytes));
    report(
      '10,000 cases, times of the bare loop',
      `${checkMs.toFixed(0)} / ${bareMs.toFixed(0)} ms = ${(checkMs / bareMs).toFixed(2)}`,
      checkMs / bareMs,
      2,
      2,
    );
    report('10,000 cases, memory at the most', `${megabytes.toFixed(0)} MB`, megabytes, 250, 1.2);
    const [port] = await standIn.stdout.take(1).toArray();
    const ratios = startRatios(String(port).trim(), folder, rounds * 3);
    const farOver = process.env.NODE_EXTRA_CA_CERTS ? 1.5 : 2.2;
    for (const [what, ratio] of Object.entries(ratios)) report(what, ratio.toFixed(2), ratio, 2.2, farOver);
  } finally {
    standIn.stdin.end();
    rmSync(folder, { recursive: true, force: true });
  }
  console.log(`${tally.passed} passed, ${tally.failed} failed`);
}

function spawnBare() {
  const args = [fileURLToPath(import.meta.url), '--bare'];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the bare loop ended with ${status}: ${stderr}`);
  return Number(stdout);
}

/** What the system says of the process at its end: its CPU, the start included, and its memory at the most. */
function spawnCheck(suite, folder) {
  const file = join(folder, 'result.json');
  const figures = join(folder, 'figures.json');
  const atEnd = join(folder, 'at-end.cjs');
  const write = `require('node:fs').writeFileSync(${JSON.stringify(figures)}, JSON.stringify(process.resourceUsage()))`;
  writeFileSync(atEnd, `process.on('exit', () => ${write});`);
  const args = ['--require', atEnd, motif, 'check', suite, '--demo', '--report', `json=${file}`];
  const { status } = spawnSync(process.execPath, args, { env: { PATH: process.env.PATH, HOME: folder } });
  if (status !== 0) throw new Error(`check ended with ${status}`);
  const { userCPUTime, systemCPUTime, maxRSS } = JSON.parse(readFileSync(figures, 'utf8'));
  return { cpuMs: (userCPUTime + systemCPUTime) / 1000, megabytes: maxRSS / 1024 };
}

function startRatios(port, folder, rounds) {
  for (const [name, text] of Object.entries(oneCase)) writeFileSync(join(folder, name), text);
  const empty = join(folder, 'empty.cjs');
  const hook = join(folder, 'hook.cjs');
  writeFileSync(empty, '');
  writeFileSync(hook, untilFirstSocket);
  const settings = { MOTIF_URL: `http://127.0.0.1:${port}/api/v1/apps/bench`, MOTIF_TOKEN: 'bench-token-0123456789' };
  const { PATH, NODE_EXTRA_CA_CERTS } = process.env;
  const env = { PATH, HOME: folder, ...settings, ...(NODE_EXTRA_CA_CERTS && { NODE_EXTRA_CA_CERTS }) };
  const check = (name) => [motif, 'check', join(folder, name)];
  const { medianMs, faults } = medians(
    {
      bare: { command: [process.execPath, empty], env },
      check: { command: [process.execPath, ...check('one.jsonl')], env },
    },
    rounds,
  );
  for (const [name, reason] of faults) console.log(`could not measure ${name}: ${reason}`);
  const runs = { bare: [empty], ...Object.fromEntries(Object.keys(oneCase).map((name) => [name, check(name)])) };
  const costs = Object.fromEntries(Object.keys(runs).map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, args] of Object.entries(runs)) {
      const { output } = spawnSync(process.execPath, ['--require', hook, ...args], {
        env,
        stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
        encoding: 'utf8',
      });
      costs[name].push(Number(output[3]));
    }
  }
  const bareMs = median(costs.bare);
  const first = Object.keys(oneCase).map((name) => [`start to first request, ${name}`, median(costs[name]) / bareMs]);
  return { ...Object.fromEntries(first), 'one case from start to end': medianMs.check / medianMs.bare };
}

/** The gateway function of the demo, asked by nothing but a loop. */
async function bareLoopMs() {
  const names = {
    load: 'commands/gateway/load.ts',
    source: 'commands/gateway/demo-source.ts',
    tokens: 'commands/gateway/temporary-token.ts',
    counting: 'gateway/access/counters.ts',
    contract: 'gateway/contract.ts',
    service: 'gateway/gateway.ts',
    metrics: 'gateway/records/metrics.ts',
  };
  const modules = await built(
    Object.fromEntries(Object.entries(names).map(([name, path]) => [name, `${top}src/${path}`])),
  );
  const { load, source, tokens, counting, contract, service, metrics } = modules;
  const silent = () => undefined;
  const log = { error: silent, warn: silent, info: silent, debug: silent };
  const world = { env: {}, now: () => Date.now(), monotonic: () => performance.now(), send: undefined };
  const caller = tokens.createTemporaryToken(undefined);
  const adapt = (config) => tokens.withTemporaryToken(config, caller);
  const { config, access, motifs } = await load.loadGateway(source.demoSource(), world, {
    log,
    warn: () => undefined,
    adapt,
    counters: counting.createCounters(world),
  });
  let id = 0;
  const gateway = service.createGateway(config, {
    ...world,
    access,
    motifs,
    newPromptId: () => `01JBENCH${String((id += 1)).padStart(18, '0')}`,
    audit: undefined,
    metrics: metrics.createMetrics(),
    log,
    load: contract.createLoad(),
  });
  const encoder = new TextEncoder();
  const { signal } = new AbortController();
  const before = process.cpuUsage();
  for (const { prompt, expect } of prompts) {
    const body = encoder.encode(JSON.stringify({ messages: [{ role: 'user', content: prompt }] }));
    const reply = await gateway({
      method: 'POST',
      path: '/api/v1/apps/support-bot/prompts',
      headers: {
        authorization: `Bearer ${caller.token.text}`,
        'content-type': 'application/json',
        'content-length': String(body.length),
      },
      readBody: async () => body,
      signal,
    });
    if (reply.status !== 200 || JSON.parse(reply.body).blocked !== (expect === 'blocked')) throw new Error(reply.body);
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
