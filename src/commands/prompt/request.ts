import { isProxySet } from '../../settings/proxy.ts';
import { type Settings, targetOf, exampleTarget } from '../../settings/resolve.ts';
import { escapeJson } from '../../text/defuse.ts';
import { counted, tokensOfBytes } from '../../text/sizes.ts';
import type { Message } from '../../wire/request.ts';
import { promptRequest } from '../../wire/request.ts';
import { findProxy, requireTarget } from '../shared/connection/connection.ts';
import { curlCommand } from './curl-command.ts';
import { type DocumentFlags, printDocument, printLines } from '../../terminal/output.ts';
import type { Run } from '../shared/run.ts';

/**
 * Shows the request that would be sent, made by the same function as the real one. The token is not even read: a shell
 * variable stands in its place.
 */
export async function showRequest(
  { world, flags, notice }: Run<DocumentFlags & { readonly curl?: boolean | undefined }>,
  settings: Settings,
  messages: readonly Message[],
): Promise<void> {
  if (settings.baseUrl === undefined) notice('no Motif is known: the address is a placeholder');
  const target =
    settings.baseUrl === undefined ? exampleTarget : (targetOf(settings) ?? (await requireTarget(settings, world)));
  const exact = promptRequest({
    target,
    messages,
    traceparent: world.env.TRACEPARENT,
    tenant: settings.tenant?.value,
  });
  const bytes = Buffer.byteLength(exact.body);
  // Text that a file brought along is not obeyed by a terminal either; the JSON says the same.
  const request = world.stdout.isTerminal ? { ...exact, body: escapeJson(exact.body) } : exact;
  const headers = { ...request.headers, authorization: 'Bearer $MOTIF_TOKEN' } as Record<string, string>;
  if (flags.curl) {
    const missing = missingVariable(settings, world.env.MOTIF_TOKEN);
    if (missing !== undefined) notice(missing);
    const route = { proxy: await findProxy(settings, target, world), isProxySet: isProxySet(world.env) };
    await printLines(curlCommand({ ...request, headers }, settings, route), world);
  } else if (flags.json || flags.field !== undefined) {
    const { method, url, body } = request;
    await printDocument(
      { ok: true, method, url, headers, body: JSON.parse(body) as unknown, bytes, error: null },
      flags,
      world,
    );
  } else {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    await printLines([`${request.method} ${request.url}`, ...lines, '', request.body].join('\n'), world);
    // Behind the request, for a long one scrolls away what stands before it.
    notice(`${sizeWords(bytes, messages)}; nothing was sent`);
  }
}

/** The bytes of the body, as they count for a limit of the service, and the tokens of the texts alone. */
function sizeWords(bytes: number, messages: readonly Message[]): string {
  const tokens = tokensOfBytes(messages.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0));
  return `${counted(bytes, 'byte')} in ${counted(messages.length, 'message')}, about ${counted(tokens, 'token')}`;
}

/** Words about $MOTIF_TOKEN where it is not the token that motif itself would send; undefined where it is. */
function missingVariable({ token }: Settings, variable: string | undefined): string | undefined {
  const isSet = variable !== undefined && variable !== '';
  if (token === undefined) return isSet ? undefined : 'set MOTIF_TOKEN before you run this';
  if (token.value.kind === 'variable') return undefined;
  const set = isSet
    ? 'MOTIF_TOKEN holds another token: set it to the right one before you run this'
    : 'set MOTIF_TOKEN before you run this';
  return `${set}; the token of ${token.from} is not printed`;
}
