/** The gateway of this folder beside that of another, a build of an earlier commit: what a request costs in each. */
import { resolve } from 'node:path';
import { median } from '../cpu.mjs';
import { load } from './load.mjs';
import { motif, promptOf, upstream } from './peers.mjs';
import { cpuSeconds, start, stop } from './processes.mjs';

const connections = 32;
/** New processes each time, because two of the same program differ by some per cent in what the compiler makes of them. */
const starts = 4;
/** Many short windows, because another program that runs beside one makes it dearer. */
const rounds = 12;
const warmUpRounds = 3;
const requests = 1000;
const singleRequests = 300;
/** The request and the answer of each comparison, in bytes. */
const sizes = [
  { asked: 500, answered: 500 },
  { asked: 1024, answered: 10_240 },
];

/**
 * CPU for a request, and the latency of one connection, window by window in turn: a busy machine slows both, and what a
 * process used is counted by the system whoever else is at work. `policies` are sets of `peers.mjs`.
 */
export async function compare(folder, other, policies) {
  for (const { asked, answered } of sizes) {
    const up = await start(upstream(answered), 1);
    for (const set of policies) await compareOne(folder, resolve(other), set, promptOf(asked), answered);
    await stop(up);
  }
}

async function compareOne(folder, other, set, body, answered) {
  const peers = { before: motif(folder, set, { build: other }), now: motif(folder, set) };
  const alone = { ...upstream(answered), path: '/', headers: {} };
  const all = [];
  for (let each = 0; each < starts; each++) all.push(await measureOnce({ ...peers, alone }, body));
  const cost = (name, of) => median(all.map(({ costs }) => of(costs[name]))).toFixed(0);
  const times = (of) => {
    const ratios = all.map(({ costs }) => of(costs.now) / of(costs.before)).sort((one, two) => one - two);
    return `times ${median(ratios).toFixed(3)}, ${ratios[0].toFixed(3)} to ${ratios.at(-1).toFixed(3)}`;
  };
  const latency = (name, at) => median(all.flatMap(({ latencies }) => latencies[name].map((found) => found[at])));
  const added = (name, at) => (latency(name, at) - latency('alone', at)).toFixed(3);
  console.log(
    `${set}, ${body.length} bytes in, ${answered} out: CPU for a request, \u00b5s: ` +
      `${cost('before', median)} -> ${cost('now', median)} (${times(median)}), in the cheapest quarter ` +
      `${cost('before', lowest)} -> ${cost('now', lowest)} (${times(lowest)}); added at one connection ` +
      `p50 ${added('before', 'p50')} -> ${added('now', 'p50')} ms, ` +
      `p99 ${added('before', 'p99')} -> ${added('now', 'p99')} ms`,
  );
}

/** The costs and latencies of both builds, each started once. */
async function measureOnce({ alone, ...peers }, body) {
  const children = {};
  for (const [name, peer] of Object.entries(peers)) children[name] = await start(peer, 0);
  const costs = { before: [], now: [] };
  const latencies = { alone: [], before: [], now: [] };
  for (let round = 0; round < warmUpRounds + rounds; round++) {
    const order = round % 2 === 0 ? ['before', 'now'] : ['now', 'before'];
    for (const name of order) {
      const before = cpuSeconds(children[name].pid);
      const { failed, sample } = await load({ ...peers[name], body, connections, count: requests });
      if (failed > 0) throw new Error(`${name}: ${failed} failed: ${sample.slice(0, 300)}`);
      if (round >= warmUpRounds) costs[name].push(((cpuSeconds(children[name].pid) - before) * 1_000_000) / requests);
    }
    for (const name of ['alone', ...order]) {
      const found = await load({ ...(peers[name] ?? alone), body, connections: 1, count: singleRequests });
      if (round >= warmUpRounds) latencies[name].push(found);
    }
  }
  await Promise.all(Object.values(children).map(stop));
  return { costs, latencies };
}

/** The mean of the cheapest quarter of the windows, which are those that had the machine to themselves. */
export function lowest(values) {
  const sorted = [...values].sort((one, other) => one - other).slice(0, Math.ceil(values.length / 4));
  return sorted.reduce((sum, value) => sum + value, 0) / sorted.length;
}
