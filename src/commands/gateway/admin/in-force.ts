import { MotifError, TransportError } from '../../../errors.ts';
import type { GatewayConfig } from '../../../gateway/config.ts';
import { configsIn, isFileRefusedIn } from '../../../gateway/records/metrics.ts';
import { answerBytesMax } from '../../../text/limits.ts';
import { printDocument } from '../../../terminal/output.ts';
import type { World } from '../../../world/world.ts';
import type { Run } from '../../shared/run.ts';
import { readGateway, sourceOf } from './file.ts';
import type { AdminFlags } from './flags.ts';

/** A change of the gateway file, as the gateway that serves it sees it. */
interface InForce {
  /** Null where it cannot be known. */
  readonly isInForce: boolean | null;
  readonly words: string;
}

/** A gateway file before a change of its tokens and after it. */
interface ChangedFile {
  readonly before: GatewayConfig;
  readonly config: GatewayConfig;
}

/** A gateway notices a changed file within a second; one with thousands of Motifs needs some more to read it. */
const patienceMs = 5_000;
const pollMs = 250;
const anywhere: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' };

/** Words by what was found at the admin port that is no gateway with this file. */
const unknownWords = {
  nothing: (place: string) =>
    `no gateway answers at ${place}: the change is in force once one is started (one that runs without this admin port reads it within a second)`,
  silence: (place: string) =>
    `cannot tell whether the change is in force: ${place} takes connections and does not answer`,
  another: (place: string) =>
    `cannot tell whether the change is in force: the gateway at ${place} serves another file, or an older version of this one`,
  begins: (place: string) =>
    `cannot tell whether the change is in force: the gateway at ${place} serves no file yet, or is about to end`,
  other: (place: string) =>
    `cannot tell whether the change is in force: something else than a gateway with a file answers at ${place}`,
};

/** Says whether a change is in force, and prints the document of the command; fails where it is known not to be. */
export async function tellInForce(
  changed: ChangedFile,
  run: Run<AdminFlags>,
  facts: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { world, flags, notice } = run;
  const { isInForce, words } = await askInForce(changed, run);
  const failure = isInForce === false ? new MotifError('failed', words) : undefined;
  if (failure === undefined) notice(words);
  const document = { ok: failure === undefined, ...facts, in_force: isInForce, error: null };
  if (flags.json) await printDocument(document, flags, world);
  if (failure === undefined) return;
  failure.hasDocument = flags.json === true;
  throw failure;
}

/** Asks the gateway at the admin port of the file until it serves the file as it is now. */
async function askInForce(changed: ChangedFile, { world, flags }: Run<AdminFlags>): Promise<InForce> {
  const { admin, hash } = changed.config;
  if (admin === undefined || admin.port === 0) {
    const words =
      'a gateway that serves this file reads the change within a second; to see here that it did, put admin: { port: 9464 } into the file and start the gateway again';
    return { isInForce: null, words };
  }
  const host = anywhere[admin.host] ?? (admin.host.includes(':') ? `[${admin.host}]` : admin.host);
  const place = `${host}:${admin.port}`;
  const until = world.monotonic() + patienceMs;
  let isOfThisFile = false;
  for (;;) {
    const served = await servedAt(`http://${place}/metrics`, until, world);
    if (served === 'begins' && world.monotonic() < until) {
      await world.sleep(pollMs);
      continue;
    }
    if (typeof served === 'string') return { isInForce: null, words: unknownWords[served](place) };
    const { hashes, isFileRefused } = served;
    if (hashes.every((each) => each === hash))
      return { isInForce: true, words: `in force: the gateway at ${place} serves the file as it is now` };
    const isOneBefore = hashes.includes(changed.before.hash);
    // A process that hangs may serve one that is older yet, while another one has taken the change over.
    isOfThisFile = isOneBefore || hashes.includes(hash);
    const later = isOneBefore ? undefined : await readGateway(sourceOf(flags, world), world).catch(() => undefined);
    const kept = later !== undefined && isKept(changed, later.config) ? later.config.hash : hash;
    if (hashes.every((each) => each === hash || each === kept))
      return {
        isInForce: true,
        words: `in force: the gateway at ${place} serves the file as somebody changed it since`,
      };
    if (world.monotonic() >= until) {
      if (isOfThisFile || !isFileRefused) break;
      const words = `NOT in force: the gateway at ${place} has refused the gateway file that it read last, and serves an earlier one; its log says why`;
      return { isInForce: false, words };
    }
    await world.sleep(pollMs);
  }
  if (!isOfThisFile) return { isInForce: null, words: unknownWords.another(place) };
  const words = `NOT in force: the gateway at ${place} still serves the file as it was before; its log says why, or a worker of it hangs`;
  return { isInForce: false, words };
}

/** True where each token that a change made, ended or took away is in a later file as the change left it. */
function isKept({ before, config }: ChangedFile, later: GatewayConfig): boolean {
  const [old, changed, now] = [endsOf(before), endsOf(config), endsOf(later)];
  const tokens = [...new Set([...old.keys(), ...changed.keys()])];
  return tokens.every((token) => old.get(token) === changed.get(token) || now.get(token) === changed.get(token));
}

/** Each token of each Motif, and when it ends. */
function endsOf({ motifs }: GatewayConfig): ReadonlyMap<string, string> {
  const tokens = [...motifs.values()].flatMap((motif) => motif.tokens.map((token) => ({ ...token, motif })));
  return new Map(tokens.map(({ motif, sha256, expiresAt }) => [`${motif.id} ${sha256}`, String(expiresAt)]));
}

interface Served {
  readonly hashes: readonly string[];
  readonly isFileRefused: boolean;
}

/** The hashes of the files that the processes of a gateway serve, or what is there in its place. */
async function servedAt(url: string, deadlineAt: number, world: World): Promise<Served | keyof typeof unknownWords> {
  try {
    const reply = await world.send(
      { method: 'GET', url, headers: { accept: 'text/plain', 'accept-encoding': 'identity' }, body: '' },
      {
        connection: { connectTimeoutMs: 1_000 },
        deadlineAt: Math.max(deadlineAt, world.monotonic() + 1_000),
        bodyBytesMax: answerBytesMax,
      },
    );
    const page = reply.status === 200 ? new TextDecoder().decode(reply.body) : '';
    const hashes = configsIn(page);
    const isOfMetrics = reply.status === 200 && reply.headers['content-type']?.startsWith('text/plain; version=');
    if (isOfMetrics && hashes.length === 0 && isOfGateway(page)) return 'begins';
    return hashes.length === 0 || hashes.includes('') ? 'other' : { hashes, isFileRefused: isFileRefusedIn(page) };
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    if (!error.sent) return 'nothing';
    return error.kind === 'timeout' ? 'silence' : 'other';
  }
}

/** True for a page of `/metrics`: before the first worker listens it has no line at all. */
function isOfGateway(page: string): boolean {
  return page.split('\n').every((line) => line === '' || /^(?:# (?:HELP|TYPE) )?motif_gateway_/.test(line));
}
