import type { Command } from 'commander';
import { grafanaDashboard } from '../../../gateway/records/dashboard.ts';
import { printLines } from '../../../terminal/output.ts';
import type { World } from '../../../world/world.ts';
import { declareVerb } from '../../shared/declare.ts';
import type { Run } from '../../shared/run.ts';

/** Declares `admin dashboard`. It is a command and no file, because the names in it are those of this version. */
export function registerDashboard(group: Command, world: World): void {
  declareVerb(group, world, {
    name: 'dashboard',
    summary: 'print a Grafana dashboard of /metrics, to be imported',
    examples: ['motif admin dashboard > motif.json'],
    run: runAdminDashboard,
  });
}

async function runAdminDashboard({ world }: Run): Promise<void> {
  await printLines(JSON.stringify(grafanaDashboard(), null, 2), world);
}
