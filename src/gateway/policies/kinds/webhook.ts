import { secretText } from '../../../documents/fetched.ts';
import { about, byDefault, duration, object, type Shape } from '../../../documents/shape.ts';
import { parseSoundJson } from '../../../text/json/sound.ts';
import type { Secret } from '../../../text/secret.ts';
import { isForbiddenAddress, isForbiddenHost } from '../../../wire/forbidden-host.ts';
import { type Connection, isLoopback, parseProxyRoute, proxyExpected, type ProxyRoute } from '../../../wire/http.ts';
import type { Finding } from '../../vocabulary.ts';
import { type Inquiry, policyKind, type PolicyParts } from '../policy.ts';

const timeoutMsDefault = 2_000;
const timeoutMsMax = 3_600_000;
const bodyBytesMax = 1 << 20;
/** Keys of an answer, and what takes as long to make: some 6,000 findings. */
const answerKeysMax = 30_000;
const rulePattern = /^[a-z][a-z0-9_]{0,63}$/;

const address: Shape<string> = {
  schema: { type: 'string', pattern: '^[Hh][Tt][Tt][Pp][Ss]?://' },
  read(value, spot) {
    if (typeof value !== 'string' || !URL.canParse(value))
      return spot.fault(`must be an https address${spot.foundAny(value)}`);
    const { protocol, hostname, username, password, href } = new URL(value);
    if (protocol !== 'https:' && !(protocol === 'http:' && isLoopback(hostname)))
      return spot.fault('must be https, or http on this machine alone');
    if (isForbiddenHost(hostname))
      return spot.fault('must not be the address of a metadata service, a network or nobody');
    return username !== '' || password !== '' ? spot.fault('must hold no password: use key') : href;
  },
};

/** A password in it is a secret, so that it may come from a variable or a file. */
const proxyAddress = secretText((secret, spot) => parseProxyRoute(secret.reveal()) ?? spot.fault(proxyExpected));

/**
 * Asks an HTTP service: POST `{"on":"prompt","texts":[…]}`, answered with 200 and
 * `{"findings":[{"rule":"topic","message":0,"start":0,"length":12}]}`; start and length may be left out where all of
 * the text is meant. Any other answer, or none in time, blocks.
 */
export const webhook = policyKind({
  isPure: false,
  rules: rulePattern,
  options: object(
    { url: about('the service that is asked', address) },
    {
      key: about(
        '"${VARIABLE}" or "${file:PATH}"',
        secretText((secret) => secret),
      ),
      timeout: byDefault('2s', 'for one question', duration(1, timeoutMsMax, 'from 1ms to 1h')),
      proxy: about('an address; "${VARIABLE}" where it holds a password', proxyAddress),
    },
  ),
  create: (options, parts) => ({ ask: createInquiry(options, parts) }),
});

interface WebhookOptions {
  readonly url: string;
  readonly key: Secret | undefined;
  readonly timeout: number | undefined;
  readonly proxy: ProxyRoute | undefined;
}

function createInquiry(
  { url, key, timeout: timeoutMs = timeoutMsDefault, proxy }: WebhookOptions,
  { send, monotonic, holdsSecret = () => false, onUnasked }: PolicyParts,
): Inquiry {
  // One value for all requests, so that they share open connections.
  const connection: Connection = {
    connectTimeoutMs: timeoutMs,
    isForbidden: isForbiddenAddress,
    onUnasked,
    ...(proxy && { proxy }),
  };
  return async function webhook(texts, side, { deadlineAt, signal, traceparent, received, inTurn = unshared }) {
    if (send === undefined || monotonic === undefined) throw new Error('a webhook cannot be asked offline');
    const headers = {
      accept: 'application/json',
      'accept-encoding': 'identity',
      'content-type': 'application/json',
      ...(traceparent !== undefined && { traceparent }),
      ...(key !== undefined && { authorization: { scheme: 'Bearer' as const, token: key } }),
    };
    const body = await inTurn(() => Buffer.from(JSON.stringify({ on: side, texts })));
    const reply = await send(
      { method: 'POST', url, headers, body },
      {
        connection,
        deadlineAt: Math.min(deadlineAt, monotonic() + timeoutMs),
        bodyBytesMax,
        received,
        ...(signal && { signal }),
        // To ask a judge twice does no harm; without this a kept connection that had closed would block the prompt.
        onResend: () => undefined,
      },
    );
    if (reply.status !== 200) throw new Error(`the webhook answered ${reply.status}`);
    const decoder = new TextDecoder('utf-8', { fatal: true });
    const value = await inTurn(() => parseSoundJson(decoder.decode(reply.body), answerKeysMax));
    const findings = await inTurn(() => parseFindings(value, texts));
    // The names of rules go into the audit.
    const rules = new Set(findings.flat().map(({ rule }) => rule));
    if (await inTurn(() => [...rules].some(holdsSecret))) throw new Error('a rule that is named by a secret');
    return findings;
  };
}

/** For whoever has nobody else that waits. */
function unshared<T>(part: () => T): T {
  return part();
}

function parseFindings(value: unknown, texts: readonly string[]): Finding[][] {
  const listed = (value as { readonly findings?: unknown } | null)?.findings;
  if (!Array.isArray(listed)) throw new Error('findings must be an array');
  const found: Finding[][] = texts.map(() => []);
  for (const entry of listed as unknown[]) {
    const { rule, message, start = 0, length } = (entry ?? {}) as Readonly<Record<string, unknown>>;
    const text = texts[Number(message)];
    if (typeof rule !== 'string' || !isRule(rule) || !isCount(message) || text === undefined)
      throw new Error('not a finding');
    const rest = isCount(start) ? text.length - start : -1;
    const extent = length ?? rest;
    // A place of no length would have nothing hidden, with a mark beside it.
    const isNowhere = extent === 0 && text !== '';
    if (!isCount(start) || !isCount(extent) || extent > rest || isNowhere) throw new Error('no place in its text');
    found[message]!.push({ rule, ...wholeCharacters(text, start, start + extent) });
  }
  return found;
}

/** The name that says that a policy could not judge is ours alone. */
function isRule(name: string): boolean {
  return rulePattern.test(name) && name !== 'policy_failed';
}

/** A service that counts otherwise may name half of a surrogate pair; what is left of one would be no text. */
function wholeCharacters(text: string, start: number, end: number): Pick<Finding, 'start' | 'length'> {
  const from = start - (splitsPair(text, start) ? 1 : 0);
  const to = end + (splitsPair(text, end) ? 1 : 0);
  return { start: from, length: to - from };
}

function splitsPair(text: string, at: number): boolean {
  return at > 0 && text.codePointAt(at - 1)! > 0xffff;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
