import fc from 'fast-check';
import { gzipSync } from 'node:zlib';
import type { OraclePlace } from './oracle.ts';
import { talkative, ways as providerWays } from '../servers/answer-ways.ts';

/** An answer of a webhook, written by hand, with the places that it names, or undefined where it is none. */
interface HookAnswer {
  readonly body: string;
  readonly places: readonly OraclePlace[] | undefined;
}

/** The answer of a webhook, whatever texts it is asked about. */
interface HookPlan {
  readonly wishes: readonly Wish[];
  /** Numbers in the lists below. */
  readonly fault: { readonly number: number; readonly at: number } | undefined;
  readonly wrapper: number;
  readonly spoiler: number | undefined;
}

/** The same number in other figures, as JSON allows. */
const figures = {
  plain: String,
  'with a point': (value: number) => `${value}.0`,
  'with an exponent': (value: number) => `${value}e0`,
  'with a large exponent': (value: number) => (value === 0 ? '0E5' : `${value}00E-2`),
  negative: (value: number) => (value === 0 ? '-0' : String(value)),
} as const;

const rules = ['topic', 'mood', 'x_9', 'constructor', `a${'b'.repeat(63)}`] as const;

interface Wish {
  readonly rule: string;
  readonly message: number;
  readonly from: number;
  readonly to: number;
  readonly isWhole: boolean;
  readonly asFigures: keyof typeof figures;
  readonly times: number;
}

/** A finding in one of the texts, wherever its numbers fall. */
const wish: fc.Arbitrary<Wish> = fc.record({
  rule: fc.constantFrom(...rules),
  message: fc.nat(99),
  from: fc.oneof(fc.nat(40), fc.nat(100_000)),
  to: fc.oneof(fc.nat(3), fc.nat(40), fc.nat(100_000)),
  isWhole: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, fc.constant(true)),
  asFigures: fc.constantFrom(...(Object.keys(figures) as (keyof typeof figures)[])),
  times: fc.oneof({ weight: 12, arbitrary: fc.constant(1) }, fc.integer({ min: 2, max: 4 }), fc.constant(1200)),
});

function granted({ rule, message: wished, from, to, isWhole, asFigures }: Wish, texts: readonly string[]) {
  const message = wished % texts.length;
  const { length } = texts[message]!;
  const write = figures[asFigures];
  const head = `{"rule":"${rule}","message":${write(message)}`;
  if (isWhole || length === 0) return { json: `${head}}`, place: { rule, message, start: 0, length } };
  const start = from % length;
  const extent = 1 + (to % (length - start));
  const json = `${head},"start":${write(start)},"length":${write(extent)}}`;
  return { json, place: { rule, message, start, length: extent } };
}

/** Entries that are no findings, in texts of which the first is so long. */
const faults: readonly ((length: number, count: number) => string)[] = [
  ...['null', '5', '"topic"', '[]', '{}', 'true'].map((json) => () => json),
  ...['"0"', '-1', '0.5', '1e308', '-1e308', 'null', 'true', '[0]', '1e-1', '99999999999999999999'].map(
    (json) => () => `{"rule":"topic","message":${json}}`,
  ),
  (_, count) => `{"rule":"topic","message":${count}}`,
  () => '{"rule":"topic"}',
  () => '{"message":0}',
  ...['"Topic"', '""', '"a-b"', '"a b"', '"policy_failed"', '"\\u00e4"', '"a\\n"', '5', 'null', '["topic"]'].map(
    (json) => () => `{"rule":${json},"message":0}`,
  ),
  ...['"0"', '-1', '0.5', '1e308', 'true', '[0]', '{}', '9007199254740993', '4294967296'].flatMap((json) => [
    () => `{"rule":"topic","message":0,"start":${json},"length":1}`,
    () => `{"rule":"topic","message":0,"start":0,"length":${json}}`,
  ]),
  // Of a text that is empty this is all.
  (length) => `{"rule":"topic","message":0,"start":0,"length":${length === 0 ? 1 : 0}}`,
  (length) => `{"rule":"topic","message":0,"start":0,"length":${length === 0 ? 1 : '-0'}}`,
  (length) => `{"rule":"topic","message":0,"start":${length},"length":1}`,
  (length) => `{"rule":"topic","message":0,"start":0,"length":${length + 1}}`,
  (length) => `{"rule":"topic","message":0,"start":1,"length":${length}}`,
  () => '{"rule":"topic","message":0,"message":0}',
];

