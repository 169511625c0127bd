/** The gateway with an audit beside the same one without: what a line costs a request. */
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

/** Prints CPU for a request without and with an audit, one request after the other and many at once. */
export async function compareAudit(folder) {
  const up = await start(upstream(bytes), 1);
  for (const set of ['none', 'ten']) {
    const found = { 1: [], 32: [] };
    for (let each = 0; each < starts; each++) {
      for (const [connections, costs] of Object.entries(await costsOf(folder, set))) found[connections].push(costs);
    }
    for (const [connections, all] of Object.entries(found)) {
      const ratios = all.map((costs) => lowest(costs.with) / lowest(costs.without)).sort((one, other) => one - other);
      const cost = (name) => median(all.map((costs) => lowest(costs[name]))).toFixed(0);
      console.log(
        `${set}, ${connections} at once: CPU for a request, \u00b5s: ${cost('without')} -> ${cost('with')} (times ` +
          `${median(ratios).toFixed(3)}, ${ratios[0].toFixed(3)} to ${ratios.at(-1).toFixed(3)})`,
      );
    }
  }
  await stop(up);
}

async function costsOf(folder, set) {
  const peers = { without: motif(folder, set, { isAudited: false }), with: motif(folder, set) };
  const children = {};
  for (const [name, peer] of Object.entries(peers)) children[name] = await start(peer, 0);
  const found = {};
  for (const connections of [1, 32]) {
    const costs = (found[connections] = { without: [], with: [] });
    for (let round = 0; round < rounds; round++) {
      for (const name of round % 2 === 0 ? ['without', 'with'] : ['with', 'without']) {
        const before = cpuSeconds(children[name].pid);
        const { failed, sample } = await load({ ...peers[name], body: promptOf(bytes), connections, count: requests });
        if (failed > 0) throw new Error(`${name}: ${failed} failed: ${sample.slice(0, 300)}`);
        // The first ones warm up.
        if (round > 2) costs[name].push(((cpuSeconds(children[name].pid) - before) * 1_000_000) / requests);
      }
    }
  }
  await Promise.all(Object.values(children).map(stop));
  return found;
}
