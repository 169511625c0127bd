import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exportForms, toDocument } from '../../src/conversations/export.ts';
import { parseMessagesFile } from '../../src/messages/messages-file.ts';
import { anyText } from '../fixtures/any-text.ts';
import { assistant, shelf, system, turn, user } from '../support/rooms/conversations.ts';

test('Markdown is for people', async () => {
  const talk = await shelf().told({ title: 'Kettles', opening: [system('Be short.')] }, 'Return?');
  expect(exportForms.markdown.render(talk)).toBe(`# Kettles

conversation ${talk.id}, Motif support-bot, 2026-11-21

## System

Be short.

## You

Return?

## Motif

answer to Return?
`);
});

test('JSON is all that is known, and each answer has what came with it', async () => {
  const talk = await shelf().told({ title: 'Kettles' }, 'one');
  expect(JSON.parse(exportForms.json.render(talk))).toEqual({
    id: talk.id,
    title: 'Kettles',
    created: '2026-11-21T12:00:00.000Z',
    motif_id: 'support-bot',
    profile: null,
    turns: 1,
    total_tokens: 7,
    messages: [
      user('one'),
      {
        ...assistant('answer to one'),
        time: '2026-11-21T12:00:01.000Z',
        prompt_id: '01JD0000000000000000000000',
        finish_reason: 'stop',
        usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
        elapsed_ms: 12,
      },
    ],
  });
  expect(toDocument(talk)).toMatchObject({ id: talk.id });
});

test('whatever was said comes back through the file, the export and --messages', async () => {
  await fc.assert(
    fc.asyncProperty(anyText(60), anyText(60), async (question, answer) => {
      const { saved } = shelf();
      const talk = await saved.create({ motifId: null, profile: null, opening: [system(question)] });
      await talk.addTurn(turn(question, answer));
      const read = await saved.find(talk.id);
      expect(read.messages).toEqual([system(question), user(question), assistant(answer)]);
      for (const format of ['messages', 'json'] as const) {
        const back = parseMessagesFile(exportForms[format].render(read), 'export');
        expect(back.map(({ role, content }) => ({ role, content }))).toEqual(read.messages);
      }
    }),
    { numRuns: 50 },
  );
});
