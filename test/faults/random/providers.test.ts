import fc from 'fast-check';
import { Agent } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { runs } from '../../support/runs.ts';
import { type Kind, rawServer, talkative, ways } from '../../support/servers/answer-ways.ts';
import { ask, gatewayProcess, token } from '../../support/servers/gateway-process.ts';

/** One time that the provider was asked: for which prompt, its own name for that, and as what it answered. */
interface Attempt {
  readonly prompt: string;
  readonly id: string;
  readonly way: string;
  readonly kind: Kind;
}

/** Answers each request in the next way of its prompt's list, over connections that it keeps unless a way ends them. */
function startProvider(attempts: Attempt[]) {
  const turns = new Map<string, number>();
  return rawServer((socket, { body }) => {
    const prompt = (JSON.parse(body) as { messages: { content: string }[] }).messages.at(-1)!.content;
    const names = prompt.slice(prompt.indexOf(': ') + 2).split('; ');
    const turn = turns.get(prompt) ?? 0;
    turns.set(prompt, turn + 1);
    const way = names[Math.min(turn, names.length - 1)]!;
    const [kind, write] = ways[way]!;
    const id = `req_${attempts.length}x`;
    attempts.push({ prompt, id, way, kind });
    const content = `answer ${id} to ${prompt}`;
    const usage = { prompt_tokens: 2, completion_tokens: 3, total_tokens: 5 };
    const said = JSON.stringify({ choices: [{ message: { content }, finish_reason: 'stop' }], usage });
    write(socket, said, `content-type: application/json\r\nx-request-id: ${id}\r\n`);
  });
}

const names = Object.keys(ways);
const promptsIn = (some: readonly string[]) =>
  fc.array(fc.array(fc.constantFrom(...some), { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 4 });
/** Those of `odd` have a server of their own, to which no connection is kept. */
const prompts = fc.oneof(
  fc.tuple(fc.constantFrom('bot', 'two'), promptsIn(names.filter((name) => !talkative.has(name)))),
  fc.tuple(fc.constant('odd'), promptsIn(names)),
);

test.each([0, 2])(
  'whatever a provider of %i retries sends, each prompt gets its own answer or none',
  async (retries) => {
    const [attempts, attemptsLocal]: [Attempt[], Attempt[]] = [[], []];
    const [provider, local] = [await startProvider(attempts), await startProvider(attemptsLocal)];
    const odd = await startProvider(attempts);
    const gateway = await gatewayProcess(`listen: { port: 0 }
audit: { file: audit.jsonl }
providers:
  up: { kind: openai, base_url: "http://127.0.0.1:${provider.port}/v1", retries: ${retries}, timeout: 2s }
  odd: { kind: openai, base_url: "http://127.0.0.1:${odd.port}/v1", retries: ${retries}, timeout: 2s }
  local: { kind: openai, base_url: "http://127.0.0.1:${local.port}/v1", retries: 0, timeout: 2s }
motifs:
  bot: { provider: up, model: m, tokens: [{ id: t1, sha256: ${token.sha256} }] }
  odd: { provider: odd, model: m, tokens: [{ id: t1, sha256: ${token.sha256} }] }
  two: { provider: up, model: m, fallback: local, tokens: [{ id: t1, sha256: ${token.sha256} }] }
`);
    const answers: { prompt: string; motif: string; status: number; json: Record<string, unknown> }[] = [];
    const agent = new Agent({ keepAlive: true });
    onTestFinished(() => agent.destroy());
    let made = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(prompts, { minLength: 1, maxLength: 6 }), async (all) => {
        await Promise.all(
          all.map(async ([motif, lists]) => {
            for (const names of lists) {
              const prompt = `n${(made += 1)}: ${names.join('; ')}`;
              const answer = await ask(gateway.port, prompt, agent, { motif, token: token.text });
              answers.push({ prompt, motif, ...answer });
              const own = [...attempts, ...attemptsLocal].filter((attempt) => attempt.prompt === prompt);
              const last = own.at(-1);
              const told = JSON.stringify([answer, own]);
              expect(JSON.stringify(answer.json), told).not.toContain('foreign');
              if (answer.status === 200) {
                expect(last?.kind, told).not.toBe('bad');
                expect(answer.json, told).toMatchObject({ blocked: false, finish_reason: 'stop' });
                const said = String(answer.json.response);
                if (last?.kind === 'good') expect(said, told).toBe(`answer ${last.id} to ${prompt}`);
                else expect(said, told).toContain(`${last!.id} to ${prompt}`);
              } else {
                expect(last?.kind, told).not.toBe('good');
                expect([429, 502, 504], told).toContain(answer.status);
                expect(answer.json.response, told).toBeUndefined();
              }
            }
          }),
        );
      }),
      { ...runs(40), endOnFailure: true },
    );
    expect(JSON.stringify((await ask(gateway.port, 'n0: with its length')).json)).toContain('to n0:');
    const notes = gateway.log().filter(({ message }) => String(message).startsWith('a server sent what nobody'));
    expect(notes.filter(({ provider: name }) => name !== 'odd')).toEqual([]);
    gateway.kill('SIGTERM');
    expect(await gateway.ended).toMatchObject({ code: 0 });

    const lines = gateway.audit();
    expect(lines).toHaveLength(answers.length + 1);
    for (const { prompt, motif, status: answered, json } of answers) {
      const own = lines.filter(({ prompt_id }) => prompt_id === json.prompt_id);
      const [first, second] = [attempts, attemptsLocal].map((list) => list.filter((one) => one.prompt === prompt));
      const told = JSON.stringify([own, first, second]);
      expect(own, told).toHaveLength(1);
      const [line] = own;
      expect(line, told).toMatchObject({ status: answered, fallback: second!.length > 0, motif });
      expect(first!.length, told).toBeLessThanOrEqual(1 + retries + (line!.resent === true ? 1 : 0));
      expect(second!.length, told).toBeLessThanOrEqual(line!.resent === true ? 2 : 1);
      if (answered !== 200) continue;
      expect(line!.provider_request_id, told).toBe([...first!, ...second!].at(-1)!.id);
      expect(line!.provider, told).toBe(second!.length > 0 ? 'local' : motif === 'odd' ? 'odd' : 'up');
      expect(line!.usage, told).toMatchObject({ total_tokens: 5 });
    }
  },
);
