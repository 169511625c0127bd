/**
 * `npm run bench:gateway`: the gateway on one core, its clients and a mock upstream on the other, beside the least that
 * a gateway in Node can do (the floor) and the one other gateway of this kind on npm. All of one run, window by window
 * in turn, so that a machine that slows down slows all of them; a window with a failed request counts for nothing.
 * `--soak` is another run: 200,000 requests, and what they do to the memory. `--motifs` is one more: what ten thousand
 * Motifs in one file cost when the gateway starts, and with each request. `--quick` is a short run that only prints:
 * half a minute on a busy machine proves no figure. `-- --against FOLDER [none|ten|all]...` compares with the build of
 * an earlier commit there; `-- --audit [FOLDER]` compares with a gateway that writes no audit, and with the audit of such
 * a build. `npm run bench:policies` measures policies alone.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from './cpu.mjs';
import { compare, lowest } from './gateway/against.mjs';
import { compareAudit } from './gateway/audit.mjs';
import { load } from './gateway/load.mjs';
import { floor, motif, policySets, portkey, promptOf, upstream } from './gateway/peers.mjs';
import { cpuSeconds, memoryMb, start, stop, stopAll } from './gateway/processes.mjs';

const isQuick = process.argv.includes('--quick');
const windows = isQuick ? 2 : 5;
const windowMs = isQuick ? 700 : 3000;
const singleRequests = isQuick ? 600 : 3000;
/** Rounds of the latency beside an idle Motif: many short ones, because a program that wakes up spoils few of them. */
const idleRounds = isQuick ? 16 : 150;
const idleRequests = 100;
const idleWarmUp = isQuick ? 300 : 3000;
const tally = { passed: 0, failed: 0 };
const connections = 32;
const soakRequests = 200_000;
const motifsMany = 10_000;
const motifsRequests = 5_000;

const folder = mkdtempSync(join(tmpdir(), 'motif-bench-'));
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => {
    stopAll();
    rmSync(folder, { recursive: true, force: true });
    process.kill(process.pid, signal);
  });
try {
  spawnSync('taskset', ['-cp', '1', String(process.pid)]);
  // Before other programs, where this user may ask for that, so that they spoil fewer windows; so are the children.
  if (!isQuick) spawnSync('chrt', ['-a', '-r', '-p', '1', String(process.pid)]);
  const [, other, ...sets] = process.argv.slice(process.argv.indexOf('--against'));
  if (process.argv.includes('--soak')) await soak();
  else if (process.argv.includes('--motifs')) await manyMotifs();
  else if (process.argv.includes('--audit'))
    await compareAudit(folder, process.argv[process.argv.indexOf('--audit') + 1]);
  else if (process.argv.includes('--against')) await compare(folder, other, sets.length > 0 ? sets : policySets);
  else await main();
} finally {
  stopAll();
  rmSync(folder, { recursive: true, force: true });
}
console.log(`${tally.passed} passed, ${tally.failed} failed`);

async function main() {
  const small = await throughput({ askedBytes: 500, answerBytes: 500 });
  const perSecond = (name) => small.rates[name];
  if (!isQuick)
    verdict('requests per second, times those of Portkey', perSecond('ten') / perSecond('portkey'), { min: 6 });
  verdict('requests per second, of the floor', perSecond('ten') / perSecond('floor'), { min: 0.6 });
  console.log(`  all kinds, of the floor: ${(perSecond('all') / perSecond('floor')).toFixed(2)}`);
  verdict('added at one connection, p50 ms', small.single.ten.p50 - small.single.upstream.p50, { max: 0.5 });
  verdict('added at one connection, p99 ms', small.single.ten.p99 - small.single.upstream.p99, { max: 2 });
  const large = await throughput({ askedBytes: 1024, answerBytes: 10_240 });
  verdict('cost of ten policies, 1 kB in and 10 kB out', 1 - large.rates.ten / large.rates.none, { max: 0.25 });
  await besideIdle();
}

/** The latency that a gateway with an idle Motif beside the asked one adds to that of the floor, round by round. */
async function besideIdle() {
  const up = await start(upstream(500), 1);
  const peers = {
    floor: floor(),
    none: motif(folder, 'none', { motifs: 2 }),
    ten: motif(folder, 'ten', { motifs: 2 }),
  };
  const started = await Promise.all(Object.values(peers).map((peer) => start(peer, 0)));
  const found = { floor: [], none: [], ten: [] };
  for (const peer of Object.values(peers))
    await load({ ...peer, body: promptOf(500), connections: 1, count: idleWarmUp });
  for (let round = 0; round < idleRounds; round++) {
    for (const [name, peer] of Object.entries(peers)) {
      const one = await load({ ...peer, body: promptOf(500), connections: 1, count: idleRequests });
      tally[one.failed > 0 ? 'failed' : 'passed'] += 1;
      if (one.failed > 0) console.log(`${name}: ${one.failed} failed: ${one.sample.slice(0, 300)}`);
      found[name].push(one);
    }
  }
  await Promise.all([up, ...started].map(stop));
  const of = (name, at, pick) => pick(found[name].map((one) => one[at]));
  const added = (name, at, pick) => of(name, at, pick) - of('floor', at, pick);
  const words = (name, pick) =>
    `added p50 ${added(name, 'p50', pick).toFixed(3)} ms, p99 ${added(name, 'p99', pick).toFixed(3)} ms`;
  console.log('\n500 bytes both ways, one connection, another Motif idle, beside the floor');
  console.log(
    `  the floor: p50 ${of('floor', 'p50', lowest).toFixed(3)} ms, p99 ${of('floor', 'p99', lowest).toFixed(3)} ms`,
  );
  console.log(`  no policies: ${words('none', lowest)}; median of all rounds: ${words('none', median)}`);
  console.log(`  ten policies: ${words('ten', lowest)}; median of all rounds: ${words('ten', median)}`);
  verdict('added to the floor in the quickest quarter, p50 ms', added('ten', 'p50', lowest), { max: 0.1 });
  verdict('added to the floor in the quickest quarter, p99 ms', added('ten', 'p99', lowest), { max: 0.3 });
}

