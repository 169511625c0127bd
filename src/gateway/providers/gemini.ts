import type { Fields } from '../../text/json/json.ts';
import { asCount, asFields, asList, finishReasonOf, type Format, sumOf } from './format.ts';
import { toParams } from './params.ts';
import { toPost } from './post.ts';
import { toTurns } from './turns.ts';

const defaultUrl = 'https://generativelanguage.googleapis.com/v1beta';

const params = {
  max_tokens: 'maxOutputTokens',
  temperature: 'temperature',
  top_p: 'topP',
  top_k: 'topK',
  stop: 'stopSequences',
  seed: 'seed',
  frequency_penalty: 'frequencyPenalty',
  presence_penalty: 'presencePenalty',
};

const finishReasons = {
  STOP: 'stop',
  MAX_TOKENS: 'length',
  SAFETY: 'content_filter',
  RECITATION: 'content_filter',
  BLOCKLIST: 'content_filter',
  PROHIBITED_CONTENT: 'content_filter',
  SPII: 'content_filter',
  MODEL_ARMOR: 'content_filter',
  IMAGE_SAFETY: 'content_filter',
  IMAGE_PROHIBITED_CONTENT: 'content_filter',
  IMAGE_RECITATION: 'content_filter',
} as const;

/** Google's generateContent. */
export const gemini: Format = {
  baseUrl: defaultUrl,
  needsModel: 'always',
  params,
  reserved: ['contents', 'systemInstruction'],
  toRequest({ model = '', params: asked, messages }, config) {
    const { system, turns } = toTurns(messages);
    return toPost(config, {
      baseUrl: defaultUrl,
      path: `/models/${encodeURIComponent(model.replace(/^models\//, ''))}:generateContent`,
      headers: () => (config.key === undefined ? {} : { 'x-goog-api-key': config.key }),
      body: {
        systemInstruction: system === undefined ? undefined : { parts: [{ text: system }] },
        contents: turns.map(({ role, content }) => ({
          role: role === 'assistant' ? 'model' : role,
          parts: [{ text: content }],
        })),
        generationConfig: toParams(asked, params),
      },
    });
  },
  reads: [
    'candidates content parts thought thoughtSignature text finishReason promptFeedback usageMetadata',
    'promptTokenCount toolUsePromptTokenCount candidatesTokenCount thoughtsTokenCount totalTokenCount',
    'error details @type retryDelay',
  ].flatMap((names) => names.split(' ')),
  readAnswer(body) {
    const usage = asFields(body.usageMetadata);
    const counts = {
      prompt: sumOf(usage?.promptTokenCount, usage?.toolUsePromptTokenCount),
      // Thoughts are paid like the answer.
      completion: sumOf(usage?.candidatesTokenCount, usage?.thoughtsTokenCount),
      total: asCount(usage?.totalTokenCount),
    };
    const candidate = asFields(asList(body.candidates)?.[0]);
    if (candidate === undefined) {
      // Without a candidate the prompt was refused, and the feedback says so.
      const isRefused = asFields(body.promptFeedback) !== undefined;
      return isRefused ? { text: '', finishReason: 'content_filter', ...counts } : undefined;
    }
    const finishReason = finishReasonOf(finishReasons, candidate.finishReason);
    const text = finishReason === 'content_filter' ? '' : textOf(candidate.content);
    if (text === undefined) return undefined;
    const isPart = finishReason === 'stop' && holdsMore(candidate.content);
    return { text, finishReason: isPart ? 'other' : finishReason, ...counts };
  },
  isFiltered: () => false,
  readWaitMs(body) {
    const details = asList(asFields(body.error)?.details)?.map(asFields) ?? [];
    const delay = details.find(
      (detail) => detail?.['@type'] === 'type.googleapis.com/google.rpc.RetryInfo',
    )?.retryDelay;
    const seconds = typeof delay === 'string' ? /^(\d{1,9}(?:\.\d{1,9})?)s$/.exec(delay)?.[1] : undefined;
    return seconds === undefined ? undefined : Math.ceil(Number(seconds) * 1000);
  },
};

/** Members of a part that are no answer by themselves. */
const silentMembers = ['text', 'thought', 'thoughtSignature', 'partMetadata', 'mediaResolution', 'videoMetadata'];

/**
 * The text of a content, which may have no parts at all; those that are thoughts are left out. Where there is none,
 * parts of other kinds may be the answer, signed or not, and are no empty one.
 */
function textOf(content: unknown): string | undefined {
  if (content === undefined) return '';
  const parts = asFields(content)?.parts ?? [];
  const spoken = asList(parts)
    ?.map(asFields)
    .filter((part) => part?.thought !== true);
  if (spoken === undefined || spoken.includes(undefined) || asFields(content) === undefined) return undefined;
  const texts = spoken.map((part) => part?.text ?? '');
  if (!texts.every((text) => typeof text === 'string')) return undefined;
  const text = texts.join('');
  const isSilent = (part: Fields | undefined): boolean =>
    Object.keys(part!).every((name) => silentMembers.includes(name));
  return text !== '' || spoken.every(isSilent) ? text : undefined;
}

/** Members of a part that belong to the answer itself; code that ran, and its output, are steps on the way to it. */
const dataMembers = ['functionCall', 'inlineData', 'fileData'];

/** True where the text is not the whole answer: the service says `STOP` beside a call of a tool or a picture, too. */
function holdsMore(content: unknown): boolean {
  const spoken = (asList(asFields(content)?.parts) ?? []).map(asFields).filter((part) => part?.thought !== true);
  return spoken.some((part) => Object.keys(part ?? {}).some((name) => dataMembers.includes(name)));
}
