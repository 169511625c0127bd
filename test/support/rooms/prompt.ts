import { expect } from 'vitest';
import type { HttpRequest } from '../../../src/wire/http.ts';
import { motif, type MotifSetup, type Run } from '../motif.ts';
import { service, type ScriptedService } from '../service.ts';

export interface PromptRun extends Run {
  readonly requests: ScriptedService['requests'];
  /** The messages of the first request; undefined where nothing was sent. */
  readonly messages: unknown;
  /** The content of the last of them. */
  readonly text: string | undefined;
}

export const terminal = { columns: 80 };

/** Both outputs on a terminal. */
export const onTerminal = { stdout: terminal, stderr: terminal };

/** `motif prompt` with a service that answers everything, unless the caller brings another. */
export async function prompt(
  argv: readonly string[],
  setup: MotifSetup = {},
  scripted: ScriptedService = service(),
): Promise<PromptRun> {
  const run = await motif(['prompt', ...argv], { ...setup, send: scripted.send });
  const first: HttpRequest | undefined = scripted.requests[0];
  const messages = first && (JSON.parse(String(first.body)) as { messages: { content: string }[] }).messages;
  return { ...run, requests: scripted.requests, messages, text: messages?.at(-1)?.content };
}

/** The token that a request carries; two Secrets are equal to a matcher whatever they hold. */
export function tokenOf(request: HttpRequest | undefined): string | undefined {
  const bearer = request?.headers.authorization;
  if (typeof bearer !== 'object') return bearer;
  return ('token' in bearer ? bearer.token : bearer).reveal();
}

/** A text that holds each of the words, in whatever order. */
export function saying(...words: readonly string[]): unknown {
  const each = words.map((text) => `(?=[^]*${text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')})`);
  return expect.stringMatching(new RegExp(`^${each.join('')}`));
}

/** The one line of `--dry-run` on stderr. */
export const sizeAlone: unknown = expect.stringMatching(
  /^motif: [\d,]+ bytes in \d+ messages?, about [\d,]+ tokens?; nothing was sent\n$/,
);

/** A usage error that says all this, with nothing sent and nothing on stdout. */
export function usageError(...words: readonly string[]): object {
  return { exitCode: 2, stdout: '', requests: [], stderr: saying('motif: ', ...words) };
}
