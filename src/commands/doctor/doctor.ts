import type { Command } from 'commander';
import { MotifError } from '../../errors.ts';
import { usedProfile } from '../../settings/resolve.ts';
import { defuseLine } from '../../text/defuse.ts';
import type { World } from '../../world/world.ts';
import { examine, type Examined } from './examination.ts';
import { type LayerFinding, type Status, toFindings } from './layers.ts';
import { printBeside, printDocument, printLines } from '../../terminal/output.ts';
import { type ConnectionFlags, connectionFlags } from '../shared/flags/connection.ts';
import { declare } from '../shared/declare.ts';
import { type EmbeddedFlags, embeddedFlags } from '../shared/flags/embedded.ts';
import { type JsonFlags, jsonFlags, version } from '../shared/flags/options.ts';
import { layOutRow, placeColumns } from '../shared/row-layout.ts';
import { type Run, styleOf } from '../shared/run.ts';
import { printTable, settingColumns } from '../shared/table.ts';
import {
  settingRows,
  type ShownBeside,
  type ShownSetting,
  showSettings,
  tokenOrigin,
} from '../shared/connection/setting-rows.ts';

type DoctorFlags = ConnectionFlags & EmbeddedFlags & JsonFlags;

export function registerDoctor(command: Command, world: World): void {
  declare(command, world, {
    summary: 'Look at each step on the way to the service, and name the first that is broken',
    examples: [
      'motif doctor',
      'motif doctor -p staging --json',
      'motif doctor --local gateway.yaml   # your gateway file, in this process',
      'motif doctor > report.txt            # holds no secrets; fit for a ticket',
    ],
    flags: [...connectionFlags, embeddedFlags, jsonFlags],
    run: runDoctor,
  });
}

async function runDoctor(run: Run<DoctorFlags>): Promise<void> {
  const { world, flags } = run;
  const facts = await examine(run);
  const findings = toFindings(facts);
  const layer = findings.find(({ status }) => status === 'failed')?.layer;
  const failure = layer && facts.faults.get(layer);
  const versions = { motif: version, node: world.nodeVersion, platform: world.platform };
  const summary = failure && new MotifError(failure.kind, `doctor found a fault: ${layer}`);
  const report = { facts, findings, failure, versions };
  await printBeside(summary, flags.json ? printReport(report, world) : printLayers(run, report));
  if (summary === undefined) return;
  summary.hasDocument = flags.json === true;
  throw summary;
}

interface DoctorReport {
  readonly facts: Examined;
  readonly findings: readonly LayerFinding[];
  readonly versions: { readonly motif: string; readonly node: string; readonly platform: string };
}

async function printReport(
  { facts, findings, failure, versions }: DoctorReport & { readonly failure: MotifError | undefined },
  world: World,
): Promise<void> {
  const items = findings.map(({ hints, ...finding }) => ({ ...finding, hint: hints.join('\n') || null }));
  const { settings } = facts;
  const shown = settings && {
    profile: usedProfile(settings) ?? null,
    ...showSettings(settings, showBeside(facts)),
    empty_variables: settings.emptyVariables,
  };
  const rest = { items, settings: shown ?? null, versions };
  const document = failure?.toDocument(rest) ?? { ok: true, ...rest, error: null };
  await printDocument(
    JSON.parse(world.redactor.redact(JSON.stringify(document))) as Record<string, unknown>,
    {},
    world,
  );
}

async function printLayers(run: Run<DoctorFlags>, { facts, findings, versions }: DoctorReport): Promise<void> {
  const { world } = run;
  const { motif, node, platform } = versions;
  await printLines(`motif ${motif}, Node ${node}, ${platform}\n\n`, world);
  if (facts.settings !== undefined) {
    await printTable(run, settingColumns, settingRows(facts.settings, showSettings(facts.settings, showBeside(facts))));
    await printLines('\n', world);
  }
  const style = await styleOf(run, world.stdout);
  const width = world.stdout.isTerminal ? world.stdout.columns : Infinity;
  const rows = findings.flatMap(findingRows);
  const places = placeColumns([usualRow, ...rows.map(({ cells }) => cells)], width);
  for (const { cells, status } of rows) {
    const painted = cells.map((text, at) => ({
      text,
      paint: (shown: string) => (at === 0 ? style[paints[status]](shown) : shown),
    }));
    await printLines(`${layOutRow(painted, places, width)}\n`, world);
  }
}

/** Status and layer are as wide as the longest of them, whichever are there. */
const usualRow = ['skipped', 'settings', ''];

const paints: Readonly<Record<Status, 'green' | 'yellow' | 'red' | 'dim'>> = {
  ok: 'green',
  warning: 'yellow',
  failed: 'red',
  skipped: 'dim',
};

/** The status is a word, so that its colour says nothing more. */
function findingRows({ layer, status, message, notes, hints }: LayerFinding) {
  return [message, ...notes, ...hints].map((line, at) => ({
    cells: [...(at === 0 ? [status, layer] : ['', '']), defuseLine(line, 2000)],
    status,
  }));
}

function showBeside(facts: Examined): ShownBeside {
  return { token: showToken(facts), proxy: facts.proxyChoice?.proxy };
}

function showToken({ settings, target, token }: Examined): ShownSetting {
  const from = settings === undefined ? null : tokenOrigin(settings);
  if (token !== undefined) return { value: String(token), from };
  if (from === null) return { value: null, from };
  return {
    value: target === undefined ? 'set, but not sent: see the layer settings' : 'set, but not usable: see what failed',
    from,
  };
}
