import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { motif, type MotifSetup, type Run, testEnv } from '../motif.ts';
import { onTerminal } from './prompt.ts';
import { answered, type Scripted, service, type ScriptedService } from '../service.ts';

interface SentMessage {
  readonly role: string;
  readonly content: string;
}

interface ChatRun extends Run {
  /** The messages of each request. */
  readonly sent: readonly (readonly SentMessage[])[];
  readonly requests: ScriptedService['requests'];
  /** Everything on disk that keeps what was said: conversations and input history, by name. */
  readonly kept: Readonly<Record<string, string>>;
}

interface ChatSetup extends MotifSetup {
  /** Absent: a service that answers everything. */
  readonly scripted?: ScriptedService;
}

/** `motif chat` with each of these lines on stdin. */
export async function chatLines(
  lines: readonly string[],
  argv: readonly string[] = [],
  { scripted = service(), ...setup }: ChatSetup = {},
): Promise<ChatRun> {
  const stdin = lines.map((line) => `${line}\n`).join('');
  return toChatRun(await motif(['chat', ...argv], { stdin, send: scripted.send, ...setup }), scripted);
}

/** Ctrl-D. */
export const leave = '\u0004';

/** Yields each text after the one before has been dealt with. */
export async function* unhurried(typed: readonly string[]) {
  for (const each of typed) {
    yield each;
    for (let turns = 0; turns < 40; turns += 1) await new Promise(setImmediate);
  }
}

/** `motif chat` of a person at a terminal, who leaves at the end. */
export async function chatTyping(
  typed: readonly string[],
  argv: readonly string[] = [],
  { scripted = replying(), ...setup }: ChatSetup = {},
) {
  const run = await motif(['chat', ...argv], {
    ...onTerminal,
    stdin: { typed: unhurried([...typed, leave]) },
    send: scripted.send,
    ...setup,
    env: { ...testEnv, NO_COLOR: '1', TERM: 'xterm-256color', ...setup.env },
  });
  return toChatRun(run, scripted);
}

function toChatRun(run: Run, { requests }: ScriptedService): ChatRun {
  const sent = requests.map(({ json }) => (json as { messages: SentMessage[] }).messages);
  return { ...run, requests, sent, kept: keptIn(join(run.world.home ?? '/nonexistent', '.local/state/motif')) };
}

function keptIn(folder: string): Record<string, string> {
  try {
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    return Object.fromEntries(
      files.map(({ parentPath, name }) => [name, readFileSync(join(parentPath, name), 'utf8')]),
    );
  } catch {
    return {};
  }
}

/** A service that answers each text with `re: text`, unless the script has something else for it. */
export function replying(script: Readonly<Record<string, Scripted | Error>> = {}): ScriptedService {
  const requests: ScriptedService['requests'][number][] = [];
  return {
    requests,
    async send(request, options) {
      const json = JSON.parse(String(request.body)) as { messages: SentMessage[] };
      const text = json.messages.at(-1)?.content ?? '';
      const one = service(script[text] ?? { body: { ...answered, response: `re: ${text}` } });
      requests.push({ ...request, options, json });
      return one.send(request, options);
    },
  };
}

export const user = (content: string): SentMessage => ({ role: 'user', content });
export const assistant = (content: string): SentMessage => ({ role: 'assistant', content });
export const system = (content: string): SentMessage => ({ role: 'system', content });

/** Never answers a text that says so; tells when it was asked. */
export function stuck(): ScriptedService & { readonly asked: Promise<void> } {
  const quick = replying();
  let tell = (): void => {};
  const asked = new Promise<void>((resolve) => (tell = resolve));
  return {
    ...quick,
    asked,
    async send(request, options) {
      if (!request.body.includes('wait')) return quick.send(request, options);
      tell();
      return await new Promise((_, reject) => {
        options.signal?.addEventListener('abort', () => reject(options.signal?.reason as Error));
      });
    },
  };
}
