import type { Decision } from './audit/line.ts';
import { metricName as name } from './metrics.ts';

/** One panel: its title, its unit, and the series that it draws, by the words of their legend. */
interface Panel {
  readonly title: string;
  readonly help: string;
  readonly kind: 'timeseries' | 'stat';
  /** As Grafana calls it: `reqps`, `cps`, `s`, `short`, `percentunit`. */
  readonly unit: string;
  /** Colours of series by their legend; absent where Grafana may choose. */
  readonly colours?: Readonly<Record<string, string>>;
  readonly series: Readonly<Record<string, string>>;
}

const interval = '[$__rate_interval]';
const motif = 'motif=~"$motif"';
const prompts = name('prompts');
const quantile = (share: number, family: 'total' | 'overhead' | 'provider'): string =>
  `histogram_quantile(${share}, sum by (le) (rate(${name(family)}_bucket${interval})))`;
const rate = (by: string, selector: string): string => `sum by (${by}) (rate(${selector}${interval}))`;

const judged = rate('motif', `${prompts}{${motif},decision!="refused"}`);

/** Grafana's own order would paint what was blocked green. */
const decisionColours: Readonly<Record<Decision, string>> = {
  pass: 'green',
  warn: 'yellow',
  redact: 'blue',
  block: 'orange',
  refused: 'purple',
  failed: 'red',
};

const panels: readonly Panel[] = [
  {
    title: 'Prompts by decision',
    help: 'What was decided of the prompts of known callers.',
    kind: 'timeseries',
    unit: 'reqps',
    colours: decisionColours,
    series: { '{{decision}}': rate('decision', `${prompts}{${motif}}`) },
  },
  {
    title: 'Share blocked',
    help: 'Of all prompts that were judged.',
    kind: 'timeseries',
    unit: 'percentunit',
    series: {
      // A Motif that has never blocked has no such series, which is a share of 0.
      '{{motif}}': `(${rate('motif', `${prompts}{${motif},decision="block"}`)} or 0 * ${judged}) / ${judged}`,
    },
  },
  {
    title: 'What policies found',
    help: 'By policy and by what was done about it.',
    kind: 'timeseries',
    unit: 'cps',
    series: { '{{policy}} {{action}}': rate('policy, action', name('hits')) },
  },
  {
    title: 'Replies that are no answer',
    help: 'Refusals and failures by status; 401 and 429 are what storms are made of.',
    kind: 'timeseries',
    unit: 'reqps',
    series: { '{{status}}': rate('status', `${name('requests')}{status!~"2.."}`) },
  },
  {
    title: 'Time to the reply',
    help: 'From the headers of a request to its reply, provider included.',
    kind: 'timeseries',
    unit: 's',
    series: { p50: quantile(0.5, 'total'), p95: quantile(0.95, 'total'), p99: quantile(0.99, 'total') },
  },
  {
    title: "The gateway's own time",
    help: 'Without client and provider: what the gateway adds.',
    kind: 'timeseries',
    unit: 's',
    series: { p50: quantile(0.5, 'overhead'), p99: quantile(0.99, 'overhead') },
  },
  {
    title: 'Tokens an hour',
    help: 'As the providers count them.',
    kind: 'timeseries',
    unit: 'short',
    series: { '{{motif}} {{kind}}': `sum by (motif, kind) (increase(${name('tokens')}{${motif}}[1h]))` },
  },
  {
    title: 'Time waited for providers',
    help: 'Each prompt that a provider was asked for.',
    kind: 'timeseries',
    unit: 's',
    series: { p50: quantile(0.5, 'provider'), p95: quantile(0.95, 'provider') },
  },
  {
    title: 'Work and connections',
    help: 'Requests being worked on and connections that are open, now.',
    kind: 'timeseries',
    unit: 'short',
    series: { 'in flight': `sum(${name('inFlight')})`, connections: `sum(${name('connections')})` },
  },
  {
    title: 'Days until a token ends',
    help: 'By Motif and token ID; only tokens that end.',
    kind: 'timeseries',
    // Grafana's own unit of days turns three weeks of them into 3 weeks.
    unit: 'short',
    series: { '{{motif}} {{token}}': `(min by (motif, token) (${name('tokenExpiry')}{${motif}}) - time()) / 86400` },
  },
  {
    title: 'Trouble in the last hour',
    help: 'Everything here should be 0.',
    kind: 'stat',
    unit: 'short',
    series: {
      'provider failures': `sum(increase(${name('providerFailures')}[1h])) or vector(0)`,
      'audit failures': `sum(increase(${name('auditFailures')}[1h])) or vector(0)`,
      'connections dropped': `sum(increase(${name('dropped')}{reason!="reset"}[1h])) or vector(0)`,
      'gateway files refused': `sum(increase(${name('reloads')}{result="refused"}[1h])) or vector(0)`,
      'faulty parts': `sum(${name('faultyParts')}) or vector(0)`,
    },
  },
];

