import { asCount, asFields, asList, finishReasonOf, type Format, sumOf } from './format.ts';
import { toParams } from './params.ts';
import { toPost } from './post.ts';
import { toTurns } from './turns.ts';

const defaultUrl = 'https://api.anthropic.com/v1';
const version = '2023-06-01';
/** The service demands a limit; this is one that every model of it takes. */
const maxTokensDefault = 4096;

const params = {
  max_tokens: 'max_tokens',
  temperature: 'temperature',
  top_p: 'top_p',
  top_k: 'top_k',
  stop: 'stop_sequences',
};

const finishReasons = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  refusal: 'content_filter',
} as const;

/** Blocks that may stand without a text, where a model came to no answer; those of unknown kinds may be the answer. */
const unspokenBlocks: readonly unknown[] = ['text', 'thinking', 'redacted_thinking'];

/** Anthropic's messages. */
export const anthropic: Format = {
  baseUrl: defaultUrl,
  needsModel: 'always',
  params,
  reserved: ['model', 'messages', 'stream', 'system'],
  toRequest({ model, params: asked, messages }, config) {
    const { system, turns } = toTurns(messages);
    return toPost(config, {
      baseUrl: defaultUrl,
      path: '/messages',
      headers: () => ({
        'anthropic-version': version,
        ...(config.key === undefined ? {} : { 'x-api-key': config.key }),
      }),
      body: { model, max_tokens: maxTokensDefault, ...toParams(asked, params), system, messages: turns },
    });
  },
  reads: [
    'content type text stop_reason error message usage',
    'input_tokens cache_creation_input_tokens cache_read_input_tokens output_tokens',
  ].flatMap((names) => names.split(' ')),
  readAnswer(body) {
    const blocks = asList(body.content)?.map(asFields);
    if (blocks === undefined) return undefined;
    const texts = blocks.filter((block) => block?.type === 'text').map((block) => block?.text);
    if (!texts.every((text) => typeof text === 'string')) return undefined;
    const text = texts.join('');
    const finishReason = finishReasonOf(finishReasons, body.stop_reason);
    const isBare = text === '' && finishReason !== 'content_filter';
    if (isBare && !blocks.every((block) => unspokenBlocks.includes(block?.type))) return undefined;
    const usage = asFields(body.usage);
    const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens } = usage ?? {};
    return {
      text,
      finishReason,
      // Tokens read from a cache or written to it are not part of the first count.
      prompt: sumOf(input_tokens, cache_creation_input_tokens, cache_read_input_tokens),
      completion: asCount(usage?.output_tokens),
    };
  },
  isFiltered(status, body) {
    // The service has no code for an answer that its filter stopped; this sentence is the only sign.
    return status === 400 && asFields(body.error)?.message === 'Output blocked by content filtering policy';
  },
};
