import { Agent } from 'node:http';
import type { Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { rawServer } from '../../support/servers/answer-ways.ts';
import { ask, gatewayProcess, token } from '../../support/servers/gateway-process.ts';

const rounds = 40;
const together = 50;

const answerOf = (value: unknown): string => {
  const body = JSON.stringify(value);
  return `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
};

/** Numbers from 0 up to 1, the same ones each time. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 0x7fffffff) / 0x7fffffff;
}

/** Answers, and answers once more within some milliseconds, in one piece or in two. */
function answerTwice(socket: Socket, text: string, random: () => number): void {
  socket.write(text);
  const cut = random() < 0.5 ? text.length : 1 + Math.floor(random() * 40);
  setTimeout(() => socket.write(text.slice(0, cut)), random() * 4);
  if (cut < text.length) setTimeout(() => socket.write(text.slice(cut)), 4 + random() * 4);
}

test.each([1, 2, 3])(
  'a webhook and a provider that answer twice are found out before they mix prompts up, seed %i',
  async (seed) => {
    const random = seeded(seed);
    const hook = await rawServer((socket, { body }) => {
      const { texts } = JSON.parse(body) as { texts: string[] };
      const findings = texts.flatMap((text, message) => (text.includes('bad') ? [{ rule: 'bad', message }] : []));
      answerTwice(socket, answerOf({ findings }), random);
    });
    const provider = await rawServer((socket, { body }) => {
      const { messages } = JSON.parse(body) as { messages: { content: string }[] };
      const content = `echo ${messages.at(-1)!.content}`;
      answerTwice(socket, answerOf({ choices: [{ message: { content }, finish_reason: 'stop' }] }), random);
    });
    const gateway = await gatewayProcess(`listen: { port: 0 }
providers: { up: { kind: openai, base_url: "http://127.0.0.1:${provider.port}/v1", retries: 0 } }
policies: { hook: { kind: webhook, on: prompt, url: "http://127.0.0.1:${hook.port}/" } }
motifs:
  bot: { provider: up, model: m, policies: [hook], tokens: [{ id: t1, sha256: ${token.sha256} }] }
`);
    const agent = new Agent({ keepAlive: true });
    onTestFinished(() => agent.destroy());
    const wrong: string[] = [];
    for (let round = 0; round < rounds; round += 1) {
      await Promise.all(
        Array.from({ length: together }, async (_, at) => {
          const content = `${random() < 0.5 ? 'good' : 'bad'} ${round} ${at}`;
          const { json } = await ask(gateway.port, content, agent);
          const isRight = content.startsWith('bad') ? json.blocked === true : json.response === `echo ${content}`;
          // Until it is found out, such an answer may cross a request, which nobody can tell.
          if (!isRight && round > 0) wrong.push(`${content}: ${JSON.stringify(json)}`);
        }),
      );
    }
    const names = gateway
      .log()
      .filter(({ message }) => String(message).startsWith('a server sent what nobody asked for'))
      .map(({ provider: up, policy }) => up ?? policy);
    expect(wrong).toEqual([]);
    expect(names).toHaveLength(2);
    expect(new Set(names)).toEqual(new Set(['hook', 'up']));
  },
);
