import { atOnce, eachInPieces, type Piecework } from '../../text/turns.ts';
import { type GatewayConfig, isReplaced } from '../config.ts';

/** Every series of `/metrics`. Counters and gauges may have labels; a histogram is in seconds. */
const families = {
  requests: ['motif_gateway_requests_total', 'counter', 'Requests answered, by status.'],
  prompts: ['motif_gateway_prompts_total', 'counter', 'Prompts of known callers, by Motif and decision.'],
  tokens: ['motif_gateway_tokens_total', 'counter', 'Tokens of the providers, by Motif and kind.'],
  hits: ['motif_gateway_policy_hits_total', 'counter', 'What policies found, by policy, side and action.'],
  providerFailures: [
    'motif_gateway_provider_failures_total',
    'counter',
    'Prompts that no provider answered, by Motif.',
  ],
  auditFailures: [
    'motif_gateway_audit_failures_total',
    'counter',
    'Failures to write lines of the audit, or to open its file.',
  ],
  reloads: ['motif_gateway_reloads_total', 'counter', 'Readings of the gateway file, by result.'],
  configs: ['motif_gateway_config_info', 'gauge', 'Processes that serve this version of the gateway file.'],
  tokenExpiry: ['motif_gateway_token_expiry_seconds', 'gauge', 'When tokens end, in Unix time, by Motif and token ID.'],
  faultyParts: [
    'motif_gateway_faulty_part_info',
    'gauge',
    'Parts of the gateway file that cannot be used, by path, or gateway file where all of it was refused.',
  ],
  limits: [
    'motif_gateway_limits_scope_info',
    'gauge',
    'Processes; rpm, tokens_per_day and in_flight count once for all of this scope.',
  ],
  inFlight: ['motif_gateway_in_flight', 'gauge', 'Requests being worked on.'],
  dropped: ['motif_gateway_connections_dropped_total', 'counter', 'Connections that got no reply, by reason.'],
  connections: ['motif_gateway_connections', 'gauge', 'Open connections of clients.'],
  overhead: ['motif_gateway_overhead_seconds', 'histogram', "The gateway's own time: without client and provider."],
  provider: ['motif_gateway_provider_seconds', 'histogram', 'Time waited for providers.'],
  total: ['motif_gateway_request_seconds', 'histogram', 'Time from the headers to the reply.'],
} as const satisfies Record<string, readonly [name: string, type: 'counter' | 'gauge' | 'histogram', help: string]>;

/** The part that is faulty where the gateway file itself was refused, so that the one before it is served. */
export const refusedFile = 'gateway file';

type Family = keyof typeof families;
type OfType<T> = { [F in Family]: (typeof families)[F][1] extends T ? F : never }[Family];

export function metricName(family: Family): string {
  return families[family][0];
}

const boundsSeconds = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120,
];

const boundsMs = boundsSeconds.map((bound) => bound * 1000);

/** Sample names with their values. The snapshots of several workers are added up, gauges too. */
export type MetricsSnapshot = Readonly<Record<string, number>>;
type Labels = Readonly<Record<string, string>>;

export interface Metrics {
  count(family: OfType<'counter'>, labels?: Labels, by?: number): void;
  set(family: OfType<'gauge'>, value: number, labels?: Labels): void;
  /** Removes all series of a gauge. */
  clear(family: OfType<'gauge'>): void;
  observe(family: OfType<'histogram'>, ms: number): void;
  snapshot(): MetricsSnapshot;
}

export function createMetrics(): Metrics {
  const series = new Map<Family, Series>();
  const histograms = new Map<Family, { readonly buckets: number[]; sumMs: number; count: number }>();
  const sampleOf = (family: Family, labels: Labels | undefined): Sample => {
    let found = series.get(family);
    if (found === undefined) series.set(family, (found = new Series()));
    for (const label in labels) found = found.under(labels[label] ?? '');
    return (found.sample ??= { name: sampleName(families[family][0], labels), value: 0 });
  };
  return {
    count(family, labels, by = 1) {
      sampleOf(family, labels).value += by;
    },
    set: (family, value, labels) => void (sampleOf(family, labels).value = value),
    clear: (family) => void series.delete(family),
    observe(family, ms) {
      let histogram = histograms.get(family);
      if (histogram === undefined) {
        histogram = { buckets: boundsSeconds.map(() => 0), sumMs: 0, count: 0 };
        histograms.set(family, histogram);
      }
      histogram.sumMs += ms;
      histogram.count += 1;
      let bucket = 0;
      while (bucket < boundsMs.length && !(ms <= boundsMs[bucket]!)) bucket += 1;
      if (bucket < boundsMs.length) histogram.buckets[bucket]! += 1;
    },
    snapshot() {
      const all: Record<string, number> = {};
      for (const family of series.values()) family.each(({ name, value }) => (all[name] = value));
      for (const [family, { buckets, sumMs, count }] of histograms) {
        const [name] = families[family];
        let below = 0;
        for (const [index, bound] of boundsSeconds.entries()) {
          below += buckets[index] ?? 0;
          all[`${name}_bucket{le="${bound}"}`] = below;
        }
        all[`${name}_bucket{le="+Inf"}`] = count;
        all[`${name}_sum`] = sumMs / 1000;
        all[`${name}_count`] = count;
      }
      return all;
    },
  };
}

