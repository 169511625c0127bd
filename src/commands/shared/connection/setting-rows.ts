import { type Settings, type Sourced, targetOf, usedProfile } from '../../../settings/resolve.ts';
import { type Setting, settingTable } from '../../../settings/table.ts';
import { spellDuration } from '../../../text/durations.ts';
import type { ProxyRoute } from '../../../wire/http.ts';
import { motifUrl } from '../../../wire/request.ts';

/** A value as people and scripts see it, and where it came from. */
export interface ShownSetting {
  readonly value: string | number | null;
  readonly from: string | null;
}

/** Values that the settings alone do not have. */
export interface ShownBeside {
  readonly token: ShownSetting;
  /** The proxy on the way, which depends on the target and on variables of its own. */
  readonly proxy: ProxyRoute | undefined;
}

/** Every setting and the token by name, in the order in which `whoami` tells them. */
export function showSettings(settings: Settings, { token, proxy }: ShownBeside): Record<string, ShownSetting> {
  const target = targetOf(settings);
  const of = (sourced: Sourced<string | number> | undefined): ShownSetting => ({
    value: sourced?.value ?? null,
    from: sourced?.from ?? null,
  });
  const time = (sourced: Sourced<number>): ShownSetting => ({
    value: spellDuration(sourced.value),
    from: sourced.from,
  });
  return {
    url: {
      value: target === undefined ? (settings.baseUrl?.value ?? null) : motifUrl(target),
      from: settings.baseUrl?.from ?? null,
    },
    motif_id: of(settings.motifId),
    token,
    tenant: of(settings.tenant),
    timeout: time(settings.timeout),
    connect_timeout: time(settings.connectTimeout),
    retries: of(settings.retries),
    proxy: { value: proxy?.url ?? null, from: proxy?.from ?? null },
    cacert: of(settings.cacert),
    cert: of(settings.cert),
    key: of(settings.key),
    blocked_notice: of(settings.blockedNotice),
    history: { value: settings.history.value ? 'on' : 'off', from: settings.history.from },
  };
}

/** The origin of the token: "MOTIF_TOKEN", "profile support-bot, keyring". */
export function tokenOrigin({ token }: Settings): string | null {
  if (token === undefined) return null;
  return token.value.kind === 'profile' ? `${token.from}, ${token.value.record.store}` : token.from;
}

export function settingRows(settings: Settings, shown: Record<string, ShownSetting>): readonly (readonly string[])[] {
  const rows = Object.entries(shown).map(([name, { value, from }]) => [
    name,
    String(value ?? 'none'),
    [...(from === null ? [] : [shortOrigin(from, settings)]), ...emptyWords(settings, variablesOf[name] ?? [])].join(
      '; ',
    ),
  ]);
  const profileFacts = [...profileWords(settings, shown), ...emptyWords(settings, ['MOTIF_PROFILE'])];
  return [['profile', settings.profile ?? 'none', profileFacts.join('; ')], ...rows];
}

/** `profile` for `profile staging`: there is one profile, and the first row names it. */
function shortOrigin(from: string, { profile }: Settings): string {
  return from.startsWith(`profile ${profile}`) ? `profile${from.slice(`profile ${profile}`.length)}` : from;
}

/** Variables of each row, which say nothing where they are set, but empty. */
const variablesOf: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    Object.values(settingTable).map(({ env, profileKey = 'motif_id' }: Setting<unknown>) => [
      profileKey,
      env === undefined ? [] : [env],
    ]),
  ),
  token: ['MOTIF_TOKEN', 'MOTIF_TOKEN_FILE'],
};

function emptyWords({ emptyVariables }: Settings, names: readonly string[]): readonly string[] {
  return names.filter((name) => emptyVariables.includes(name)).map((name) => `${name} is set, but empty`);
}

/** Words for a profile that says neither who asks nor which Motif is asked. */
function profileWords(settings: Settings, shown: Record<string, ShownSetting>): readonly string[] {
  const { profile } = settings;
  if (profile === usedProfile(settings)) return [];
  const used = Object.keys(shown).filter((name) => shown[name]?.from === `profile ${profile}`);
  return [used.length === 0 ? 'not used' : `used for ${used.join(', ')} alone`];
}
