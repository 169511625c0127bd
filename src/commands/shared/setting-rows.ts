import { type Settings, type Sourced, targetOf, usedProfile } from '../../settings/resolve.ts';
import { spellDuration } from '../../text/durations.ts';
import type { ProxyRoute } from '../../wire/http.ts';
import { motifUrl } from '../../wire/request.ts';

/** A value as people and scripts see it, and where it came from. */
export interface Shown {
  readonly value: string | number | null;
  readonly from: string | null;
}

/** Values that the settings alone do not have. */
export interface ShownBeside {
  readonly token: Shown;
  /** The proxy on the way, which depends on the target and on variables of its own. */
  readonly proxy: ProxyRoute | undefined;
}

/** Every setting and the token by name, in the order in which `whoami` tells them. */
export function showSettings(settings: Settings, { token, proxy }: ShownBeside): Record<string, Shown> {
  const target = targetOf(settings);
  const of = (sourced: Sourced<string | number> | undefined): Shown => ({
    value: sourced?.value ?? null,
    from: sourced?.from ?? null,
  });
  const time = (sourced: Sourced<number>): Shown => ({ value: spellDuration(sourced.value), from: sourced.from });
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

export function settingRows(settings: Settings, shown: Record<string, Shown>): readonly (readonly string[])[] {
  const rows = Object.entries(shown).map(([name, { value, from }]) => [name, String(value ?? 'none'), from ?? '']);
  const { profile } = settings;
  return [['profile', profile ?? 'none', profile === usedProfile(settings) ? '' : 'not used'], ...rows];
}
