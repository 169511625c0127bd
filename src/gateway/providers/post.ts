import type { HttpRequest } from '../../wire/http.ts';
import type { ProviderConfig } from '../config.ts';

export interface PostParts {
  /** Of the format, where the gateway file has none. */
  readonly baseUrl: string | undefined;
  readonly path: string;
  /** The format's own headers, such as the one that carries the key. */
  readonly headers: HttpRequest['headers'];
  readonly body: Readonly<Record<string, unknown>>;
}

/** Headers of the gateway file come first, so that none of them replaces one that the format or the framing needs. */
export function toPost(config: ProviderConfig, { baseUrl, path, headers, body }: PostParts): HttpRequest {
  const configured = Object.entries(config.headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  return {
    method: 'POST',
    url: `${(config.baseUrl ?? baseUrl ?? '').replace(/\/+$/, '')}${path}`,
    headers: {
      ...Object.fromEntries(configured),
      accept: 'application/json',
      'accept-encoding': 'identity',
      'content-type': 'application/json',
      ...headers,
    },
    body: JSON.stringify(body),
  };
}