/** Bodies around the findings that are no answer. */
const spoilers: readonly ((findings: string) => string)[] = [
  () => '',
  () => 'OK',
  () => 'null',
  () => '[]',
  () => '{}',
  () => '{"findings":null}',
  () => '{"findings":{}}',
  () => '{"findings":"[]"}',
  () => '{"Findings":[]}',
  (findings) => findings,
  (findings) => `{"findings":${findings}`,
  (findings) => `{"findings":${findings}}}`,
  (findings) => `{"findings":${findings},}`,
  (findings) => `{"findings":${findings},"findings":[]}`,
  (findings) => `{"findings":${findings},"f\\u0069ndings":[]}`,
  (findings) => `{"findings":[[${findings}]]}`,
  (findings) => `{'findings':${findings}}`,
  (findings) => `{"findings":${findings},"more":NaN}`,
  (findings) => `{"findings":${findings},"more":"${'x'.repeat(1 << 20)}"}`,
  (findings) => `{"findings":${findings},"more":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
];

/** Bodies around the findings that are one. */
const wrappers: readonly ((findings: string) => string)[] = [
  (findings) => `{"findings":${findings}}`,
  (findings) => ` {\n"findings" :\t${findings}\r\n}`,
  (findings) => `{"f\\u0069ndings":${findings}}`,
  (findings) => `{"more":{"findings":[5]},"findings":${findings},"error":null,"__proto__":{"findings":[]}}`,
  (findings) => `{"more":"${'x'.repeat(300_000)}","findings":${findings}}`,
];

const isRare = { weight: 15, arbitrary: fc.constant(undefined) };

const hookPlan: fc.Arbitrary<HookPlan> = fc.record({
  wishes: fc.oneof(fc.constant<Wish[]>([]), { weight: 4, arbitrary: fc.array(wish, { maxLength: 8 }) }),
  fault: fc.oneof(isRare, fc.record({ number: fc.nat(faults.length - 1), at: fc.nat(8) })),
  wrapper: fc.nat(wrappers.length - 1),
  spoiler: fc.oneof(isRare, fc.nat(spoilers.length - 1)),
});

export function hookAnswer({ wishes, fault, wrapper, spoiler }: HookPlan, texts: readonly string[]): HookAnswer {
  const made = wishes.flatMap((one) => Array<ReturnType<typeof granted>>(one.times).fill(granted(one, texts)));
  const entries = made.map(({ json }) => json);
  if (fault !== undefined) entries.splice(fault.at, 0, faults[fault.number]!(texts[0]!.length, texts.length));
  const findings = `[${entries.join(',')}]`;
  const wrap = spoiler === undefined ? wrappers[wrapper]! : spoilers[spoiler]!;
  const body = wrap(findings);
  const isNone = fault !== undefined || spoiler !== undefined || isTooLarge(body, entries.length);
  return { body, places: isNone ? undefined : made.map(({ place }) => place) };
}

/** True for more than a MiB, or some 6,000 findings. */
function isTooLarge(body: string, findings: number): boolean {
  return body.length > 1 << 20 || findings > 6000;
}

type Way = (typeof providerWays)[string];

const status = (line: string): Way => [
  'bad',
  (socket, body, head) => socket.write(`HTTP/1.1 ${line}\r\n${head}content-length: ${body.length}\r\n\r\n${body}`),
];
const compressed = (more: string): Way => [
  'bad',
  (socket, body, head) => {
    const bytes = gzipSync(body);
    socket.write(`HTTP/1.1 200 OK\r\n${head}${more}content-length: ${bytes.length}\r\n\r\n`);
    socket.write(bytes);
  },
];

/** The ways of providers, and those in which a webhook alone could be misread. */
export const ways: Readonly<Record<string, Way>> = {
  ...providerWays,
  partly: status('206 Partial Content'),
  'as created': status('201 Created'),
  'as accepted': status('202 Accepted'),
  'moved to where nothing is found': status('302 Found\r\nlocation: /empty'),
  'moved for good': status('308 Permanent Redirect\r\nlocation: /empty'),
  'not to be found': status('404 Not Found'),
  'that it wants a key': status('401 Unauthorized\r\nwww-authenticate: Bearer'),
  'compressed with gzip': compressed('content-encoding: gzip\r\n'),
  'compressed, as it does not say': compressed(''),
};
/** Without those that readers of HTTP take differently, and a reset in the middle of a large body. */
const wayNames = Object.keys(ways).filter((name) => ways[name]![0] !== 'either' && !name.startsWith('and resets'));

const quietNames = wayNames.filter((name) => !talkative.has(name));

/** The answer to one question, and the way in which it goes out. */
export interface AnswerPlan {
  readonly plan: HookPlan;
  readonly way: string;
}

export const answerPlan: fc.Arbitrary<AnswerPlan> = fc.record({
  plan: hookPlan,
  way: fc.oneof({ weight: 8, arbitrary: fc.constant('with its length') }, fc.constantFrom(...quietNames)),
});

const plain = { wishes: [], fault: undefined, wrapper: 0, spoiler: undefined } as const;
export const nothingFound: AnswerPlan = { plan: plain, way: 'with its length' };

/** Each fault of an answer by itself, and each way to send one. */
export const eachPlan: readonly AnswerPlan[] = [
  ...faults.map((_, number) => ({ ...nothingFound, plan: { ...plain, fault: { number, at: 0 } } })),
  ...spoilers.map((_, spoiler) => ({ ...nothingFound, plan: { ...plain, spoiler } })),
  ...wrappers.map((_, wrapper) => ({ ...nothingFound, plan: { ...plain, wrapper } })),
  ...wayNames.map((way) => ({ ...nothingFound, way })),
];
