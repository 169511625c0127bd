import { Secret } from '../../../text/secret.ts';
import type { Connection } from '../../../wire/http.ts';
import type { Finding } from '../../vocabulary.ts';
import { readOptions } from '../options.ts';
import { type Inquiry, PolicyFault, type PolicyKind, type PolicyParts } from '../policy.ts';

const timeoutMsDefault = 2_000;
const timeoutMsMax = 30_000;
const connectTimeoutMs = 1_000;
const bodyBytesMax = 1 << 20;
const rulePattern = /^[a-z][a-z0-9_]{0,63}$/;

/**
 * Asks an HTTP service: POST `{"on":"prompt","texts":[…]}`, answered with 200 and
 * `{"findings":[{"rule":"topic","message":0,"start":0,"length":12}]}`; start and length may be left out where all of the
 * text is meant. Any other answer, or none in time, blocks.
 */
export const webhook: PolicyKind = {
  isPure: false,
  secrets: ['key'],
  create(options, at, parts) {
    const read = readOptions(options, at, ['url', 'key', 'timeout']);
    const url = parseUrl(read.string('url'), `${at}.url`);
    const timeoutMs = parseTimeout(read.raw('timeout'), `${at}.timeout`);
    return { ask: createInquiry({ url, key: parseKey(read.raw('key'), `${at}.key`), timeoutMs }, parts) };
  },
};

interface WebhookOptions {
  readonly url: string;
  readonly key: Secret | undefined;
  readonly timeoutMs: number;
}

function parseUrl(text: string | undefined, at: string): string {
  if (text === undefined) throw new PolicyFault(`${at} is needed: an https address`);
  if (!URL.canParse(text)) throw new PolicyFault(`${at} must be an https address`);
  const url = new URL(text);
  const isLoopback = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback)) {
    throw new PolicyFault(`${at} must be https, or http on this machine alone`);
  }
  if (url.username !== '' || url.password !== '') throw new PolicyFault(`${at} must hold no password: use key`);
  return url.href;
}

function parseKey(raw: unknown, at: string): Secret | undefined {
  if (raw === undefined || raw instanceof Secret) return raw;
  if (typeof raw !== 'string' || !/^[\x21-\x7e]+$/.test(raw))
    throw new PolicyFault(`${at} must be a text of printable ASCII`);
  return new Secret(raw);
}

/** Milliseconds once the gateway file is parsed; as typed, a number with ms or s. */
function parseTimeout(raw: unknown, at: string): number {
  if (raw === undefined) return timeoutMsDefault;
  const [, digits, unit] = /^(\d{1,6})(ms|s)$/.exec(typeof raw === 'string' ? raw : '') ?? [];
  const timeoutMs = typeof raw === 'number' ? raw : Number(digits) * (unit === 's' ? 1_000 : 1);
  if (!(Number.isInteger(timeoutMs) && timeoutMs > 0 && timeoutMs <= timeoutMsMax)) {
    throw new PolicyFault(`${at} must be a duration up to ${timeoutMsMax / 1_000}s, as 500ms or 2s`);
  }
  return timeoutMs;
}

function createInquiry({ url, key, timeoutMs }: WebhookOptions, { send, now }: PolicyParts): Inquiry {
  // One value for all requests, so that they share open connections.
  const connection: Connection = { connectTimeoutMs: Math.min(connectTimeoutMs, timeoutMs) };
  return async function webhook(texts, side, { deadlineAt, signal }) {
    if (send === undefined) throw new Error('a webhook cannot be asked offline');
    const headers = {
      accept: 'application/json',
      'accept-encoding': 'identity',
      'content-type': 'application/json',
      ...(key !== undefined && { authorization: { scheme: 'Bearer' as const, token: key } }),
    };
    const reply = await send(
      { method: 'POST', url, headers, body: JSON.stringify({ on: side, texts }) },
      {
        connection,
        deadlineAt: Math.min(deadlineAt, (now?.() ?? Date.now()) + timeoutMs),
        bodyBytesMax,
        ...(signal && { signal }),
      },
    );
    if (reply.status !== 200) throw new Error(`the webhook answered ${reply.status}`);
    return parseFindings(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(reply.body)), texts);
  };
}

function parseFindings(value: unknown, texts: readonly string[]): Finding[][] {
  const listed = (value as { readonly findings?: unknown } | null)?.findings;
  if (!Array.isArray(listed)) throw new Error('findings must be an array');
  const found: Finding[][] = texts.map(() => []);
  for (const entry of listed as unknown[]) {
    const { rule, message, start = 0, length } = (entry ?? {}) as Readonly<Record<string, unknown>>;
    const text = texts[Number(message)];
    if (typeof rule !== 'string' || !rulePattern.test(rule) || !isCount(message) || text === undefined)
      throw new Error('not a finding');
    const rest = isCount(start) ? text.length - start : -1;
    const extent = length ?? rest;
    if (!isCount(start) || !isCount(extent) || extent > rest) throw new Error('a place outside of its text');
    found[message]!.push({ rule, start, length: extent });
  }
  return found;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
