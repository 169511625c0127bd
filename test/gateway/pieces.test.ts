import { expect, test } from 'vitest';
import { readPlainYaml } from '../../src/documents/plain-yaml.ts';
import { readInPieces } from '../../src/documents/shape.ts';
import { Spot } from '../../src/documents/spot.ts';
import { createAccess } from '../../src/gateway/access/access.ts';
import { createCounters } from '../../src/gateway/access/counters.ts';
import { type AssemblyParts, assembleMotifs } from '../../src/gateway/assembly.ts';
import { checkGateway } from '../../src/gateway/file/checks.ts';
import { gatewayShape } from '../../src/gateway/file/shape.ts';
import { makePhraseSearch } from '../../src/gateway/policies/rules/phrases.ts';
import { policyShape } from '../../src/gateway/file/policies.ts';
import { versionChanges } from '../../src/gateway/records/config-changes.ts';
import type { Fields } from '../../src/text/json/json.ts';
import { atOnce, type Piecework } from '../../src/text/turns.ts';
import { parsed } from './file/config-file.ts';

const motifs = Array.from(
  { length: 1000 },
  (_, at) => `  bot-${at}:
    provider: mock
    policies: [house]
    tokens:
      - { id: t1, sha256: "${at.toString(16).padStart(64, '0')}" }
`,
);
const text = `providers: { mock: { kind: mock } }
policies: { house: { kind: words, words: [heron] } }
motifs:
${motifs.join('')}`;

const config = await parsed(text);
const written = atOnce(readPlainYaml(text, 64))?.value as Fields;
const clock = { now: () => 0, monotonic: () => 0 };
const silent = () => ({ spot: Spot.silent(), named: Spot.silent(), warn: Spot.silent(), missing: Spot.silent() });
const version = { config, knowledge: new Map() };
const assembly: AssemblyParts = {
  ...clock,
  send: () => Promise.reject(new Error('nothing is sent')),
  sleep: async () => undefined,
  random: () => 0.5,
  knowledge: new Map(),
  log: { error() {}, warn() {}, info() {}, debug() {} },
};

test.each<{ name: string; work: () => Piecework<unknown> }>([
  { name: 'the YAML is read', work: () => readPlainYaml(text, 64) },
  { name: 'its shape is read', work: () => readInPieces(gatewayShape, written, Spot.silent()) },
  { name: 'names and tokens are checked', work: () => checkGateway(config, written, silent()) },
  { name: 'tokens are made ready', work: () => createAccess(config, { ...clock, counters: createCounters(clock) }) },
  { name: 'Motifs are assembled', work: () => assembleMotifs(config, assembly) },
  { name: 'two versions are compared', work: () => versionChanges(version, { ...version, config: { ...config } }) },
])('a reload of 1,000 Motifs: others have their turn behind each of them while $name', ({ work }) => {
  expect([...work()].length).toBeGreaterThanOrEqual(1000);
});

const list = Array.from({ length: 20_000 }, (_, at) => `heron ${at.toString(36)} of 1eet`);

test.each<{ name: string; work: () => Piecework<unknown> }>([
  { name: 'read', work: () => readInPieces(policyShape, { kind: 'words', words: list }, Spot.silent()) },
  { name: 'made a search', work: () => makePhraseSearch(list) },
  { name: 'made ready for texts in disguise', work: () => atOnce(makePhraseSearch(list)).prepare() },
])('a list of 20,000 words: others have their turn more than a hundred times while it is $name', ({ work }) => {
  expect([...work()].length).toBeGreaterThan(100);
});
