import { byKind } from '../../documents/by-kind.ts';
import {
  about,
  anything,
  byDefault,
  duration,
  flag,
  fraction,
  type KeyRule,
  list,
  moment,
  object,
  oneOf,
  record,
  type Shape,
  shaped,
  size,
  text,
  whole,
} from '../../documents/shape.ts';
import { motifIdCharactersMax, tenantCharactersMax } from '../../text/limits.ts';
import { type Fields, isFields } from '../../text/json/json.ts';
import { fallbackCauses, type ProviderKind } from '../config.ts';
import { policyWorkDefault } from '../policies/readings/work-budget.ts';
import { policyShape } from './policies.ts';

/** The gateway file, key by key: the parser reads by this, and `gateway.schema.json` is made of it. */

const hourMs = 3_600_000;

const namePattern = /^[A-Za-z0-9_-]{1,64}$/;
const nameRule: KeyRule = { pattern: namePattern, expected: 'at most 64 letters, digits, - and _' };
/** A Motif ID has only characters that need no encoding in an address. */
export const motifIdRule: KeyRule = {
  pattern: new RegExp(`^(?!\\.{1,2}$)[A-Za-z0-9._~-]{1,${motifIdCharactersMax}}$`),
  expected: `at most ${motifIdCharactersMax} letters, digits, -, _, . and ~`,
};

/** Models are named by their makers: `meta/llama-3.1:8b`. */
const modelRule: KeyRule = { pattern: /^[\x21-\x7e]{1,256}$/, expected: 'at most 256 characters without blanks' };

