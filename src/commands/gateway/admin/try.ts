import { faultLine } from '../../../documents/fault.ts';
import { MotifError } from '../../../errors.ts';
import type { World } from '../../../world/world.ts';
import { type AdminFlags, needMotif, parseSource, sourceOf, toFaultyFile } from './file.ts';
import { admissionOf, needLive, tryText } from './trial.ts';
import { printTrial, sayTrial } from './trial-report.ts';
import { demoSource } from '../source.ts';
import { createNotice } from '../../shared/notices.ts';
import { readStdin } from '../../shared/stdin.ts';

export interface TryFlags extends AdminFlags {
  readonly motif?: string;
  readonly role?: string;
  readonly answer?: boolean;
  readonly demo?: boolean;
  readonly local?: string;
  readonly live?: boolean;
  readonly as?: string;
}

const stdinTimeoutMs = 300_000;

/** Judges a text as the gateway would and says why; only with --live are policies asked that ask outside. */
export async function runAdminTry(world: World, text: string, flags: TryFlags): Promise<void> {
  const { demo, local, answer, role = 'user', live: isLive = false, as: user } = flags;
  checkFlags(flags);
  const source = demo ? demoSource() : sourceOf(local === undefined ? flags : { ...flags, config: local }, world);
  const { config, faults, namedFaults, missingSecrets } = await parseSource(source, world);
  if (config === undefined || namedFaults.length > 0) throw toFaultyFile(source.name, [...faults, ...namedFaults]);
  const motif = needMotif(config, flags.motif, '--motif ID names it');
  const side = answer ? 'inference' : 'prompt';
  if (isLive) {
    const names = needLive(motif, side, config);
    const missing = missingSecrets.filter(({ path }) => names.some((name) => path.startsWith(`policies.${name}.`)));
    if (missing.length > 0) throw new MotifError('usage', '--live needs a key', { notes: missing.map(faultLine) });
  }
  const judged = text === '-' ? await readStdin(world, stdinTimeoutMs, createNotice(world, flags)) : text;
  const trial = await tryText({ text: judged, role, side, motif, config, isLive }, source, world);
  const admission = user === undefined ? undefined : admissionOf(user, motif, config);
  const tried = { trial, role, motif, config, admission };
  await (flags.json ? printTrial(tried, flags, world) : sayTrial(tried, flags, world));
}

function checkFlags({ demo, local, config, role, answer }: TryFlags): void {
  const given = [demo && '--demo', local && '--local', config && '--config'].filter(Boolean);
  if (given.length > 1) throw new MotifError('usage', `${given.join(' and ')} both name a gateway file; use one`);
  const hint = '--answer tries a text as an answer';
  if (role === undefined) return;
  if (!['system', 'user', 'assistant'].includes(role))
    throw new MotifError('usage', '--role takes system, user or assistant', { hint });
  if (answer) throw new MotifError('usage', '--role is about a message of a prompt, and --answer is none', { hint });
}