const panelsPerRow = 2;
const panelWidth = 24 / panelsPerRow;
const panelHeight = 8;
const datasource = { type: 'prometheus', uid: '${datasource}' };

/** The dashboard of `/metrics`, in the form that Grafana imports; it asks for the Prometheus and the Motifs to show. */
export function grafanaDashboard(): object {
  return {
    title: 'Motif gateway',
    uid: 'motif-gateway',
    tags: ['motif'],
    schemaVersion: 39,
    editable: true,
    time: { from: 'now-6h', to: 'now' },
    refresh: '30s',
    annotations: { list: [] },
    templating: { list: [sourceVariable, motifVariable] },
    panels: panels.map(toPanel),
  };
}

const sourceVariable = { name: 'datasource', label: 'Prometheus', type: 'datasource', query: 'prometheus' };
const motifVariable = {
  name: 'motif',
  label: 'Motif',
  type: 'query',
  datasource,
  query: `label_values(${prompts}, motif)`,
  refresh: 2,
  includeAll: true,
  multi: true,
  current: { text: 'All', value: '$__all' },
};

/** Every option that Grafana's schema asks for, so that no version has to guess one. */
const panelOptions = {
  timeseries: {
    legend: { displayMode: 'list', placement: 'bottom', showLegend: true, calcs: [] },
    tooltip: { mode: 'multi', sort: 'desc' },
  },
  stat: {
    reduceOptions: { calcs: ['lastNotNull'] },
    textMode: 'value_and_name',
    colorMode: 'value',
    graphMode: 'none',
    justifyMode: 'auto',
    orientation: 'auto',
    wideLayout: true,
    showPercentChange: false,
    percentChangeColorMode: 'standard',
  },
} as const;

/** Numbers that should be 0, as whole ones: Prometheus makes 29.4 of 29 events that an hour does not cover exactly. */
const countDefaults = {
  decimals: 0,
  thresholds: {
    mode: 'absolute',
    steps: [
      { color: 'green', value: null },
      { color: 'red', value: 1 },
    ],
  },
};

function toPanel({ title, help, kind, unit, colours, series }: Panel, index: number): object {
  const isAlone = index === panels.length - 1 && index % panelsPerRow === 0;
  const place = { x: (index % panelsPerRow) * panelWidth, y: Math.floor(index / panelsPerRow) * panelHeight };
  return {
    id: index + 1,
    title,
    description: help,
    type: kind,
    datasource,
    gridPos: { ...place, w: isAlone ? panelsPerRow * panelWidth : panelWidth, h: panelHeight },
    fieldConfig: {
      defaults: { unit, min: 0, ...(kind === 'stat' && countDefaults) },
      overrides: Object.entries(colours ?? {}).map(toColour),
    },
    options: panelOptions[kind],
    targets: Object.entries(series).map(([legendFormat, expr], at) => ({
      refId: String.fromCharCode('A'.charCodeAt(0) + at),
      datasource,
      expr,
      legendFormat,
    })),
  };
}

function toColour([legend, fixedColor]: readonly [string, string]): object {
  const matcher = { id: 'byName', options: legend };
  return { matcher, properties: [{ id: 'color', value: { mode: 'fixed', fixedColor } }] };
}
