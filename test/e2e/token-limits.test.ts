import { expect, test } from 'vitest';
import { ask, fileOf, gatewayProcess } from '../support/servers/gateway-process.ts';

test('the tokens of a prompt count before its answer is there, whichever worker is asked next', async () => {
  const limit = 40;
  const text = fileOf({ listen: ', workers: 4', motif: `    limits: { tokens_per_day: ${limit} }\n` });
  const gateway = await gatewayProcess(text);
  const before: number[] = [];
  let spent = 0;
  for (let asked = 0; asked < 40; asked++) {
    // Each on a connection of its own, which may be that of another worker.
    const { status, json } = await ask(gateway.port);
    if (status !== 200) continue;
    before.push(spent);
    spent += (json.usage as { readonly total_tokens: number }).total_tokens;
  }
  expect(before.length).toBeGreaterThan(2);
  expect(before.filter((tokens) => tokens >= limit)).toEqual([]);
  expect(spent).toBeGreaterThanOrEqual(limit);
});
