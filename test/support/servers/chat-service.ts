import type { ServerResponse } from 'node:http';
import { createHome, type Home, inMemory } from '../processes/home.ts';
import { localService, type LocalService, type Received } from './local-service.ts';
import { answered, blocked, type Scripted } from '../service.ts';

interface SentMessage {
  readonly role: string;
  readonly content: string;
}

/** Reply of a service to one turn: answers it, replies in a way of its own, or leaves it waiting for ever. */
export type Reply = string | Scripted | undefined;

export interface ChatService extends LocalService {
  /** The messages of each request, as the service received them. */
  messages(): readonly (readonly SentMessage[])[];
  /** The last message of each request. */
  texts(): readonly string[];
}

export const never = undefined;
export const block: Scripted = { body: blocked };

/** Answer of the service of `chatService` to a text, when nothing else is said. */
const answerTo = (text: string): string => `Heard: ${text}`;

/** A real service that replies to the last message of each turn; without a word it repeats what it heard. */
export async function chatService(
  reply: (text: string, turn: number) => Reply | Promise<Reply> = answerTo,
): Promise<ChatService> {
  let turn = 0;
  const answer = async (response: ServerResponse, received: Received | undefined): Promise<void> => {
    turn += 1;
    const chosen = await reply(received === undefined ? '' : lastText(received), turn);
    if (chosen === never) return;
    const { status = 200, body, headers = {} } = typeof chosen === 'string' ? answerOf(chosen) : chosen;
    const isRaw = typeof body === 'string' || body instanceof Uint8Array;
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(isRaw ? body : JSON.stringify(body));
  };
  const service = await localService((response) => void answer(response, service.requests.at(-1)));
  return {
    ...service,
    messages: () => service.requests.map(messagesOf),
    texts: () => service.requests.map(lastText),
  };
}

export function answerOf(response: string): Scripted {
  return { body: { ...answered, response } };
}

/** A private home whose environment names the service, and nothing else; motif runs in this process. */
export function homeFor(service: LocalService): Home {
  const home = createHome();
  const { MOTIF_URL = '', MOTIF_TOKEN = '' } = service.env;
  const env = { ...home.env, MOTIF_URL, MOTIF_TOKEN };
  const built: Home = {
    ...home,
    env,
    motif: (args, setup = {}) => home.motif(args, { ...setup, env: { ...env, ...setup.env } }),
  };
  return inMemory(built);
}

function messagesOf({ body }: Received): readonly SentMessage[] {
  return (JSON.parse(body.toString()) as { messages: SentMessage[] }).messages;
}

function lastText(received: Received): string {
  return messagesOf(received).at(-1)?.content ?? '';
}

/** A gate that holds a reply back until somebody lets it go. */
export function gate(): { readonly opened: Promise<void>; open(): void } {
  let open: () => void = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open: () => open() };
}
