import { type SettingKey, settingTable } from '../../../settings/table.ts';
import { spellDuration } from '../../../text/durations.ts';
import { type Flag, type FlagsOf, file, flags, textFlag, toggle } from './flags.ts';

/** The flag of a setting, as the table of settings has it. Its text is read when the settings are resolved. */
export function setting(key: SettingKey, placeholder: string, help?: string): Flag<string | undefined> {
  const { flag = key, summary, default: fallback } = settingTable[key];
  const spelling = `--${flag} ${placeholder}`;
  const shown = placeholder === '<duration>' ? spellDuration(Number(fallback)) : Number(fallback);
  const words = help ?? (fallback === undefined ? summary : `${summary} (default ${shown})`);
  return placeholder === '<file>' ? file(spelling, words) : textFlag(spelling, words);
}

/** `-p`, which names a profile. */
export function profileFlag(help: string): Flag<string | undefined> {
  return textFlag('-p, --profile <name>', help, { complete: 'profiles' });
}

/** Flags that name the Motif: by a profile, or by an address. */
const motifFlags = flags(
  {
    profile: profileFlag('the profile to use'),
    url: setting('url', '<address>'),
    motif: setting('motif', '<id>'),
    tenant: setting('tenant', '<id>'),
  },
  { heading: 'Which Motif' },
);

/** Flags for reaching the service, for commands that take the address in another way. */
export const reachFlags = flags(
  {
    timeout: setting('timeout', '<duration>'),
    connectTimeout: setting('connectTimeout', '<duration>'),
    cacert: setting('cacert', '<file>'),
    cert: setting('cert', '<file>'),
    key: setting('key', '<file>'),
    proxy: setting('proxy', '<address>'),
    allowHttp: toggle('--allow-http', 'allow http:// to another machine'),
  },
  { heading: 'Connection' },
);

export const retryFlags = flags({ retries: setting('retries', '<n>') }, { heading: reachFlags.heading });

/** All flags of a command that asks the service. */
export const connectionFlags = [motifFlags, reachFlags, retryFlags] as const;

export type ConnectionFlags = FlagsOf<typeof motifFlags> & FlagsOf<typeof reachFlags> & FlagsOf<typeof retryFlags>;

/** The texts of the flags that are settings, for `resolve`. */
export function settingFlags(typed: Readonly<Record<string, unknown>>): Partial<Record<SettingKey, string>> {
  const keys = Object.keys(settingTable).filter((key) => typeof typed[key] === 'string');
  return Object.fromEntries(keys.map((key) => [key, typed[key] as string]));
}
