/**
 * The gateway with an audit beside the same one without, beside the bare write of a line, and where there is one beside
 * an earlier build with its audit: what each costs.
 */
import { resolve } from 'node:path';
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

/** A gateway that writes nothing, one that does the bare write of each line alone, and one with its audit. */
const records = ['none', 'bare write', 'audit'];

/**
 * Prints CPU for a request under each load, and that of the bare write and of the audit as times that without both. Of a
 * build in the folder `before` it prints the same of its own audit, and both audits beside each other.
 */
export async function compareAudit(folder, before) {
  const kinds = records.map((each) => ({ name: each, records: each, of: 'none' }));
  if (before !== undefined) {
    const build = resolve(before);
    kinds.push({ name: 'none before', records: 'none', build, of: 'none before' });
    kinds.push({ name: 'audit before', records: 'audit', build, of: 'none before' });
  }
  for (const { sets, ...each } of loads) {
    const up = await start(upstream(bytes, each.waitMs), 1);
    for (const set of sets) await compareUnder(folder, set, each, kinds);
    await stop(up);
  }
}

async function compareUnder(folder, set, { connections, waitMs }, kinds) {
  const all = [];
  for (let each = 0; each < starts; each++) all.push(await measureOnce(folder, set, connections, kinds));
  const times = (name, of) => {
    const ratios = all.map(({ costs }) => lowest(costs[name]) / lowest(costs[of])).sort((one, other) => one - other);
    const rate = median(all.map(({ rates }) => median(rates[name]) / median(rates[of])));
    const span = `${ratios[0].toFixed(3)} to ${ratios.at(-1).toFixed(3)}`;
    return `CPU times ${median(ratios).toFixed(3)} (${span}), requests per second times ${rate.toFixed(3)}`;
  };
  const none = median(all.map(({ costs }) => lowest(costs.none))).toFixed(0);
  console.log(`${set}, ${connections} at once, a provider that takes ${waitMs} ms: CPU for a request ${none} \u00b5s`);
  for (const { name, of } of kinds) if (name !== of) console.log(`  ${name}, beside ${of}: ${times(name, of)}`);
  if (all[0].costs['audit before'] !== undefined)
    console.log(`  audit, beside audit before: ${times('audit', 'audit before')}`);
}

async function measureOnce(folder, set, connections, kinds) {
  const peers = kinds.map(({ records: each, build }) => motif(folder, set, { records: each, build }));
  const children = await Promise.all(peers.map((peer) => start(peer, 0)));
  const costs = Object.fromEntries(kinds.map(({ name }) => [name, []]));
  const rates = Object.fromEntries(kinds.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < kinds.length; turn++) {
      const each = (round + turn) % kinds.length;
      const { name } = kinds[each];
      const before = cpuSeconds(children[each].pid);
      const found = await load({ ...peers[each], body: promptOf(bytes), connections, count: requests });
      if (found.failed > 0) throw new Error(`${name}: ${found.failed} failed: ${found.sample.slice(0, 300)}`);
      // The first ones warm up.
      if (round <= 2) continue;
      costs[name].push(((cpuSeconds(children[each].pid) - before) * 1_000_000) / requests);
      rates[name].push(found.perSecond);
    }
  }
  await Promise.all(children.map(stop));
  return { costs, rates };
}
