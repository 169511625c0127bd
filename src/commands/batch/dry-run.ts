import { Batch } from '../../batch/batch.ts';
import type { PlannedRow } from '../../batch/row.ts';
import { Ledger } from '../../batch/ledger/ledger.ts';
import { neededBytes } from '../../batch/room.ts';
import { type Settings, targetOf, exampleTarget } from '../../settings/resolve.ts';
import { escapeJson } from '../../text/defuse.ts';
import { printDocument, printLines } from '../../terminal/output.ts';
import { promptRequests } from '../../wire/request.ts';
import type { Run } from '../shared/run.ts';
import type { BatchFlags } from './flags.ts';
import type { OpenInput } from './input.ts';
import { openBareLedger } from './ledger-file.ts';
import { shortCount } from './progress.ts';
import { linesText } from './next-command.ts';
import { counted, formatSize, grouped, tokensOfBytes } from '../../text/sizes.ts';

/** Says what the run would send, and shows the first request. Nothing is sent and no file is changed. */
export async function showDryRun(
  { world, flags }: Run<BatchFlags>,
  { input, marks }: OpenInput,
  settings: Settings,
  output: string | undefined,
): Promise<void> {
  const isBare = output === undefined || flags.fresh === true;
  const ledger = isBare ? openBareLedger(world, marks) : await Ledger.open(output, marks, world);
  try {
    const { rows, left, empty, bytes, foreignCharacters, first } = await new Batch(input, ledger).survey();
    const requests = left - empty.count;
    const tokens = tokensOfBytes(bytes);
    const request = first === undefined ? null : previewOf(settings, first, world.env.TRACEPARENT);
    const stored = ledger instanceof Ledger ? ledger : undefined;
    const disk = output === undefined ? null : neededBytes(stored, { rows: left, foreignCharacters });
    if (flags.json) {
      const estimates = { estimated_tokens: tokens, estimated_disk_bytes: disk };
      const document = { ok: true, rows, requests, ...estimates, first: request, error: null };
      return await printDocument(document, flags, world);
    }
    const head = `${counted(rows, 'row')}, ${grouped(requests)} to be sent, about ${shortCount(tokens)} prompt ${tokens === 1 ? 'token' : 'tokens'}`;
    const without = empty.count === 0 ? [] : [`${counted(empty.count, 'row')} without a prompt: ${linesText(empty)}`];
    const room =
      disk === null
        ? []
        : [`${output} needs at least about ${formatSize(disk)} of free disk space until all is in order`];
    await printLines([head, ...without, ...room, ...(request === null ? [] : previewLines(request))].join('\n'), world);
  } finally {
    ledger.close();
  }
}

interface RequestPreview {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

function previewOf(settings: Settings, { messagesJson }: PlannedRow, traceparent: string | undefined): RequestPreview {
  const { method, url, headers, body } = promptRequests({
    target: targetOf(settings) ?? exampleTarget,
    traceparent,
    tenant: settings.tenant?.value,
  })(messagesJson);
  const shownHeaders = { ...headers, authorization: 'Bearer $MOTIF_TOKEN' } as Record<string, string>;
  return { method, url, headers: shownHeaders, body: JSON.parse(body) as unknown };
}

function previewLines({ method, url, headers, body }: RequestPreview): readonly string[] {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return ['the first request:', '', `${method} ${url}`, ...lines, '', escapeJson(JSON.stringify(body))];
}
