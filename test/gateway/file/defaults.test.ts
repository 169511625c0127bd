import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { gatewaySchema } from '../../../src/gateway/file/shape.ts';
import { parsed } from './config-file.ts';

interface Schema {
  readonly default?: unknown;
  readonly description?: string;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
  readonly const?: string;
}

interface Option {
  /** Names of the keys down to it; a map of names has the kind, or `any`, in its place. */
  readonly path: readonly string[];
  readonly schema: Schema;
}

/** The options of the file that hold no others. */
function optionsOf(schema: Schema, path: readonly string[] = []): readonly Option[] {
  const { properties, additionalProperties: item, anyOf = [] } = schema;
  const kinds = anyOf.filter((each) => each.properties?.kind !== undefined);
  if (kinds.length > 0)
    return kinds.flatMap((each) => optionsOf(each, [...path.slice(0, -1), each.properties!.kind!.const!]));
  if (properties !== undefined)
    return Object.entries(properties).flatMap(([name, each]) => optionsOf(each, [...path, name]));
  if (typeof item === 'object') return optionsOf(item, [...path, 'any']);
  return path.at(-1) === 'kind' ? [] : [{ path, schema }];
}

const options = optionsOf(gatewaySchema as Schema).map((each) => ({ ...each, name: each.path.join('.') }));
const withDefault = options.filter(({ schema }) => schema.default !== undefined);

/** A file that has a policy and a provider of each kind, each by the name of its kind. */
const base = {
  listen: {},
  limits: {},
  audit: { file: 'a.jsonl' },
  admin: {},
  providers: {
    openai: { kind: 'openai' },
    azure: { kind: 'azure', base_url: 'https://x.example', deployment: 'd', api_version: 'v' },
    anthropic: { kind: 'anthropic' },
    gemini: { kind: 'gemini' },
    mock: { kind: 'mock' },
  },
  policies: {
    words: { kind: 'words', words: ['x'] },
    regex: { kind: 'regex', pattern: 'a' },
    pii: { kind: 'pii' },
    secrets: { kind: 'secrets' },
    injection: { kind: 'injection' },
    invisible: { kind: 'invisible' },
    length: { kind: 'length', max_chars: 5 },
    urls: { kind: 'urls' },
    schema: { kind: 'schema', schema: { type: 'object' } },
    webhook: { kind: 'webhook', url: 'https://w.example' },
  },
  knowledge: { any: { files: 'x' } },
  motifs: {},
};

function configOf(file: object) {
  return parsed(JSON.stringify(file));
}

function written(path: readonly string[], value: unknown): object {
  const file = structuredClone(base) as Record<string, unknown>;
  let at = file;
  for (const name of path.slice(0, -1)) at = at[name] as Record<string, unknown>;
  at[path.at(-1)!] = value;
  return file;
}

/** These are read as absent, and the default applies where they are used. */
const appliedLater = ['limits.policy_work', 'policies.webhook.timeout'];

describe('the defaults of the gateway file', () => {
  const parsedAtOnce = withDefault.filter(({ name }) => !appliedLater.includes(name));

  test.each(parsedAtOnce)('$name: the schema has what the parser takes for it', async ({ path, schema }) => {
    const { hash: _, ...without } = await configOf(base);
    const { hash: _other, ...explicit } = await configOf(written(path, schema.default));
    expect(explicit).toEqual(without);
  });

  const pages = ['gateway', 'policies']
    .map((page) => readFileSync(`src/manual/${page}.md`, 'utf8'))
    .join('\n')
    .replace(/\s+/g, ' ');

  test.each(withDefault)('$name: a page of the manual names it', ({ path, schema }) => {
    expect(pages).toContain(`${path.at(-1)}: ${String(schema.default)}`);
    expect(schema.description).not.toBe(undefined);
  });

  test('each switch and each choice has one', () => {
    const bare = options.filter(({ schema }) => schema.type === 'boolean' || schema.enum !== undefined);
    expect(bare.filter(({ schema }) => schema.default === undefined).map(({ name }) => name)).toEqual([]);
  });

  test('each option of a policy has words', () => {
    const ofPolicies = options.filter(({ path }) => path[0] === 'policies');
    expect(ofPolicies.length).toBeGreaterThan(40);
    expect(ofPolicies.filter(({ schema }) => schema.description === undefined).map(({ name }) => name)).toEqual([]);
  });
});