async function throughput({ askedBytes, answerBytes }) {
  const up = await start(upstream(answerBytes), 1);
  const peers = {
    floor: floor(),
    none: motif(folder, 'none'),
    ten: motif(folder, 'ten'),
    all: motif(folder, 'all'),
    ...(!isQuick && { portkey: portkey() }),
  };
  for (const [name, peer] of Object.entries(peers)) if (peer === undefined) delete peers[name];
  const started = await Promise.all(Object.values(peers).map((peer) => start(peer, 0)));
  const body = promptOf(askedBytes);
  console.log(`\n${askedBytes} bytes in, ${answerBytes} bytes out, ${connections} connections, requests per second`);
  const found = Object.fromEntries(Object.keys(peers).map((name) => [name, []]));
  for (let window = 0; window <= windows; window++) {
    for (const [name, peer] of Object.entries(peers)) {
      const { perSecond, failed, sample } = await load({ ...peer, body, connections, forMs: windowMs });
      tally[failed > 0 ? 'failed' : 'passed'] += 1;
      if (failed > 0) console.log(`${name}: ${failed} failed, so this window is void: ${sample.slice(0, 300)}`);
      // The first one warms up.
      else if (window > 0) found[name].push(perSecond);
    }
  }
  const rates = Object.fromEntries(Object.entries(found).map(([name, values]) => [name, median(values)]));
  for (const [name, rate] of Object.entries(rates))
    console.log(`  ${name.padEnd(10)}${Math.round(rate).toLocaleString('en-US').padStart(8)}`);
  const single = {};
  for (const [name, peer] of Object.entries({
    upstream: { ...upstream(answerBytes), path: '/', headers: {} },
    ...peers,
  })) {
    single[name] = await load({ ...peer, body, connections: 1, count: singleRequests, warmUp: 200 });
    console.log(
      `  ${name.padEnd(10)}one connection: p50 ${single[name].p50.toFixed(3)} ms, p99 ${single[name].p99.toFixed(3)} ms`,
    );
  }
  await Promise.all([up, ...started].map(stop));
  return { rates, single };
}

/** The same requests to a gateway with one Motif and to one with ten thousand, each with ten policies and a token. */
async function manyMotifs() {
  const up = await start(upstream(500), 1);
  const peers = { one: motif(folder, 'ten'), many: motif(folder, 'ten', { motifs: motifsMany }) };
  const seconds = { one: [], many: [] };
  const costs = { one: [], many: [] };
  for (let round = 0; round < windows; round++) {
    for (const [name, peer] of Object.entries(peers)) {
      const startedAt = performance.now();
      const child = await start(peer, 0);
      seconds[name].push((performance.now() - startedAt) / 1000);
      await load({ ...peer, body: promptOf(500), connections, count: motifsRequests });
      const before = cpuSeconds(child.pid);
      const { failed } = await load({ ...peer, body: promptOf(500), connections, count: motifsRequests });
      if (failed === 0) costs[name].push(((cpuSeconds(child.pid) - before) * 1_000_000) / motifsRequests);
      await stop(child);
    }
  }
  console.log(`  start with one Motif, to its port: ${median(seconds.one).toFixed(2)} s`);
  verdict('start with 10,000 Motifs, s', median(seconds.many), { max: 1 });
  console.log(`  with one Motif, CPU for a request: ${median(costs.one).toFixed(0)} \u00b5s`);
  verdict('CPU for a request with 10,000 Motifs, of that with one', median(costs.many) / median(costs.one), {
    max: 1.1,
  });
  await stop(up);
}

/** The memory of a worker that has done nothing, and how it grows while it works. */
async function soak() {
  const up = await start(upstream(500), 1);
  const peer = motif(folder, 'ten');
  const child = await start(peer, 0);
  verdict('idle worker, MB', memoryMb(child.pid), { max: 150 });
  const sizes = [];
  for (let part = 0; part < 10; part++) {
    await load({ ...peer, body: promptOf(500), connections, count: soakRequests / 10 });
    sizes.push(memoryMb(child.pid));
  }
  console.log(`  after each 20,000 requests, MB: ${sizes.map((size) => Math.round(size)).join(' ')}`);
  verdict('growth over the second half, MB', Math.max(...sizes.slice(5)) - Math.max(...sizes.slice(0, 5)), { max: 10 });
  await Promise.all([up, child].map(stop));
}

function verdict(what, value, { min = -Infinity, max = Infinity }) {
  const isMet = value >= min && value <= max;
  if (!isQuick) tally[isMet ? 'passed' : 'failed'] += 1;
  const goal = min === -Infinity ? `at most ${max}` : `at least ${min}`;
  console.log(`${isMet ? 'met   ' : 'MISSED'} ${what}: ${value.toFixed(2)} (${goal})`);
  if (!isMet && !isQuick) process.exitCode = 1;
}
