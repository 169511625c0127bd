import type { HttpRequest } from '../../wire/http.ts';
import type { ProviderConfig } from '../config.ts';

interface PostParts {
  /** Of the format, where the gateway file has none. */
  readonly baseUrl: string | undefined;
  readonly path: string;
  /** The format's own headers, such as the one that carries the key; asked for once for all requests of a provider. */
  readonly headers: () => HttpRequest['headers'];
  readonly body: Readonly<Record<string, unknown>>;
}

/** Headers of the gateway file come first, so that none of them replaces one that the format or the framing needs. */
export function toPost(config: ProviderConfig, { baseUrl, path, headers, body }: PostParts): HttpRequest {
  const always = preparedFor(config, headers);
  return {
    method: 'POST',
    url: (always.baseUrl ?? withoutSlashes(baseUrl ?? '')) + path,
    headers: always.headers,
    // Held until the provider has answered: as text, where a letter is beyond Latin, it would take twice as much.
    body: Buffer.from(JSON.stringify(body)),
  };
}

interface Prepared {
  readonly baseUrl: string | undefined;
  readonly headers: HttpRequest['headers'];
}

/** The parts that are the same for all requests of a provider, for as long as its configuration is in use. */
const prepared = new WeakMap<ProviderConfig, Prepared>();

function preparedFor(config: ProviderConfig, ownHeaders: PostParts['headers']): Prepared {
  const known = prepared.get(config);
  if (known !== undefined) return known;
  const configured = Object.entries(config.headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  const made = {
    baseUrl: config.baseUrl === undefined ? undefined : withoutSlashes(config.baseUrl),
    headers: {
      ...Object.fromEntries(configured),
      accept: 'application/json',
      'accept-encoding': 'identity',
      'content-type': 'application/json',
      ...ownHeaders(),
    },
  };
  prepared.set(config, made);
  return made;
}

function withoutSlashes(url: string): string {
  return url.replace(/\/+$/, '');
}
