import { expect, test } from 'vitest';
import { answering, gatewayFile, testGateway } from '../support/rooms/gateway.ts';

test.each([
  { name: 'a long message', contents: [`a${'\u{1f600}"\\\n'.repeat(200_000)}`], turns: 4 },
  { name: 'many short ones', contents: Array.from({ length: 200 }, (_, at) => `${at} "ж" `.repeat(600)), turns: 3 },
  { name: 'long and short ones', contents: ['a', 'b'.repeat(600_000), '', 'c'.repeat(300_000), 'd'], turns: 5 },
])('$name of a prompt that the audit keeps is made JSON of in turns', async ({ contents, turns }) => {
  let taken = 0;
  let takenBefore = 0;
  const audited: string[] = [];
  const gateway = await testGateway({
    file: gatewayFile
      .replace('audit: { file: audit.jsonl }', 'audit: { file: audit.jsonl, text: true }')
      .replace('body: 64KiB, messages: 4', 'body: 16MiB, messages: 256'),
    provider: (...asked) => {
      takenBefore = taken;
      return answering('fine')(...asked);
    },
    judging: {
      inTurn: (_, work) => {
        taken += 1;
        return work();
      },
      noteWork: () => undefined,
    },
    write: async (lines) => void audited.push(lines),
  });
  const messages = contents.map((content, at) => ({ role: at % 2 === 0 ? 'user' : 'assistant', content }));
  const { status } = await gateway.ask({ messages });
  expect(status).toBe(200);
  const kept = audited
    .join('')
    .split('\n')
    .filter((line) => line.includes('"prompt_id"'))
    .map((line) => JSON.parse(line) as { messages: unknown; response: string });
  expect(kept).toHaveLength(1);
  const asked = JSON.stringify(gateway.asked[0]!.messages);
  expect(asked.includes(JSON.stringify(messages).slice(1))).toBe(true);
  expect(JSON.stringify(kept[0]!.messages) === asked).toBe(true);
  expect(kept[0]!.response).toBe('fine');
  expect(taken - takenBefore).toBeGreaterThanOrEqual(turns);
});
