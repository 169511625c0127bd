import { utimesSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { Ended } from '../processes/child.ts';
import type { Home } from '../processes/home.ts';
import { filesBelow, filesHolding, type FoundFile } from './login.ts';

interface Head {
  readonly v: number;
  readonly id: string;
  readonly title: string;
  readonly created: string;
  readonly motif_id: string | null;
  readonly profile: string | null;
}

export interface ConversationFile extends FoundFile {
  readonly head: Head;
}

/** The saved conversations of a home, wherever below it they lie: what begins with the head of a conversation. */
export function conversationFiles(home: Home): readonly ConversationFile[] {
  return filesBelow(home.home).flatMap((file) => {
    const head = parseHead(Buffer.from(file.text, 'latin1').toString().split('\n', 1)[0] ?? '');
    return head === undefined ? [] : [{ ...file, head }];
  });
}

/** The one conversation that there is. */
export function onlyConversation(home: Home): ConversationFile {
  const [file, ...more] = conversationFiles(home);
  if (file === undefined || more.length > 0) throw new Error(`${more.length + (file ? 1 : 0)} conversations are saved`);
  return file;
}

function parseHead(line: string): Head | undefined {
  try {
    const head = JSON.parse(line) as Head;
    return typeof head.v === 'number' && typeof head.id === 'string' && 'created' in head ? head : undefined;
  } catch {
    return undefined;
  }
}

/** Says these lines in a chat that has no terminal. */
export async function say(home: Home, lines: readonly string[], ...args: readonly string[]): Promise<Ended> {
  return await home.motif(['chat', ...args], { input: lines.map((line) => `${line}\n`).join('') });
}

/** The items that a subcommand of `motif history` prints with --json. */
export async function itemsOf(home: Home, ...args: readonly string[]): Promise<readonly Record<string, unknown>[]> {
  const run = await home.motif(['history', ...args, '--json']);
  expect(run).toMatchObject({ code: 0 });
  const document = JSON.parse(run.stdout) as { items: Record<string, unknown>[] };
  expect(document).toEqual({ ok: true, items: expect.any(Array) as unknown, error: null });
  return document.items;
}

/** Messages that `--messages` would read of a conversation. */
export async function messagesIn(home: Home, name: string): Promise<readonly { role: string; content: string }[]> {
  const run = await home.motif(['history', 'export', name, '--format', 'messages']);
  expect(run).toMatchObject({ code: 0 });
  const parsed = JSON.parse(run.stdout) as unknown;
  const list = Array.isArray(parsed) ? parsed : (parsed as { messages: unknown[] }).messages;
  return list as { role: string; content: string }[];
}

/** Makes a saved conversation look as if it had last been used so many days ago. */
export function age(file: ConversationFile, days: number): void {
  const then = new Date(Date.now() - days * 24 * 3600 * 1000);
  const text = Buffer.from(file.text, 'latin1').toString();
  writeFileSync(file.path, text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, then.toISOString()));
  utimesSync(file.path, then, then);
}

/** Nothing below the home holds any of these texts, raw or as JSON writes it. */
export function expectNowhere(home: Home, ...texts: readonly string[]): void {
  for (const text of texts) {
    const forms = [text, JSON.stringify(text).slice(1, -1)].map((form) => Buffer.from(form).toString('latin1'));
    expect(forms.flatMap((form) => filesHolding(home.root, form))).toEqual([]);
  }
}
