import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Send } from '../../../src/wire/http.ts';
import { motif, type MotifSetup, type Run } from '../motif.ts';
import { answered, blocked as blockedBody, type Scripted, toReply } from '../service.ts';

/** A service that answers each prompt by what is asked, and keeps a journal of them. */
interface BatchService {
  readonly send: Send;
  /** The last message of each request, in the order they came. */
  readonly asked: string[];
  /** Whole requests. */
  readonly bodies: { readonly messages: readonly { readonly role: string; readonly content: string }[] }[];
}

type Script = (prompt: string, count: number) => Scripted | Error | Promise<Scripted | Error> | undefined;

export function batchService(script: Script = () => undefined): BatchService {
  const asked: string[] = [];
  const bodies: BatchService['bodies'] = [];
  return {
    asked,
    bodies,
    async send(request, options) {
      options.signal?.throwIfAborted();
      const body = JSON.parse(String(request.body)) as BatchService['bodies'][number];
      const prompt = body.messages.at(-1)?.content ?? '';
      asked.push(prompt);
      bodies.push(body);
      const reply = (await script(prompt, asked.length)) ?? { body: { ...answered, response: `re: ${prompt}` } };
      if (reply instanceof Error) throw reply;
      return toReply(reply);
    },
  };
}

export const blockedReply: Scripted = { body: blockedBody };

/** A line of the output. */
interface OutputRow {
  readonly index: number | null;
  readonly id: unknown;
  readonly key: string;
  readonly blocked: boolean | null;
  readonly response: string | null;
  readonly error: { readonly kind: string; readonly exit_code: number; readonly message: string } | null;
  readonly [field: string]: unknown;
}

export function rowsOf(text: string): OutputRow[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as OutputRow);
}

/** Runs `motif batch` against a service; `service` may be one that has answered before. */
export function batch(argv: readonly string[], setup: MotifSetup = {}, service = batchService()): Promise<Run> {
  return motif(['batch', ...argv], { send: service.send, ...setup });
}

/** The text of a file in the working folder of a run; empty where there is none. */
export function fileOf({ world }: Run, name: string): string {
  const path = join(world.folder, name);
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}
