import { faultLine } from '../../../documents/fault.ts';
import { MotifError } from '../../../errors.ts';
import { printDocument } from '../../../terminal/output.ts';
import { parseSource, sourceOf, toFaultyFile } from './file.ts';
import { needMotif } from '../needed-motif.ts';
import type { TryFlags } from './flags.ts';
import { admissionOf, needLive, type Trial, tryText } from './trial.ts';
import { sayTrial, trialFacts } from './trial-report.ts';
import { demoSource } from '../demo-source.ts';
import type { Run } from '../../shared/run.ts';
import { readStdin, stdinTimeoutMs } from '../../shared/stdin.ts';

type Decision = Trial['decision'];

/** The decisions that are as expected. */
const expected: Readonly<Record<Exclude<NonNullable<TryFlags['expect']>, 'any'>, readonly Decision[]>> = {
  answered: ['pass', 'warn', 'redact'],
  blocked: ['block'],
  redacted: ['redact'],
  pass: ['pass'],
};

const decisionWords: Readonly<Record<Decision, string>> = {
  block: 'it would be blocked',
  redact: 'it would be redacted',
  warn: 'it would pass with a warning',
  pass: 'no policy finds anything',
};

/** Judges a text as the gateway would and says why; only with --live are policies asked that ask outside. */
export async function runAdminTry(run: Run<TryFlags>, text: string): Promise<void> {
  const { world, flags, notice } = run;
  const { demo, local, answer, role = 'user', live: isLive = false, as: user } = flags;
  const source = demo ? demoSource() : sourceOf(local === undefined ? flags : { ...flags, config: local }, world);
  const { config, faults, namedFaults, missingSecrets } = await parseSource(source, world, { wantsSecrets: isLive });
  if (config === undefined || namedFaults.length > 0) throw toFaultyFile(source.name, [...faults, ...namedFaults]);
  const motif = needMotif(config, flags.motif, '--motif');
  const side = answer ? 'inference' : 'prompt';
  if (isLive) {
    const names = needLive(motif, side, config);
    const missing = missingSecrets.filter(({ path }) => names.some((name) => path.startsWith(`policies.${name}.`)));
    if (missing.length > 0) throw new MotifError('usage', '--live needs a key', { notes: missing.map(faultLine) });
  }
  if (/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(text))
    notice(`judged as a text; the decision on the prompt of that ID: motif admin audit ${text}`);
  const isStdin = text === '-' && run.literalWords === 0;
  const judged = isStdin ? await readStdin(world, stdinTimeoutMs, notice) : text;
  const trial = await tryText({ text: judged, role, side, motif, config, isLive }, source, world);
  const admission = user === undefined ? undefined : admissionOf(user, motif, config);
  const tried = { trial, role, motif, config, admission };
  const unexpected = unexpectedOutcome(trial, flags);
  if (!flags.json) await sayTrial(tried, run);
  else if (unexpected === undefined) await printDocument({ ok: true, ...trialFacts(tried), error: null }, flags, world);
  if (unexpected !== undefined) throw unexpected.withFacts(trialFacts(tried));
}

function unexpectedOutcome({ decision, hits }: Trial, { expect }: TryFlags): MotifError | undefined {
  if (expect === undefined || expect === 'any') return undefined;
  const failed = hits.find(({ rule }) => rule === 'policy_failed');
  if (failed !== undefined) {
    return new MotifError('unverified', `--expect ${expect}: the policy ${failed.policy} could not judge`);
  }
  if (expected[expect].includes(decision)) return undefined;
  const outcome = expect === 'blocked' ? 'no policy would block it' : decisionWords[decision];
  return new MotifError('failed', `--expect ${expect}: ${outcome}`);
}
