import { MotifError } from '../errors.ts';
import type { GatewayConfig, MotifConfig } from '../gateway/config.ts';
import type { Hit, Side, Verdict } from '../gateway/exchange.ts';
import { createPolicy } from '../gateway/policies/index.ts';
import { isPure, judgeNow } from '../gateway/policies/judge.ts';
import { defuse } from '../text/defuse.ts';
import type { World } from '../world/world.ts';
import { type AdminFlags, needMotif, readGateway, sourceOf } from './admin-file.ts';
import { printDocument } from './documents.ts';
import { demoSource } from './gateway-source.ts';
import { createNotice } from './notices.ts';
import { printRows } from './rows.ts';
import { readStdin } from './stdin.ts';

export interface TryFlags extends AdminFlags {
  readonly motif?: string;
  readonly role?: string;
  readonly answer?: boolean;
  readonly demo?: boolean;
  readonly local?: string;
}

const stdinTimeoutMs = 300_000;

/** Judges a text as the gateway would and says why; nothing leaves the process, and policies that ask outside are named. */
export async function runAdminTry(world: World, text: string, flags: TryFlags): Promise<void> {
  const { demo, local, answer, role = 'user' } = flags;
  const given = [demo && '--demo', local && '--local', flags.config && '--config'].filter(Boolean);
  if (given.length > 1) throw new MotifError('usage', `${given.join(' and ')} both name a gateway file; use one`);
  if (!['system', 'user', 'assistant'].includes(role)) {
    throw new MotifError('usage', '--role takes system, user or assistant', {
      hint: '--answer tries a text as an answer',
    });
  }
  const source = demo ? demoSource() : sourceOf(local === undefined ? flags : { ...flags, config: local }, world);
  const { config } = await readGateway(source, world);
  const motif = needMotif(config, flags.motif);
  const judged = text === '-' ? await readStdin(world, stdinTimeoutMs, createNotice(world, flags)) : text;
  const trial = judgeAlone(judged, answer ? 'inference' : 'prompt', motif, config);
  if (flags.json) await printTrial(trial, motif, flags, world);
  else await explain(trial, { motif, role, world, flags });
}

interface Trial {
  readonly side: Side;
  readonly verdict: Verdict;
  readonly looked: readonly string[];
  readonly notAsked: readonly string[];
}

function judgeAlone(text: string, side: Side, motif: MotifConfig, config: GatewayConfig): Trial {
  const policies = motif.policies
    .map((name) => createPolicy(config.policies.get(name)!))
    .filter(({ on }) => on.has(side));
  const pure = policies.filter(isPure);
  const notAsked = policies.filter((policy) => !isPure(policy));
  const named = (some: typeof policies) => some.map(({ name }) => name);
  return { side, verdict: judgeNow(pure, side, [text]), looked: named(pure), notAsked: named(notAsked) };
}

async function explain(
  { side, verdict, looked, notAsked }: Trial,
  { role, world, flags }: { motif: MotifConfig; role: string; world: World; flags: TryFlags },
): Promise<void> {
  const where = side === 'inference' ? 'answer' : role === 'user' ? 'message 1' : `message 1 (${role})`;
  if (verdict.hits.length > 0)
    await printRows(
      verdict.hits.map((hit) => hitRow(hit, where)),
      world,
    );
  else if (looked.length === 0) await world.stdout.write('pass   no policy looks at this\n');
  else await world.stdout.write(`pass   nothing found by ${looked.join(', ')}\n`);
  const isRedacted = verdict.decision === 'pass' && verdict.hits.some(({ action }) => action === 'redact');
  const reader = side === 'inference' ? 'client' : 'provider';
  if (isRedacted) await world.stdout.write(`the ${reader} would see: ${defuse(verdict.texts[0] ?? '')}\n`);
  if (notAsked.length > 0) createNotice(world, flags)(`not asked, since they ask outside: ${notAsked.join(', ')}`);
}

/** Characters are counted from 1, as editors do. */
function hitRow({ action, policy, rule, start, length, seen }: Hit, where: string): string[] {
  const place = length === 0 ? where : `${where}, characters ${start + 1}-${start + length}`;
  return [action, `${policy} / ${rule}`, seen === undefined ? place : `${place}, seen ${seen.replace(/^seen /, '')}`];
}

async function printTrial(
  { side, verdict, notAsked }: Trial,
  motif: MotifConfig,
  flags: TryFlags,
  world: World,
): Promise<void> {
  const hits = verdict.hits.map(({ policy, rule, on, action, start, length, seen = null }) => {
    return { policy, rule, on, action, start, length, seen };
  });
  const text = verdict.decision === 'pass' ? (verdict.texts[0] ?? null) : null;
  const facts = { motif_id: motif.id, on: side, decision: verdict.decision, hits, text, not_asked: notAsked };
  await printDocument({ ok: true, ...facts, error: null }, flags, world);
}
