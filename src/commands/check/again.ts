import { settingTable, type SettingKey } from '../../settings/table.ts';
import type { Threshold } from '../../suites/summary.ts';
import { pathWord, plainWord } from '../../text/defuse.ts';
import { settingFlags } from '../shared/connection-flags.ts';
import type { CheckFlags } from './check-flags.ts';

/** The command line that asks the failures again, of the same service, and judges them by the same rules. */
export function againOf(operands: readonly string[], flags: CheckFlags): string {
  const settings = Object.entries(settingFlags(flags)).map(
    ([key, text]) => [`--${settingTable[key as SettingKey].flag ?? key}`, text] as const,
  );
  const valued: readonly (readonly [string, string | number | undefined])[] = [
    ['-p', flags.profile],
    ...settings,
    ['--local', flags.local],
    ['--as', flags.as],
    ['--tags', flags.tags],
    ...(flags.ids ?? []).map((id) => ['--id', id] as const),
    ['-j', flags.concurrency],
    ['--rpm', flags.rpm],
    ['--repeat', flags.repeat],
    ['--baseline', flags.baseline],
    ['--replay', flags.replay],
    ['--against', flags.against],
    ['--max-missed-blocks', spelled(flags.maxMissedBlocks)],
    ['--max-false-blocks', spelled(flags.maxFalseBlocks)],
    ['--max-unverified', spelled(flags.maxUnverified)],
  ];
  const toggles = {
    '--live': flags.live,
    '--allow-http': flags.allowHttp,
    '--allow-commands': flags.allowCommands,
    '--only-new': flags.onlyNew,
    '--fail-on-flaky': flags.failOnFlaky,
    '--strict': flags.strict,
  };
  const words = [
    ...(flags.demo ? ['--demo'] : []),
    ...valued.flatMap(([name, value]) => (value === undefined ? [] : [name, plainWord(String(value))])),
    ...Object.entries(toggles).flatMap(([name, isOn]) => (isOn === true ? [name] : [])),
  ];
  return ['motif', 'check', ...operands.map(pathWord), ...words, '--last-failed'].join(' ');
}

function spelled(threshold: Threshold | undefined): string | undefined {
  return threshold === undefined ? undefined : `${threshold.amount}${threshold.isPercent ? '%' : ''}`;
}
