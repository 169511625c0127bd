import { expect, test } from 'vitest';
import { createPolicy } from '../../../src/gateway/policies/index.ts';
import { judgeNow } from '../../../src/gateway/policies/judging.ts';
import { WorkBudget } from '../../../src/gateway/policies/readings/work-budget.ts';
import { entityNames } from '../../../src/gateway/policies/rules/pii/entities.ts';
import { entitySamples } from '../../../src/suites/samples/entity-samples.ts';
import { sentenceWith } from '../../../src/suites/samples/guard-case.ts';

const pii = createPolicy({
  name: 'no-pii',
  kind: 'pii',
  on: new Set(['prompt']),
  action: 'block',
  except: [],
  without: [],
  options: { entities: entityNames },
});

test.each(entityNames)('the sample of %s is found as such, in the sentence of a case', (name) => {
  const { hits } = judgeNow([pii], 'prompt', [sentenceWith(entitySamples[name]!, true)], new WorkBudget(undefined));
  expect(hits.map(({ rule }) => rule)).toContain(name);
});
