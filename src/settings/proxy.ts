import { isLoopback, type ProxyRoute, toProxyRoute } from '../wire/http.ts';
import type { MotifTarget } from '../wire/request.ts';
import { parseGiven } from './address.ts';
import type { Sourced } from './resolve.ts';
import { parseProxy } from './table.ts';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * The proxy on the way to a target, by flag, environment or profile; undefined where it is reached directly, as this
 * machine always is.
 */
export async function chooseProxy(
  target: MotifTarget,
  setting: Sourced<URL> | undefined,
  env: Env,
): Promise<ProxyRoute | undefined> {
  const url = new URL(target.baseUrl);
  if (isLoopback(url.hostname) || (await isExempt(url, env))) return undefined;
  const chosen = setting?.level === 'flag' ? setting : (fromEnvironment(url, env) ?? setting);
  return chosen && toProxyRoute(chosen.value, chosen.from);
}

/** Like curl, but an empty lower-case variable does not hide the upper-case one. */
function fromEnvironment(target: URL, env: Env): { value: URL; from: string } | undefined {
  const found =
    variable(env, target.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY') ?? variable(env, 'ALL_PROXY');
  if (found === undefined) return undefined;
  const hint = 'correct the variable, or give another proxy: --proxy ADDRESS';
  return { value: parseGiven(parseProxy, found.text, { name: found.name, hint }), from: found.name };
}

function variable(env: Env, name: string): { name: string; text: string } | undefined {
  for (const spelling of [name.toLowerCase(), name]) {
    const text = env[spelling]?.trim();
    if (text !== undefined && text !== '') return { name: spelling, text };
  }
  return undefined;
}

/** True where NO_PROXY names the target. Most have none, and its blocks need Node's network room. */
export async function isExempt(target: URL, env: Env): Promise<boolean> {
  const list = variable(env, 'NO_PROXY')?.text;
  return list !== undefined && (await import('./no-proxy.ts')).isListed(target, list);
}

/** True where any variable names a proxy, for programs that would use it where we go direct. */
export function isProxySet(env: Env): boolean {
  return ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY'].some((name) => variable(env, name) !== undefined);
}
