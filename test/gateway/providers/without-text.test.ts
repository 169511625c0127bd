import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formats } from '../../../src/gateway/providers/index.ts';
import { fromReply } from '../../../src/gateway/providers/reply.ts';
import { type Inference, ProviderFailure } from '../../../src/gateway/vocabulary.ts';
import { runs } from '../../support/runs.ts';
import { smallRequest } from './provider-config.ts';

interface Shape {
  readonly kind: keyof typeof formats;
  /** Pieces of an answer that are no text, as the services document them, and those that say nothing at all. */
  readonly others: readonly object[];
  readonly silent: readonly object[];
  /** Their words for a model that came to its end, or to that of its room, and for other ends. */
  readonly ends: readonly string[];
  readonly otherEnds: readonly unknown[];
  readonly toBody: (pieces: readonly object[], end: unknown) => object;
}

const signed = { thoughtSignature: 'EqQBCgIYAhIM' };
const geminiData = [
  { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } },
  { fileData: { mimeType: 'image/png', fileUri: 'gs://bucket/a.png' } },
  { functionCall: { name: 'now', args: {} } },
  { executableCode: { language: 'PYTHON', code: 'print(1)' } },
  { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } },
  { toolCall: { toolType: 'GOOGLE_SEARCH', id: 'a' } },
  { toolResponse: { toolType: 'GOOGLE_SEARCH', id: 'a' } },
  { aKindOfTomorrow: {} },
];
const toolCall = { id: 'call_1', type: 'function', function: { name: 'now', arguments: '{}' } };

const shapes: readonly Shape[] = [
  {
    // https://ai.google.dev/api/caching#Part and https://ai.google.dev/api/generate-content#FinishReason
    kind: 'gemini',
    others: [
      ...geminiData,
      ...geminiData.map((data) => ({ ...data, ...signed })),
      ...geminiData.map((data) => ({ text: '', ...data })),
    ],
    silent: [{ text: '' }, signed, { text: '', ...signed }, { text: 'Let me see.', thought: true }],
    ends: ['STOP', 'MAX_TOKENS'],
    otherEnds: ['OTHER', 'MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL', 'NO_IMAGE', 'LANGUAGE', undefined],
    toBody: (parts, finishReason) => ({ candidates: [{ content: { parts, role: 'model' }, finishReason }] }),
  },
  {
    // https://docs.claude.com/en/api/messages
    kind: 'anthropic',
    others: [
      { type: 'tool_use', id: 'toolu_1', name: 'now', input: {} },
      { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} },
      { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] },
      { type: 'a_kind_of_tomorrow' },
    ],
    silent: [
      { type: 'text', text: '' },
      { type: 'thinking', thinking: 'Let me see.', signature: 'EqQBCgIYAhIM' },
      { type: 'redacted_thinking', data: 'EqQBCgIYAhIM' },
    ],
    ends: ['end_turn', 'stop_sequence', 'max_tokens'],
    otherEnds: ['tool_use', 'pause_turn', null],
    toBody: (content, stop_reason) => ({ type: 'message', role: 'assistant', content, stop_reason }),
  },
  ...(['openai', 'azure'] as const).map((kind) => ({
    // https://platform.openai.com/docs/api-reference/chat/object
    kind,
    others: [
      { type: 'output_text', text: 'Yes.' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
      { type: 'tool_reference', tool: 'web_search' },
    ],
    silent: [
      { type: 'text', text: '' },
      { type: 'thinking', thinking: [{ type: 'text', text: 'Let me see.' }] },
    ],
    ends: ['stop', 'length', 'eos', 'eos_token', 'stop_sequence'],
    otherEnds: ['tool_calls', 'function_call', 'insufficient_system_resource', null],
    toBody: (content: readonly object[], finish_reason: unknown) => ({
      choices: [{ message: { role: 'assistant', content }, finish_reason }],
    }),
  })),
  ...[
    { tool_calls: [toolCall] },
    { function_call: { name: 'now', arguments: '{}' } },
    { audio: { id: 'audio_1', data: 'UklGRg==', transcript: 'Yes.', expires_at: 1 } },
    { images: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } }] },
  ].map((member) => ({
    kind: 'openai' as const,
    others: [member],
    silent: [
      { content: '' },
      { content: null },
      { tool_calls: [] },
      { audio: null },
      { function_call: {} },
      { reasoning_content: 'Hm.' },
    ].filter((piece) => !(Object.keys(member)[0]! in piece)),
    ends: ['stop', 'length'],
    otherEnds: ['tool_calls', null],
    toBody: (members: readonly object[], finish_reason: unknown) => ({
      choices: [{ message: Object.assign({ role: 'assistant' }, ...members) as object, finish_reason }],
    }),
  })),
];

function read(kind: Shape['kind'], body: object): Inference | Error {
  try {
    const reply = { status: 200, headers: {}, body: Buffer.from(JSON.stringify(body)) };
    return fromReply(formats[kind], reply, smallRequest, { now: 0 });
  } catch (error) {
    return error as Error;
  }
}

const shape = fc.constantFrom(...shapes);
/** Of a large body only some members are read. */
const more = fc.constantFrom({}, { more: 'x'.repeat(300_000) });

test('an answer that holds something, and no text, is a failure that says so and no empty answer', () => {
  const answers = shape.chain(({ kind, others, silent, ends, otherEnds, toBody }) =>
    fc
      .tuple(
        fc.array(fc.constantFrom(...silent), { maxLength: 2 }),
        fc.constantFrom(...others),
        fc.array(fc.constantFrom(...silent), { maxLength: 2 }),
        fc.constantFrom(...ends, ...otherEnds),
      )
      .map(([before, other, after, end]) => ({ kind, body: toBody([...before, other, ...after], end) })),
  );
  fc.assert(
    fc.property(answers, more, ({ kind, body }, rest) => {
      const failure = read(kind, { ...body, ...rest });
      expect(failure).toBeInstanceOf(ProviderFailure);
      expect(failure).toMatchObject({ status: 502, reason: 'provider reply unreadable', surelyDidNotRun: false });
    }),
    runs(3000),
  );
});

test('an answer that holds nothing is an empty one where the model came to its end, else a failure', () => {
  const answers = shape.chain(({ kind, silent, ends, otherEnds, toBody }) =>
    fc
      .tuple(fc.array(fc.constantFrom(...silent), { maxLength: 3 }), fc.constantFrom(...ends, ...otherEnds))
      .map(([pieces, end]) => ({ kind, body: toBody(pieces, end), isEnd: ends.includes(end as string) })),
  );
  fc.assert(
    fc.property(answers, more, ({ kind, body, isEnd }, rest) => {
      const answer = read(kind, { ...body, ...rest });
      if (isEnd) expect(answer).toMatchObject({ text: '', finishReason: expect.toBeOneOf(['stop', 'length']) });
      else expect(answer).toMatchObject({ status: 502, reason: 'provider reply unreadable' });
    }),
    runs(3000),
  );
});
