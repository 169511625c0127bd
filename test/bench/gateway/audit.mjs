/** The gateway with an audit beside the same one without: what a line costs a request. */
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { median } from '../cpu.mjs';
import { lowest } from './against.mjs';
import { load } from './load.mjs';
import { motif, promptOf, upstream } from './peers.mjs';
import { cpuSeconds, start, stop } from './processes.mjs';

/** New processes each time, because two of the same program differ by some per cent in what the compiler makes of them. */
const starts = 5;
const rounds = 12;
const requests = 1000;
const bytes = 500;

/** Prompts of one caller after the other, of many at once, and of many at once that wait for a model. */
const loads = [
  { connections: 1, waitMs: 0, sets: ['none', 'ten'] },
  { connections: 32, waitMs: 0, sets: ['none', 'ten'] },
  { connections: 32, waitMs: 50, sets: ['ten'] },
];

/** Prints CPU for a request without and with an audit, under each load, and that of the bare write of a line. */
export async function compareAudit(folder) {
  for (const { sets, ...each } of loads) {
    const up = await start(upstream(bytes, each.waitMs), 1);
    for (const set of sets) await compareUnder(folder, set, each);
    await stop(up);
  }
}

async function compareUnder(folder, set, { connections, waitMs }) {
  const all = [];
  for (let each = 0; each < starts; each++) all.push(await costsOf(folder, set, connections));
  const ratios = all.map((costs) => lowest(costs.with) / lowest(costs.without)).sort((one, other) => one - other);
  const cost = (name) => median(all.map((costs) => lowest(costs[name]))).toFixed(0);
  console.log(
    `${set}, ${connections} at once, a provider that takes ${waitMs} ms: CPU for a request, \u00b5s: ` +
      `${cost('without')} -> ${cost('with')} (times ${median(ratios).toFixed(3)}, ${ratios[0].toFixed(3)} to ` +
      `${ratios.at(-1).toFixed(3)}); the bare write of its line ${median(all.map(({ write }) => write)).toFixed(1)}`,
  );
}

/** Microseconds of CPU in which a process that does nothing else writes a line of the audit, each by itself. */
function bareWrite(folder, { audit }) {
  const lines = readFileSync(audit, 'utf8')
    .split('\n')
    .slice(-requests - 1, -1);
  const file = openSync(join(folder, 'bare.jsonl'), 'a');
  const before = process.cpuUsage();
  for (const line of lines) writeSync(file, `${line}\n`);
  const { user, system } = process.cpuUsage(before);
  closeSync(file);
  return (user + system) / lines.length;
}

async function costsOf(folder, set, connections) {
  const peers = { without: motif(folder, set, { isAudited: false }), with: motif(folder, set) };
  const children = {};
  for (const [name, peer] of Object.entries(peers)) children[name] = await start(peer, 0);
  const costs = { without: [], with: [] };
  for (let round = 0; round < rounds; round++) {
    for (const name of round % 2 === 0 ? ['without', 'with'] : ['with', 'without']) {
      const before = cpuSeconds(children[name].pid);
      const { failed, sample } = await load({ ...peers[name], body: promptOf(bytes), connections, count: requests });
      if (failed > 0) throw new Error(`${name}: ${failed} failed: ${sample.slice(0, 300)}`);
      // The first ones warm up.
      if (round > 2) costs[name].push(((cpuSeconds(children[name].pid) - before) * 1_000_000) / requests);
    }
  }
  await Promise.all(Object.values(children).map(stop));
  return { ...costs, write: bareWrite(folder, peers.with) };
}
