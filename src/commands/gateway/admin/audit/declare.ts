import type { Command } from 'commander';
import type { World } from '../../../../world/world.ts';
import { declare, declareVerb } from '../../../shared/declare.ts';
import { jsonFlags } from '../../../shared/flags/options.ts';
import { fileFlags } from '../flags.ts';
import { filterFlags, listFlags, statsFlags, verifyFlags } from './flags.ts';

const files = [
  '[file...]',
  'plain, rotated or gzip; - reads stdin; default: those of the gateway file',
  'files',
] as const;

/** Declares `admin audit` with its verbs, each of which is loaded when it is typed: some read audits alone. */
export function registerAudit(group: Command, world: World): void {
  const summary = 'what was decided of a prompt; list, stats, verify';
  const audit = group.command('audit').summary(summary);
  declare(audit, world, {
    summary,
    examples: [
      'motif admin audit 01JD8Y3QZ7M5K2W9T4V6X8B0CN',
      'motif admin audit 8w2q4x',
      'motif admin audit list --since 1h --decision block',
    ],
    operands: [['[id]', 'of a prompt, or the last six letters of it'], files],
    flags: [fileFlags, jsonFlags],
    run: async (run, id, files) => (await import('./lookup.ts')).runAdminAudit(run, id, files),
  });
  declareVerb(audit, world, {
    name: 'list',
    summary: 'list prompts: when, what was decided, for whom, by which rules',
    examples: [
      'motif admin audit list --since 1h --decision block',
      'zcat audit.jsonl.*.gz | motif admin audit list --user ana -',
    ],
    operands: [files],
    flags: [filterFlags, fileFlags, jsonFlags, listFlags],
    run: async (run, files) => (await import('./list.ts')).runAuditList(run, files),
  });
  declareVerb(audit, world, {
    name: 'stats',
    summary: 'count prompts, decisions, tokens, cost and latencies',
    examples: [
      'motif admin audit stats --since 30d --by team,model',
      'motif admin audit stats --policy no-pii --report html=october.html',
    ],
    operands: [files],
    flags: [filterFlags, fileFlags, jsonFlags, statsFlags],
    run: async (run, files) => (await import('./stats.ts')).runAuditStats(run, files),
  });
  declareVerb(audit, world, {
    name: 'verify',
    summary: 'check the seals: exit 1 if lines were removed, changed, inserted or cut off, or if no seal proves them',
    examples: [
      'motif admin audit verify',
      'motif admin audit verify audit.jsonl.1 audit.jsonl --log gateway.log',
      'motif admin audit verify audit.jsonl.1 --log gateway.log --until 2026-11-01',
    ],
    operands: [files],
    flags: [verifyFlags, fileFlags, jsonFlags],
    run: async (run, files) => (await import('./verify.ts')).runAuditVerify(run, files),
  });
}
