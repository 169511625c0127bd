/**
 * Texts of others, from a file of JSON lines with `text`, `kind` (pii, secrets, injection), `label` (1 where it holds one)
 * and `entity` where one is asked for: how many are found and flagged, and each miss by its cause, as `admin try` tells it.
 */
import { readFileSync } from 'node:fs';

const widest = 76;

export function judgeCorpus(file, { rulesIn, explainers, prepare, options, shown }) {
  const rows = new Map();
  const causes = new Map();
  const count = (map, key, by) => map.set(key, (map.get(key) ?? 0) + by);
  for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
    const { text, kind, label, entity, weak = false } = JSON.parse(line);
    if (options[kind] === undefined || weak || entity?.startsWith('LACK:')) continue;
    const found = rulesIn(kind, text);
    const isFound = entity === undefined ? found.size > 0 : found.has(entity);
    const name = entity ?? kind;
    const row = rows.get(name) ?? { found: 0, of: 0, flagged: 0, alike: 0 };
    rows.set(name, row);
    if (label === 1) {
      row.of++;
      if (isFound) row.found++;
      else count(causes, `missed   ${name}: ${causeOf(kind, entity, text)}`, 1);
    } else {
      row.alike++;
      if (isFound) row.flagged++;
      if (isFound) count(causes, `flagged  ${name}: by ${[...found].join(', ')}`, 1);
    }
  }
  console.log(
    `\n${'of others'.padEnd(18)}${'found'.padStart(11)}${'recall'.padStart(9)}${'at least'.padStart(9)}   flagged`,
  );
  for (const [name, { found, of, flagged, alike }] of rows)
    console.log(`${name.padEnd(18)}  ${shown(found, of)}   ${flagged}/${alike}`);
  console.log(`\n${'count'.padStart(5)}  cause`);
  for (const [cause, times] of [...causes].toSorted((one, other) => other[1] - one[1]))
    console.log(`${String(times).padStart(5)}  ${cause}`);

  function causeOf(kind, entity, text) {
    const look = explainers[kind](options[kind], prepare(text));
    const near = look.near.filter(({ rule }) => entity === undefined || rule === entity);
    return (near[0] === undefined ? look.absent : `${near[0].rule}, ${near[0].why}`).slice(0, widest);
  }
}
