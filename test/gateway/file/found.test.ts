import { describe, expect, test } from 'vitest';
import { parseYaml } from '../../../src/documents/yaml.ts';
import { pathText, type PathStep } from '../../../src/text/json/json.ts';
import { mayHoldSecret } from '../../../src/text/secret.ts';
import { parse } from './config-file.ts';

const sha256 = 'ab'.repeat(32);

/** Every section, and a policy of each kind. */
const whole = parseYaml(
  `tenant: acme
listen: { host: 127.0.0.1, port: 8080, workers: 1, public_url: https://gw.acme.dev, allow_http: true, tls: { cert: c, key: k } }
limits: { body: 1MiB, messages: 256, provider_timeout: 120s, in_flight: 512 }
audit: { file: audit.jsonl, text: false, when_full: refuse }
admin: { host: 127.0.0.1, port: 9464 }
groups: { support: [ana, bo] }
providers:
  openai: { kind: openai, base_url: https://api.openai.com/v1, timeout: 60s, retries: 1, prices: { m: { prompt: 1, completion: 2 } } }
  azure: { kind: azure, base_url: https://acme.openai.azure.com, deployment: chat, api_version: "2025-04-01" }
  mock: { kind: mock, mode: script, script: [a], latency: 20ms, fail_rate: 0, seed: 1 }
policies:
  pii: { kind: pii, entities: [card], except: [{ text: a@acme.dev, why: ours, until: 2027-03-01 }], without: [phone] }
  secrets: { kind: secrets, action: redact, on: prompt }
  injection: { kind: injection, sensitivity: high }
  words: { kind: words, words: [x] }
  regex: { kind: regex, patterns: [a], ignore_case: true }
  length: { kind: length, max_chars: 5 }
  urls: { kind: urls, allow: [example.com] }
  schema: { kind: schema, schema: { type: object }, on: inference }
  listed: { kind: words, file: words.txt }
  webhook: { kind: webhook, url: "https://checks.example", timeout: 1s }
knowledge: { handbook: { files: [docs/a.md], top: 4 } }
motifs:
  bot:
    provider: openai
    fallback: mock
    model: m
    params: { max_tokens: 10, temperature: 1, stop: [x] }
    system: Be kind.
    team: support
    users: [ana]
    groups: [support]
    policies: [pii, secrets, injection, words, regex, length, urls, schema, listed, webhook]
    knowledge: [handbook]
    limits: { rpm: 6, tokens_per_day: 20, in_flight: 6 }
    tokens: [{ id: t1, sha256: ${sha256}, user: ana, created: 2026-11-20, expires: 2027-11-20 }]
`,
  'gateway.yaml',
).value;

interface Place {
  readonly path: readonly PathStep[];
  readonly value: unknown;
}

function placesIn(value: unknown, path: readonly PathStep[] = []): readonly Place[] {
  const inner = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  const steps = inner.map(([name, each]) => [Array.isArray(value) ? Number(name) : name, each] as const);
  return [{ path, value }, ...steps.flatMap(([step, each]) => placesIn(each, [...path, step]))];
}

/** The file with another value at each of some paths, as JSON, which is YAML too. */
function withValues(places: readonly Place[], wrong: unknown): string {
  const copy = structuredClone(whole) as Record<PathStep, unknown>;
  for (const { path } of places) {
    const holder = path.slice(0, -1).reduce<Record<PathStep, unknown>>((at, step) => at[step] as never, copy);
    holder[path.at(-1)!] = wrong;
  }
  return JSON.stringify(copy);
}

/** The places of one depth are wrong together, but for those that hide others, or are judged once all else is right. */
const isAlone = ({ path }: Place): boolean =>
  path.includes('params') || ['kind', 'base_url', 'fallback'].includes(String(path.at(-1)));

const places = placesIn(whole).filter(({ path }) => path.length > 0);
const depths = [1, 2, 3, 4, 5].map((depth) => places.filter((each) => each.path.length === depth && !isAlone(each)));
const groups: readonly (readonly Place[])[] = [...depths, ...places.filter(isAlone).map((place) => [place])];

const wrongs: readonly unknown[] = ['2 minutes', '', 'a text of many words', 7.5, -1, true, null, [], {}, ['x']];

/** True where it may be a secret, or a text stands where another text is expected. */
function isSilent({ path, value }: Place, wrong: unknown): boolean {
  const isText = wrong === 'a text of many words' && typeof value === 'string' && !/^\d+(?:s|ms|MiB)$/.test(value);
  return mayHoldSecret(path) || isText;
}

describe('a fault of a gateway file says what stands there instead', () => {
  test.each(wrongs.map((wrong) => ({ wrong })))('$wrong', async ({ wrong }) => {
    const silent: string[] = [];
    let told = 0;
    for (const group of groups) {
      const byPath = new Map(group.map((place) => [pathText(place.path), place]));
      const { faults } = await parse(withValues(group, wrong), { files: { 'words.txt': 'x' } });
      for (const { path, expected } of faults) {
        const place = byPath.get(path);
        if (place === undefined || !/^(?:must|is not a known word)\b/.test(expected)) continue;
        told += 1;
        if (!/; found |, in quotes$/.test(expected) && !isSilent(place, wrong)) silent.push(`${path} ${expected}`);
      }
    }
    expect(silent).toEqual([]);
    expect(told).toBeGreaterThan(20);
  });
});
