import type { Command } from 'commander';
import type { World } from '../../../world/world.ts';
import { declareGroup, declareVerb, type Operand } from '../../shared/declare.ts';
import { jsonFlags } from '../../shared/flags/options.ts';
import { registerAudit } from './audit/declare.ts';
import {
  createFlags,
  fileFlags,
  portFlags,
  newTokenFlags,
  revokeFlags,
  rotateFlags,
  tokenChoiceFlags,
  tokenOutFlags,
  tryFileFlags,
  tryFlags,
} from './flags.ts';
import { registerDashboard } from './dashboard.ts';
import { replayFlags } from './replay/flags.ts';

export function registerAdmin(group: Command, world: World): void {
  declareGroup(group, 'Look after the gateway file of motif serve; its comments stay', [
    'motif admin init',
    'motif admin create hr-bot --policy no-pii',
    'motif admin rotate support-bot --grace 24h',
    'motif admin try "My card is 4111 1111 1111 1111"',
    'motif admin audit 01JD8Y3QZ7M5K2W9T4V6X8B0CN',
  ]);
  registerFileVerbs(group, world);
  registerMotifVerbs(group, world);
  registerTokenVerbs(group, world);
  registerAnswers(group, world);
}

const file: Operand = ['[file]', 'default: gateway.yaml', 'files'];
const tokenName = ['[ids...]', 'MOTIF-ID TOKEN-ID; the only Motif needs no name'] as const;

function registerFileVerbs(group: Command, world: World): void {
  declareVerb(group, world, {
    name: 'init',
    summary: 'write a first gateway file, with one Motif and its token',
    examples: ['motif admin init', 'motif admin init team.yaml --token-out token.txt'],
    operands: [file],
    flags: [portFlags, tokenOutFlags, fileFlags, jsonFlags],
    run: async (run, file) => (await import('./init.ts')).runAdminInit(run, file),
  });
  declareVerb(group, world, {
    name: 'validate',
    summary: 'check the file and all that it names; all faults, with line and path',
    examples: ['motif admin validate', 'motif admin validate next.yaml --json'],
    operands: [file],
    flags: [fileFlags, jsonFlags],
    run: async (run, file) => (await import('./validate.ts')).runAdminValidate(run, file),
  });
  declareVerb(group, world, {
    name: 'schema',
    summary: 'print the JSON Schema of the file, for editors',
    examples: ['motif admin schema > gateway.schema.json'],
    run: async (run) => (await import('./validate.ts')).runAdminSchema(run),
  });
}

function registerMotifVerbs(group: Command, world: World): void {
  declareVerb(group, world, {
    name: 'create',
    summary: 'add a Motif; prints its address and token, once',
    examples: [
      'motif admin create hr-bot --provider openai --policy no-pii',
      'motif admin create sales-bot --provider openai --user ana --expires 90d',
    ],
    operands: [['<id>', 'letters, digits, -, _, . and ~']],
    flags: [createFlags, newTokenFlags, tokenOutFlags, fileFlags, jsonFlags],
    run: async (run, id) => (await import('./create.ts')).runAdminCreate(run, id),
  });
  declareVerb(group, world, {
    name: 'show',
    summary: 'show the Motifs; of one also its tokens by ID, age, last use and expiry',
    examples: [
      'motif admin show',
      'motif admin show support-bot --json',
      'motif admin show --tokens',
      'motif admin show --expiring 30d',
      'motif admin show --token-stdin < token.txt',
    ],
    operands: [['[id]', 'of a Motif; default: all of them, or the only one']],
    flags: [tokenChoiceFlags, fileFlags, jsonFlags],
    run: async (run, id) => (await import('./show.ts')).runAdminShow(run, id),
  });
}

function registerTokenVerbs(group: Command, world: World): void {
  declareVerb(group, world, {
    name: 'rotate',
    summary: 'replace a token: all of one user, or the one you name',
    examples: [
      'motif admin rotate',
      'motif admin rotate support-bot --grace 24h --token-out token.txt',
      'motif admin rotate support-bot t-3fa9c1d2 --grace 0  # leaked: ends now',
      'motif admin rotate support-bot --keep --user ana',
    ],
    operands: [tokenName],
    flags: [rotateFlags, newTokenFlags, tokenOutFlags, fileFlags, jsonFlags],
    run: async (run, words) => (await import('./rotate.ts')).runAdminRotate(run, words),
  });
  declareVerb(group, world, {
    name: 'revoke',
    summary: 'take a token back, within a second',
    examples: [
      'motif admin revoke support-bot t-3fa9c1d2',
      'motif admin revoke support-bot --all',
      'motif admin revoke --token-stdin < leaked.txt',
    ],
    operands: [tokenName],
    flags: [revokeFlags, fileFlags, jsonFlags],
    run: async (run, words) => (await import('./revoke.ts')).runAdminRevoke(run, words),
  });
}

function registerAnswers(group: Command, world: World): void {
  declareVerb(group, world, {
    name: 'try',
    summary: 'judge a text as the gateway would, and say why',
    examples: [
      'motif admin try "My card is 4111 1111 1111 1111"',
      'motif admin try --answer --motif support-bot - < answer.txt',
      'motif admin try --expect blocked --json "My card is 4111 1111 1111 1111"',
    ],
    operands: [['<text>', '- reads stdin']],
    flags: [tryFlags, tryFileFlags, fileFlags, jsonFlags],
    run: async (run, text) => (await import('./try.ts')).runAdminTry(run, text),
  });
  registerAudit(group, world);
  registerDashboard(group, world);
  declareVerb(group, world, {
    name: 'replay',
    summary: 'say what a new gateway file would block, by texts that were kept',
    examples: [
      'motif admin replay next.yaml --since 7d --max-blocked 0.5%',
      'motif admin replay next.yaml tickets.jsonl --motif support-bot',
    ],
    operands: [
      ['<new>', 'the new gateway file', 'files'],
      ['[corpus...]', 'audits, rows of a batch, conversations, JSONL, lines; default: the audit', 'files'],
    ],
    flags: [replayFlags, jsonFlags],
    run: async (run, next, corpus) => (await import('./replay/replay.ts')).runAdminReplay(run, next, corpus),
  });
}
