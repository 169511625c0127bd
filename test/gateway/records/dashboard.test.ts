import { expect, test } from 'vitest';
import { decisions } from '../../../src/gateway/records/audit/line.ts';
import { createMetrics, renderMetrics } from '../../../src/gateway/records/metrics.ts';
import { atOnce } from '../../../src/text/turns.ts';
import { motif } from '../../support/motif.ts';

interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly gridPos: Readonly<Record<'x' | 'y' | 'w' | 'h', number>>;
    readonly targets: readonly { readonly expr: string; readonly refId: string; readonly legendFormat: string }[];
  }[];
}

/** A gateway in which everything was counted once. */
function everyMetric(): string {
  const metrics = createMetrics();
  metrics.count('requests', { status: '200' });
  metrics.count('prompts', { motif: 'bot', decision: 'pass' });
  metrics.count('tokens', { motif: 'bot', kind: 'prompt' });
  metrics.count('hits', { policy: 'p', on: 'prompt', action: 'block' });
  metrics.count('providerFailures', { motif: 'bot' });
  metrics.count('auditFailures');
  metrics.count('dropped', { reason: 'limit' });
  metrics.count('reloads', { result: 'refused' });
  metrics.set('tokenExpiry', 1, { motif: 'bot', token: 't1' });
  for (const family of ['inFlight', 'connections', 'faultyParts'] as const) metrics.set(family, 1);
  for (const family of ['overhead', 'provider', 'total'] as const) metrics.observe(family, 1);
  return atOnce(renderMetrics([metrics.snapshot()]));
}

test('every series of the dashboard is one of /metrics, with labels that it has', async () => {
  const { stdout, exitCode } = await motif(['admin', 'dashboard'], { env: {} });
  expect(exitCode).toBe(0);
  const { panels } = JSON.parse(stdout) as Dashboard;
  const known = everyMetric();
  for (const { targets } of panels) {
    for (const { expr, legendFormat } of targets) {
      const kept = [...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, labels = '']) => labels.split(', '));
      for (const [, name = '', labels = ''] of expr.matchAll(/(motif_gateway_\w+)(?:\{([^}]*)\})?/g)) {
        const line = known.split('\n').find((each) => each.startsWith(`${name}{`) || each.startsWith(`${name} `));
        expect(line, expr).toBeDefined();
        const asked = [...labels.matchAll(/(\w+)[=!]/g)].map(([, label]) => label);
        for (const label of [...asked, ...kept]) expect(line).toContain(`${label}="`);
      }
      for (const [, label] of legendFormat.matchAll(/\{\{(\w+)\}\}/g)) expect(kept, expr).toContain(label);
    }
  }
});

test('panels stand side by side, none over another, and each target has its letter', async () => {
  const { panels } = JSON.parse((await motif(['admin', 'dashboard'], { env: {} })).stdout) as Dashboard;
  const places = panels.map(({ gridPos: { x, y, w, h } }) => `${x},${y},${w},${h}`);
  expect(new Set(places).size).toBe(panels.length);
  for (const { gridPos, targets } of panels) {
    expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
    expect(targets.map(({ refId }) => refId).join('')).toBe('ABCDEFGH'.slice(0, targets.length));
  }
});

/** Options that Grafana's published schemas (2026-06) ask of each kind of panel. */
const optionsAsked: Readonly<Record<string, readonly string[]>> = {
  timeseries: ['legend', 'tooltip'],
  stat: [
    'colorMode',
    'graphMode',
    'justifyMode',
    'orientation',
    'percentChangeColorMode',
    'reduceOptions',
    'showPercentChange',
    'textMode',
    'wideLayout',
  ],
};

test('the dashboard leaves out nothing that the published schemas ask for', async () => {
  const dashboard = JSON.parse((await motif(['admin', 'dashboard'], { env: {} })).stdout) as Dashboard & {
    readonly panels: readonly { readonly type: string; readonly options: object }[];
    readonly templating: { readonly list: readonly { readonly query: unknown }[] };
  };
  expect(dashboard).toMatchObject({ annotations: { list: [] } });
  for (const { query } of dashboard.templating.list) expect(query).toBeTypeOf('string');
  for (const { type, options } of dashboard.panels) expect(Object.keys(options).sort()).toEqual(optionsAsked[type]);
});

test('every decision has a colour of its own, days stay days, and events are whole', async () => {
  const dashboard = JSON.parse((await motif(['admin', 'dashboard'], { env: {} })).stdout) as {
    readonly panels: readonly {
      readonly title: string;
      readonly fieldConfig: {
        readonly defaults: { readonly unit: string; readonly decimals?: number };
        readonly overrides: readonly {
          readonly matcher: { readonly options: string };
          readonly properties: readonly { readonly value: { readonly fixedColor: string } }[];
        }[];
      };
    }[];
  };
  const fieldsOf = (title: string) => dashboard.panels.find((panel) => panel.title === title)!.fieldConfig;
  const { overrides } = fieldsOf('Prompts by decision');
  expect(overrides.map(({ matcher }) => matcher.options)).toEqual([...decisions]);
  expect(new Set(overrides.map(({ properties }) => properties[0]!.value.fixedColor)).size).toBe(decisions.length);
  expect(fieldsOf('Days until a token ends').defaults.unit).toBe('short');
  expect(fieldsOf('Trouble in the last hour').defaults.decimals).toBe(0);
});
