import { revealHeader } from '../text/secret.ts';
import type { HttpRequest } from '../wire/http.ts';

/** Headers as undici takes them, names and values in turn; here their secrets become text. */
export function reveal(headers: HttpRequest['headers']): string[] {
  const lines: string[] = [];
  for (const name in headers) lines.push(name, revealHeader(headers[name]!));
  return lines;
}

/** The same headers, which are ours alone: a name that came several times gets its values in one text. */
export function joinValues(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  for (const name in headers) {
    const value = headers[name];
    if (typeof value !== 'string') headers[name] = value?.join(', ') ?? '';
  }
  return headers as Record<string, string>;
}

/** True of an answer whose body is in another form than its text. */
export function isEncoded(headers: Readonly<Record<string, string>>): boolean {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  return encoding !== '' && encoding !== 'identity';
}

/** True of an answer that another reader of HTTP may see end elsewhere, so that what follows is a part of it. */
export function endsUnclearly(status: number, headers: Readonly<Record<string, string>>): boolean {
  const { 'content-length': length, 'transfer-encoding': coding } = headers;
  if (status === 204 || status === 304) return coding !== undefined || Number(length ?? 0) !== 0;
  return coding !== undefined && length !== undefined;
}
