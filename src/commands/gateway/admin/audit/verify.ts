import { CommandEnded, MotifError } from '../../../../errors.ts';
import { readAuditLines } from '../../../../gateway/records/audit/reading.ts';
import {
  AuditVerification,
  type LoggedSeal,
  type VerificationResult,
} from '../../../../gateway/records/audit/verification.ts';
import type { AuditFault } from '../../../../gateway/records/audit/writer-check.ts';
import { paintVerdict } from '../../../../reports/plain-table.ts';
import { fileSource } from '../../../../rows/source.ts';
import { fitLines } from '../../../../terminal/lines.ts';
import { printDocument, printLines } from '../../../../terminal/output.ts';
import { defuseLine } from '../../../../text/defuse.ts';
import { counted } from '../../../../text/sizes.ts';
import { textOrNull } from '../../../../wire/reply.ts';
import type { World } from '../../../../world/world.ts';
import type { JsonFlags } from '../../../shared/flags/options.ts';
import type { FlagsOf } from '../../../shared/flags/flags.ts';
import { momentText } from '../../../shared/flags/moments.ts';
import { type Run, styleOf } from '../../../shared/run.ts';
import { bold, printTable } from '../../../shared/table.ts';
import type { AdminFlags } from '../flags.ts';
import type { verifyFlags } from './flags.ts';
import { auditInputs, type AuditInputs, LeftOut, readAudits } from './inputs.ts';

type VerifyRun = Run<AdminFlags & JsonFlags & FlagsOf<typeof verifyFlags>>;

/**
 * Checks the seals of an audit: 0 where they hold, 1 where something was removed, changed, inserted or cut off, where
 * there is no seal (a file of which somebody took them all looks the same), and where the first one cannot be compared.
 */
export async function runAuditVerify(run: VerifyRun, files: readonly string[]): Promise<void> {
  const { world, flags } = run;
  const logged = flags.log === undefined ? undefined : await readLoggedSeals(flags.log, world);
  const audit = await auditInputs(files, run);
  await verifyInputs(run, audit, logged).finally(audit.close);
}

async function verifyInputs(
  run: VerifyRun,
  { inputs }: AuditInputs,
  logged: readonly LoggedSeal[] | undefined,
): Promise<void> {
  const { world, flags, notice } = run;
  const verification = new AuditVerification(logged, momentText(flags.until, world));
  const leftOut = new LeftOut();
  for await (const { file, lines } of readAudits(inputs)) {
    for (const line of lines) {
      leftOut.take(file, line);
      verification.take(file, line);
    }
  }
  leftOut.needAudit();
  const result = verification.finish(world.now());
  const isProven = result.faultCount === 0 && result.seals > 0 && result.absent === 0;
  const summary = summaryOf(result);
  if (flags.json) {
    const { faults, faultCount, unproven, seals, writers, sealed, unsealed, absent, uncompared } = result;
    const lines = {
      sealed_lines: sealed,
      unsealed_lines: unsealed,
      absent_lines: absent,
      uncompared_lines: uncompared,
    };
    const counts = { writers, seals, ...lines, ...leftOut.document };
    const told = { exit_code: isProven ? 0 : 1, summary, ...counts, fault_count: faultCount, faults, unproven };
    await printDocument({ ok: isProven, ...told, error: null }, flags, world);
  } else {
    await showResult(result, summary, run);
    leftOut.say(notice);
  }
  if (!isProven) throw new CommandEnded(1);
}

function summaryOf(result: VerificationResult): string {
  const { faultCount, concerns, seals, sealed, unsealed, writers, absent, uncompared } = result;
  if (faultCount === 0 && seals === 0) {
    const [yet, next] = concerns.length === 0 ? [' yet', ', so ask again then'] : ['', ''];
    return `UNVERIFIED nothing is proven${yet}: no seal in ${counted(unsealed, 'line')}; a gateway that runs writes one a minute${next}`;
  }
  const bare = unsealed === 0 ? '' : `; ${counted(unsealed, 'line')} without a seal`;
  const by = `${counted(seals, 'seal')} of ${counted(writers, 'writer')}${bare}`;
  if (faultCount > 0) return `FAILED ${counted(faultCount, 'fault')}; ${by}`;
  const good = `${counted(sealed, 'line')} sealed and unchanged; ${by}`;
  if (absent === 0) return `OK ${good}`;
  const behind = uncompared === 0 ? '' : `, so ${counted(uncompared, 'line')} cannot be compared`;
  return `UNVERIFIED ${counted(absent, 'line')} that the first seal names ${absent === 1 ? 'is' : 'are'} not here${behind}; ${good}`;
}

async function showResult(result: VerificationResult, summary: string, run: VerifyRun): Promise<void> {
  const { stdout } = run.world;
  const style = await styleOf(run, stdout);
  const { faults, faultCount } = result;
  await printTable(
    run,
    [{ paint: (style, cell) => style.red(cell) }, { paint: bold }, {}],
    faults.map((fault) => [fault.kind, placeOf(fault), fault.message]),
  );
  const lines = [
    faultCount > faults.length ? [`and ${faultCount - faults.length} more`] : [],
    paintVerdict(fitLines(summary, stdout), style),
    detailLines(result, run.flags).map((line) =>
      fitLines(line, stdout)
        .split('\n')
        .map((each) => style.dim(each))
        .join('\n'),
    ),
  ].flat();
  await printLines(lines.join('\n'), run.world);
}

function placeOf({ file, line, until }: AuditFault): string {
  if (until === undefined || (until.file === file && until.line === line)) return `${file}:${line}`;
  return `${file}:${line} to ${until.file === file ? '' : `${until.file}:`}${until.line}`;
}

const logGoesOn = 'if only the log goes on after these files, --until WHEN leaves its later seals out';

/** Lines on what is not proven, on the first thing to be looked into, where there is one, and on where more is said. */
function detailLines(
  { faults, gaps, concerns }: VerificationResult,
  { log: logFile, until }: VerifyRun['flags'],
): readonly string[] {
  const goesOn = until === undefined && faults.some(({ kind }) => kind === 'cut') ? [logGoesOn] : [];
  if (gaps.length === 0) return goesOn;
  const [first, ...others] = concerns;
  const more = others.length === 0 ? '' : `; and ${others.length} more, which --json lists`;
  const log = logFile === undefined ? '--log FILE, with the log of the gateway, proves more; ' : '';
  return [
    ...goesOn,
    `not proven${first === undefined ? ', as is usual' : ''}: ${gaps.join('; ')}`,
    ...(first === undefined ? [] : [`look into ${defuseLine(first, 600)}${more}`]),
    `${log}--json explains each; motif help audit`,
  ];
}

/** The seals that the log of a gateway names; its other lines do not matter. */
async function readLoggedSeals(path: string, world: World): Promise<readonly LoggedSeal[]> {
  const seals: LoggedSeal[] = [];
  for await (const lines of readAuditLines(fileSource(world.files, path, world.interrupted).chunks())) {
    for (const { record } of lines) {
      const { writer, first, last, sha256, time, place } = record;
      // An audit in the place of the log would prove itself.
      if (typeof writer !== 'string' || typeof sha256 !== 'string' || record.event !== undefined) continue;
      seals.push({
        writer,
        first: Number(first),
        last: Number(last),
        sha256,
        time: textOrNull(time)?.slice(0, 30),
        place: textOrNull(place) ?? undefined,
      });
    }
  }
  if (seals.length > 0) return seals;
  throw new MotifError('usage', `${defuseLine(path)} names no seal`, {
    hint: 'the log of motif serve names one a minute: "audit lines sealed", with --log-level info',
  });
}
