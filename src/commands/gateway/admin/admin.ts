import type { Command } from 'commander';
import { MotifError } from '../../../errors.ts';
import { parseDuration } from '../../../text/durations.ts';
import type { World } from '../../../world/world.ts';
import { jsonFlags } from '../../shared/flag-options.ts';
import { replayFlags } from './replay/flags.ts';
import { runAdminReplay } from './replay/replay.ts';
import { registerAudit } from './audit/declare.ts';
import { runAdminInit } from './init.ts';
import { type CreateFlags, runAdminCreate, runAdminShow } from './motifs.ts';
import { type RevokeFlags, type RotateFlags, runAdminRevoke, runAdminRotate } from './tokens.ts';
import { runAdminTry, type TryFlags } from './try.ts';
import { runAdminSchema, runAdminValidate } from './validate.ts';
import { collect, declareVerb, describe } from '../../shared/declare.ts';

const dayMs = 86_400_000;

export function registerAdmin(group: Command, world: World): void {
  describe(group, 'Look after the gateway file of motif serve; its comments stay', [
    'motif admin init',
    'motif admin create support-bot --provider openai --policy no-pii',
    'motif admin rotate support-bot --grace 24h',
    'motif admin try "My card is 4111 1111 1111 1111"',
    'motif admin audit 01JD8Y3QZ7M5K2W9T4V6X8B0CN',
  ]);
  registerFileVerbs(group, world);
  registerTokenVerbs(group, world);
  registerAnswers(group, world);
}

function registerFileVerbs(group: Command, world: World): void {
  const init = verb(group, 'init', 'write a first gateway file, with one Motif and its token').argument(
    '[file]',
    'gateway.yaml',
  );
  init.action((file: string | undefined) => runAdminInit(world, file, init.optsWithGlobals()));
  const create = verb(group, 'create', 'add a Motif; prints its address and token, once')
    .argument('<id>')
    .requiredOption('--provider <name>', 'a provider of the file')
    .option('--model <name>', 'as the provider calls it')
    .option('--policy <name>', 'a policy of the file; several times for several', collect)
    .option('--user <name>', 'whose token it is; needs no tenant ID then')
    .option('--expires <duration>', 'the token ends after this time', duration('--expires'));
  create.action((id: string) => runAdminCreate(world, id, create.optsWithGlobals<CreateFlags>()));
  const show = verb(group, 'show', 'show Motifs, and tokens by ID, age and expiry').argument('[id]', 'default: all');
  show.action((id: string | undefined) => runAdminShow(world, id, show.optsWithGlobals()));
  const validate = verb(group, 'validate', 'check the file; all faults, with line and path');
  validate.action(() => runAdminValidate(world, validate.optsWithGlobals()));
  const schema = group.command('schema').summary('print the JSON Schema of the file, for editors');
  schema.description('print the JSON Schema of the file, for editors.').action(() => runAdminSchema(world));
}

function registerTokenVerbs(group: Command, world: World): void {
  const rotate = verb(group, 'rotate', 'make a new token, and let the earlier ones end')
    .argument('[id]', 'the only Motif needs no name')
    .option('--grace <duration>', 'how long the earlier ones are still accepted (24h)', duration('--grace'), dayMs)
    .option('--user <name>', 'whose token, where several users have one')
    .option('--expires <duration>', 'the new token ends after this time', duration('--expires'));
  rotate.action((id: string | undefined) => runAdminRotate(world, id, rotate.optsWithGlobals<RotateFlags>()));
  const revoke = verb(group, 'revoke', 'take a token back, at once')
    .argument('[words...]', 'MOTIF-ID TOKEN-ID; the only Motif needs no name')
    .option('--all', 'all tokens of the Motif');
  revoke.action((words: string[]) => runAdminRevoke(world, words, revoke.optsWithGlobals<RevokeFlags>()));
}

function registerAnswers(group: Command, world: World): void {
  const attempt = verb(group, 'try', 'judge a text as the gateway would, and say why')
    .argument('<text>', '- reads stdin')
    .option('--motif <id>', 'the only Motif needs no name')
    .option('--role <role>', 'system, user or assistant (user)')
    .option('--answer', 'as an answer of the provider')
    .option('--demo', 'by the demo Motif')
    .option('--local <file>', 'the same as --config')
    .option('--live', 'also ask the policies that ask outside')
    .option('--as <user>', 'also say how the tenant rule takes this user');
  attempt.action((text: string) => runAdminTry(world, text, attempt.optsWithGlobals<TryFlags>()));
  registerAudit(group, world);
  declareVerb(
    group,
    world,
    {
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
    },
    runAdminReplay,
  );
}

function verb(group: Command, name: string, summary: string): Command {
  return group
    .command(name)
    .summary(summary)
    .description(`${summary}.`)
    .option('-c, --config <file>', 'the gateway file (gateway.yaml)')
    .option('--json', 'print the result as a JSON document');
}

function duration(flag: string): (text: string) => number {
  return (text) => {
    const ms = parseDuration(text);
    if (ms === undefined || ms > 36_500 * dayMs)
      throw new MotifError('usage', `${flag} takes a duration like 24h or 30d`);
    return ms;
  };
}
