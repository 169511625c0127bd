import { isFields } from '../text/json/json.ts';
import type { Secret } from '../text/secret.ts';
import type { Bearer, HttpRequest } from './http.ts';

/** One entry of the `messages` array, as it stands on the wire. */
export interface Message {
  readonly role: string;
  readonly content: string;
}

/** The address of one Motif, in parts. */
export interface MotifTarget {
  /** `{base_url}` of the service: an origin and perhaps a path, without a slash at the end. */
  readonly baseUrl: string;
  readonly motifId: string;
}

interface PromptParts {
  readonly target: MotifTarget;
  /** Absent only where nothing is sent (`--dry-run`, `--curl`). */
  readonly token?: Secret;
  readonly tenant?: string | undefined;
  readonly messages: readonly Message[];
  /** W3C trace context of the caller; not sent where it is malformed. */
  readonly traceparent?: string | undefined;
}

export const commonRoles = ['system', 'user', 'assistant'] as const;

export const tenantHeader = 'x-service-tenant-id';

export function motifUrl({ baseUrl, motifId }: MotifTarget): string {
  return `${baseUrl}/api/v1/apps/${encodeURIComponent(motifId)}`;
}

/** The one request of the service. The real call, `--dry-run` and `--curl` all start here, so they cannot differ. */
export function promptRequest({ messages, ...rest }: PromptParts): HttpRequest<string> {
  return promptRequests(rest)(JSON.stringify(messages));
}

/** The same for many prompts, which share all but their messages: those come as JSON text. */
export function promptRequests({
  target,
  token,
  tenant,
  traceparent,
}: Omit<PromptParts, 'messages'>): (messagesJson: string) => HttpRequest<string> {
  const headers: Record<string, string | Bearer> = {
    accept: 'application/json',
    'accept-encoding': 'identity',
    'content-type': 'application/json',
  };
  if (token !== undefined) headers.authorization = { scheme: 'Bearer', token };
  if (tenant !== undefined) headers[tenantHeader] = tenant;
  const trace = parseTraceparent(traceparent);
  if (trace !== undefined) headers.traceparent = trace;
  const url = `${motifUrl(target)}/prompts`;
  return (messagesJson) => ({ method: 'POST', url, headers, body: promptBody(messagesJson) });
}

function promptBody(messagesJson: string): string {
  return `{"messages":${messagesJson}}`;
}

/** The Content-Length of the empty prompt by which a token is tried. No prompt with a message is as short. */
export const emptyPromptLength = String(promptBody('[]').length);

/** A trace context in the form that W3C gave it; undefined for anything else. */
export function parseTraceparent(text: string | undefined): string | undefined {
  return text !== undefined && /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/.test(text) ? text : undefined;
}

/** A fault of a value, with its path: `messages[2].content must be a string`. */
export class MessagesFault extends Error {
  override readonly name = 'MessagesFault';
}

/** Checks an unknown value as a `messages` array; `roles` limits the roles where the reader of the request does. */
export function parseMessages(value: unknown, roles?: readonly string[]): Message[] {
  if (!Array.isArray(value)) throw new MessagesFault('messages must be an array');
  if (value.length === 0) throw new MessagesFault('messages must not be empty');
  return value.map((entry: unknown, index) => parseMessage(entry, `messages[${index}]`, roles));
}

function parseMessage(entry: unknown, path: string, roles: readonly string[] | undefined): Message {
  if (!isFields(entry)) throw new MessagesFault(`${path} must be an object with role and content`);
  const { role, content } = entry;
  if (typeof role !== 'string' || role === '') throw new MessagesFault(`${path}.role must be a string`);
  if (roles !== undefined && !roles.includes(role)) {
    throw new MessagesFault(`${path}.role must be one of ${roles.join(', ')}`);
  }
  if (typeof content !== 'string') throw new MessagesFault(`${path}.content must be a string`);
  return { role, content };
}