interface Sample {
  readonly name: string;
  value: number;
}

/** The samples of a family, found by the values of their labels: building a name for each count takes longer. */
class Series {
  readonly #next = new Map<string, Series>();
  sample: Sample | undefined;

  under(value: string): Series {
    let next = this.#next.get(value);
    if (next === undefined) this.#next.set(value, (next = new Series()));
    return next;
  }

  each(visit: (sample: Sample) => void): void {
    if (this.sample !== undefined) visit(this.sample);
    for (const next of this.#next.values()) next.each(visit);
  }
}

export function addUpSnapshots(snapshots: readonly MetricsSnapshot[]): MetricsSnapshot {
  return Object.fromEntries(atOnce(sumsOf(snapshots)));
}

function* sumsOf(snapshots: readonly MetricsSnapshot[]): Piecework<Map<string, number>> {
  const sums = new Map<string, number>();
  for (const snapshot of snapshots)
    yield* eachInPieces(Object.keys(snapshot), (sample) => {
      const [sum, value] = [sums.get(sample) ?? 0, snapshot[sample]!];
      // A moment is the same in every process.
      sums.set(sample, sample.startsWith(families.tokenExpiry[0]) ? Math.max(sum, value) : sum + value);
    });
  return sums;
}

/** The samples without the gauges, which only a process that is there has. */
export function countsIn(snapshot: MetricsSnapshot): MetricsSnapshot {
  const isGauge = (sample: string): boolean => familyByName.get(nameIn(sample))?.[1] === 'gauge';
  return Object.fromEntries(Object.entries(snapshot).filter(([sample]) => !isGauge(sample)));
}

/** The text that Prometheus reads. Ten thousand Motifs have fifty thousand lines of it. */
export function* renderMetrics(snapshots: readonly MetricsSnapshot[]): Piecework<string> {
  const linesByName = new Map<string, string[]>(Object.values(families).map(([name]) => [name, []]));
  yield* eachInPieces([...(yield* sumsOf(snapshots))], ([sample, value]) =>
    linesByName.get(nameIn(sample))?.push(`${sample} ${value}`),
  );
  const lines = Object.values(families).map(([name, type, help]) => {
    const values = linesByName.get(name)!;
    return values.length === 0 ? '' : `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${values.join('\n')}\n`;
  });
  return lines.join('');
}

const familyByName = new Map<string, (typeof families)[Family]>(Object.values(families).map((own) => [own[0], own]));

/** The name of the family of a sample; those of a histogram have more behind it. */
function nameIn(sample: string): string {
  const end = sample.indexOf('{');
  const name = end === -1 ? sample : sample.slice(0, end);
  return familyByName.has(name) ? name : name.replace(/_(?:bucket|sum|count)$/, '');
}

function sampleName(name: string, labels: Labels | undefined): string {
  if (labels === undefined) return name;
  let text = '';
  for (const label in labels) text += `${text === '' ? '' : ','}${label}="${escapeLabel(labels[label] ?? '')}"`;
  return `${name}{${text}}`;
}

function escapeLabel(value: string): string {
  return /["\\\n]/.test(value) ? value.replace(/["\\\n]/g, (sign) => (sign === '\n' ? '\\n' : `\\${sign}`)) : value;
}

/** The paths of faulty parts that the snapshots name, each once. */
export function faultyPartsIn(snapshots: readonly MetricsSnapshot[]): readonly string[] {
  const [name] = families.faultyParts;
  const samples = snapshots.flatMap((snapshot) => Object.keys(snapshot).filter((sample) => sample.startsWith(name)));
  return [...new Set(samples)].flatMap((sample) => {
    const [, label] = /\{part="(.*)"\}$/s.exec(sample) ?? [];
    return label === undefined ? [] : [label.replace(/\\(.)/g, (_, sign) => (sign === 'n' ? '\n' : String(sign)))];
  });
}

/** The hashes of the gateway files that the processes behind a page of `/metrics` serve. */
export function configsIn(page: string): readonly string[] {
  const [name] = families.configs;
  const lines = page.split('\n').filter((line) => line.startsWith(`${name}{`) && !line.endsWith(' 0'));
  return lines.map((line) => /hash="([0-9a-f]+)"/.exec(line)?.[1] ?? '');
}

/** True where a page of `/metrics` says that a process refused the gateway file which it read last. */
export function isFileRefusedIn(page: string): boolean {
  return page.split('\n').some((line) => line.startsWith(`${families.faultyParts[0]}{part="${refusedFile}"}`));
}

/** The most tokens in `/metrics`, those that end first. */
const endsMax = 1_000;

/** The ends of tokens, soonest first; one that another has replaced is left out, for it may end. */
export function soonestEnds({ motifs }: GatewayConfig): readonly { motif: string; id: string; at: number }[] {
  const ends = [...motifs.values()].flatMap((motif) =>
    motif.tokens.flatMap((token) => {
      const { id, expiresAt: at } = token;
      return at === undefined || isReplaced(token, motif) ? [] : [{ motif: motif.id, id, at }];
    }),
  );
  return ends.sort((one, other) => one.at - other.at).slice(0, endsMax);
}