const name = () => text(nameRule.expected, nameRule.pattern);
const person = () => text('a name without control characters', /^[^\u0000-\u001f\u007f-\u009f]{1,256}$/);
const tenantId = () => text('printable ASCII without blanks', new RegExp(`^[\\x21-\\x7e]{1,${tenantCharactersMax}}$`));
const url = (expected = 'an http:// or https:// address') => text(expected, /^https?:\/\/[^\s\\@#?]+$/i);

const workers = shaped<number | 'auto'>(
  { anyOf: [{ type: 'integer', minimum: 1, maximum: 256 }, { const: 'auto' }] },
  'a whole number from 1 to 256, or auto: one for each core',
  (value) =>
    value === 'auto' || (Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 256)
      ? (value as number)
      : undefined,
);

const listen = object(
  {},
  {
    host: byDefault('127.0.0.1', 'the address to listen on', text()),
    port: byDefault(8080, '0 takes a free one', whole(0, 65_535)),
    workers: byDefault(1, 'processes that share the port', workers),
    public_url: about('where clients reach the gateway, as admin create prints it', url()),
    tls: about('PEM files, read again on reload', object({ cert: text(), key: text() }, {})),
    allow_http: byDefault(false, 'plain HTTP to other machines, for TLS that ends in front', flag()),
  },
);

const placesShape = whole(1, 1_000_000);

const limits = object(
  {},
  {
    body: byDefault('1MiB', 'of a request', size(1024, 16 * 1024 * 1024, 'from 1KiB to 16MiB')),
    messages: byDefault(256, 'in a request', whole(1, 100_000)),
    provider_timeout: byDefault('120s', 'for all attempts at a provider', duration(1, hourMs, 'from 1ms to 1h')),
    in_flight: byDefault(512, 'prompts at once', placesShape),
    policy_work: byDefault(
      policyWorkDefault,
      'characters that judging a prompt or an answer may read',
      whole(1_000_000, 1_000_000_000_000),
    ),
  },
);

/** The limits of a Motif, and of a token. */
const usageLimits = object(
  {},
  {
    rpm: about('prompts a minute', whole(1, 10_000_000)),
    tokens_per_day: about('of prompts and answers; a day ends at midnight in UTC', whole(1, Number.MAX_SAFE_INTEGER)),
    in_flight: about('prompts at once', placesShape),
  },
);

const audit = object(
  { file: about('a JSON line for each prompt, from the folder of this file', text()) },
  {
    text: byDefault(false, 'keep the texts that passed, too', flag()),
    when_full: byDefault('refuse', 'what happens to prompts that cannot be audited', oneOf('refuse', 'warn')),
  },
);

const prices = about(
  'by model, for a million tokens; for motif admin audit stats',
  record(object({ prompt: fraction(1_000_000), completion: fraction(1_000_000) }, {}), modelRule),
);

const providerOptions = {
  base_url: url(),
  key: about('"${VARIABLE}" or "${file:PATH}"', text()),
  headers: record(text(), { pattern: /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$/, expected: 'the name of a header' }),
  timeout: about('default: provider_timeout of limits', duration(1, hourMs, 'from 1ms to 1h')),
  retries: byDefault(2, 'retries, only where the prompt did not reach the model', whole(0, 10)),
  retry_reused: byDefault(
    true,
    'also send a request again if its kept connection closed before a byte came back',
    flag(),
  ),
  proxy: about('an address; "${VARIABLE}" where it holds a password', text()),
  ca: about('PEM file of a private CA, from the folder of this file', text()),
  prices,
};

const { base_url, key, ...otherProviderOptions } = providerOptions;

/** One row a kind of provider; where a kind has no options of its own, it is `upstream`. */
const upstream = object({}, providerOptions);

const provider = byKind({
  openai: upstream,
  azure: object({ base_url, deployment: name(), api_version: text() }, { key, ...otherProviderOptions }),
  anthropic: upstream,
  gemini: upstream,
  mock: object(
    {},
    {
      mode: byDefault('echo', 'what it answers', oneOf('echo', 'quote', 'script')),
      script: about('answers in turn, for mode script', list(text())),
      latency: byDefault('0s', 'time until it answers', duration(0, hourMs, 'up to 1h')),
      fail_rate: byDefault(0, 'share of prompts that fail', fraction(1)),
      seed: byDefault(1, 'decides which of them fail', whole(0, 2 ** 32 - 1)),
      prices,
    },
  ),
} satisfies Readonly<Record<ProviderKind, Shape<object>>>);

/** Read as it stands, for what its kind wants of it has to be fetched first. */
const policy: Shape<Fields> = {
  schema: policyShape.schema,
  read: (value, spot) => (isFields(value) ? value : spot.fault(`must be a map with a kind${spot.foundInstead(value)}`)),
};

const texts = shaped<readonly string[]>(
  {
    anyOf: [
      { type: 'string', pattern: '[\\s\\S]' },
      { type: 'array', minItems: 1, items: { type: 'string', pattern: '[\\s\\S]' } },
    ],
  },
  'a text, or a list of texts',
  (value) => {
    const entries: readonly unknown[] = Array.isArray(value) ? value : [value];
    return entries.length > 0 && entries.every((entry) => typeof entry === 'string' && entry !== '')
      ? (entries as string[])
      : undefined;
  },
);

const knowledge = object(
  { files: about('patterns, from the folder of this file', texts) },
  { top: byDefault(4, 'how many passages go to the provider', whole(1, 100)) },
);

const token = object(
  { id: name(), sha256: about("the SHA-256 of the token's text", text('64 lower-case hex digits', /^[0-9a-f]{64}$/)) },
  {
    user: about('whose token it is; default: of no user', person()),
    team: about('for statistics; default: that of the Motif', name()),
    created: moment(),
    expires: about('from then on it is no longer accepted', moment()),
    replaced_by: about('the ID of the token that rotate made in its place', name()),
    limits: about('for this token alone', usageLimits),
  },
);

const fallbackMap = object(
  { provider: name() },
  {
    model: about('default: that of the Motif', text()),
    on: about(
      'default: not_sent and limited; after any other cause the first provider may have worked on it, and be paid',
      list(oneOf(...fallbackCauses)),
    ),
  },
);

/** The name of a provider, or more about it. */
const fallback: typeof fallbackMap = {
  schema: { anyOf: [name().schema, fallbackMap.schema] },
  read: (value, spot) => fallbackMap.read(typeof value === 'string' ? { provider: value } : value, spot),
};

/** A Motif of the file. */
export const motifShape = object(
  { provider: about('the name of a provider above', name()) },
  {
    name: person(),
    fallback: about('the provider that is asked when the first one fails', fallback),
    model: text(),
    params: about('max_tokens, temperature and others, for the provider', record(anything(), nameRule)),
    system: about('stands before what clients send', text()),
    team: about('for statistics', name()),
    users: about('whose tokens need no tenant ID', list(person())),
    groups: about('names of groups above', list(name())),
    policies: about('names of policies above, in the order in which they are named in an audit', list(name())),
    knowledge: about('names of knowledge bases above', list(name())),
    limits: about('for all its tokens together', usageLimits),
    tokens: about('made by motif admin create and rotate', list(token)),
  },
);

export const gatewayShape = object(
  { providers: record(provider, nameRule), motifs: record(motifShape, motifIdRule) },
  {
    tenant: about('the tenant ID that clients send', tenantId()),
    listen,
    limits,
    audit,
    admin: about(
      '/livez, /readyz and /metrics; without this key there is no such port',
      object(
        {},
        {
          host: byDefault('127.0.0.1', 'the address to listen on', text()),
          port: byDefault(9464, '0 takes a free one', whole(0, 65_535)),
        },
      ),
    ),
    groups: about('names of users by group', record(list(person()), nameRule)),
    policies: record(policy, nameRule),
    knowledge: record(knowledge, nameRule),
  },
);

export type UsageLimitsFile = NonNullable<ReturnType<typeof usageLimits.read>>;

/** The file with everything in it read, but no name looked up and no secret fetched. */
export type GatewayFile = NonNullable<ReturnType<typeof gatewayShape.read>>;

export const gatewaySchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'The gateway file of motif serve',
  ...gatewayShape.schema,
};
