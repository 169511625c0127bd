/** The gateway with an audit beside the same one without, and beside the bare write of a line: what each costs. */
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

/** Prints CPU for a request under each load, and that of the bare write and of the audit as times that without both. */
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
  const words = ['bare write', 'audit'].map((name) => {
    const ratios = all.map((costs) => lowest(costs[name]) / lowest(costs.none)).sort((one, other) => one - other);
    const span = `${ratios[0].toFixed(3)} to ${ratios.at(-1).toFixed(3)}`;
    return `with the ${name} times ${median(ratios).toFixed(3)} (${span})`;
  });
  const none = median(all.map((costs) => lowest(costs.none))).toFixed(0);
  console.log(
    `${set}, ${connections} at once, a provider that takes ${waitMs} ms: CPU for a request ${none} \u00b5s, ` +
      words.join(', '),
  );
}

async function costsOf(folder, set, connections) {
  const peers = records.map((each) => motif(folder, set, { records: each }));
  const children = await Promise.all(peers.map((peer) => start(peer, 0)));
  const costs = Object.fromEntries(records.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < records.length; turn++) {
      const each = (round + turn) % records.length;
      const before = cpuSeconds(children[each].pid);
      const { failed, sample } = await load({ ...peers[each], body: promptOf(bytes), connections, count: requests });
      if (failed > 0) throw new Error(`${records[each]}: ${failed} failed: ${sample.slice(0, 300)}`);
      // The first ones warm up.
      if (round > 2) costs[records[each]].push(((cpuSeconds(children[each].pid) - before) * 1_000_000) / requests);
    }
  }
  await Promise.all(children.map(stop));
  return costs;
}
