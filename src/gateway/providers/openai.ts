import type { Fields } from '../../text/json/json.ts';
import type { Message } from '../../wire/request.ts';
import type { ProviderRequest } from '../vocabulary.ts';
import { asCount, asFields, asList, finishReasonOf, type Format, type AnswerFields, isError } from './format.ts';
import { toPost } from './post.ts';
import { joinLeadingSystem } from './turns.ts';

const officialUrl = 'https://api.openai.com/v1';

/** OpenAI's chat completions, and all who speak them: Ollama, vLLM, llama.cpp, Mistral, Groq, OpenRouter ... */
export const openai: Format = {
  baseUrl: officialUrl,
  needsModel: 'mostly',
  params: 'any',
  // A stream has no place in the contract, and a second choice would be paid and dropped.
  reserved: ['model', 'messages', 'stream', 'stream_options', 'n'],
  refusedParams: refusedChatParams,
  toRequest(request, config) {
    const isOfficial = (config.baseUrl ?? officialUrl).startsWith('https://api.openai.com/');
    return toPost(config, {
      baseUrl: officialUrl,
      path: '/chat/completions',
      headers: () => (config.key === undefined ? {} : { authorization: { scheme: 'Bearer', token: config.key } }),
      body: toChatBody(request, { isModelNamed: true, isMaxTokensRenamed: isOfficial }),
    });
  },
  reads: [
    'choices message content type text refusal finish_reason',
    'tool_calls function_call audio images',
    'usage prompt_tokens completion_tokens total_tokens',
    'error metadata reasons innererror inner_error code failed_generation',
  ].flatMap((names) => names.split(' ')),
  readAnswer: readChatAnswer,
  isFiltered: isChatFiltered,
  didRun: didChatRun,
};

/** Models that think before they answer, and take none of the parameters that shape an answer word by word. */
const reasoningModel = /^(?:openai\/)?(?:o\d|gpt-5(?!.*chat))/;
const refusedByReasoning = ['temperature', 'top_p', 'frequency_penalty', 'presence_penalty'];

/** Parameters that such a model refuses; 1 is the only temperature and top_p that it takes. */
function refusedChatParams(model: string, params: Readonly<Record<string, unknown>>): readonly string[] {
  if (!reasoningModel.test(model)) return [];
  return refusedByReasoning.filter((name) => params[name] !== undefined && params[name] !== 1);
}

/** OpenAI's newer models refuse `max_tokens`, and most others know no other name. */
export function toChatBody(
  { model, params, messages }: ProviderRequest,
  { isModelNamed, isMaxTokensRenamed }: { readonly isModelNamed: boolean; readonly isMaxTokensRenamed: boolean },
): Record<string, unknown> {
  const body: Record<string, unknown> = isModelNamed ? { model, ...params } : { ...params };
  body.messages = joinLeadingSystem(messages).map(toChatMessage);
  if (isMaxTokensRenamed && body.max_tokens !== undefined) {
    body.max_completion_tokens ??= body.max_tokens;
    delete body.max_tokens;
  }
  return body;
}

function toChatMessage({ role, content }: Message): Message {
  return { role, content };
}

const finishReasons = {
  stop: 'stop',
  // Together's word for the model's own end, and xAI's.
  eos: 'stop',
  end_turn: 'stop',
  // Those of Hugging Face's TGI.
  eos_token: 'stop',
  stop_sequence: 'stop',
  length: 'length',
  // Mistral's, where the model's context ended it.
  model_length: 'length',
  // Z.AI's.
  model_context_window_exceeded: 'length',
  content_filter: 'content_filter',
  // Z.AI's.
  sensitive: 'content_filter',
} as const;

/**
 * Words for a service that broke off, and not the model: those of routers, of vLLM and SGLang, Z.AI and DeepSeek. The
 * text so far is no answer.
 */
const failureReasons: readonly unknown[] = ['error', 'abort', 'network_error', 'insufficient_system_resource'];

function readChatAnswer(body: Fields): AnswerFields | undefined {
  const choice = asFields(asList(body.choices)?.[0]);
  // A failure in the middle of an answer may come with a status of 200: in the choice, beside it or by one word.
  const isBroken = isError(choice?.error) || failureReasons.includes(choice?.finish_reason);
  if (choice === undefined || isBroken) return undefined;
  const message = asFields(choice.message);
  const ending = isRefusal(message) ? 'content_filter' : finishReasonOf(finishReasons, choice.finish_reason);
  // A filter may leave out the message as a whole.
  const text = ending === 'content_filter' ? '' : message && textOf(message.content);
  if (text === undefined) return undefined;
  const isElsewhere = ending !== 'content_filter' && otherAnswers.some((name) => isThere(message?.[name]));
  if (isElsewhere && text === '') return undefined;
  const usage = asFields(body.usage);
  return {
    text,
    // A text beside a call of a tool, or beside a picture, is not the whole answer, also where the service says `stop`.
    finishReason: isElsewhere && ending === 'stop' ? 'other' : ending,
    prompt: asCount(usage?.prompt_tokens),
    completion: asCount(usage?.completion_tokens),
    total: asCount(usage?.total_tokens),
  };
}

/** The model itself declined, in a member of its own or in parts of the content. */
function isRefusal(message: Fields | undefined): boolean {
  const isSaid = (part: Fields | undefined): boolean => typeof part?.refusal === 'string' && part.refusal !== '';
  return isSaid(message) || (asList(message?.content)?.map(asFields).some(isSaid) ?? false);
}

/** Members of a message that hold an answer which is no text. */
const otherAnswers = ['tool_calls', 'function_call', 'audio', 'images'];

function isThere(value: unknown): boolean {
  return Object.keys(asFields(value) ?? asList(value) ?? []).length > 0;
}

/** Parts of a content that may stand without a text, where a model came to no answer. */
const unspokenParts: readonly unknown[] = ['text', 'thinking', 'redacted_thinking', 'reasoning', 'refusal'];

/**
 * Content is a text, nothing at all, or a list of parts, of which the model's thoughts are left out. Where there is no
 * text, parts of kinds which nobody here knows may be the answer, and are no empty one.
 */
function textOf(content: unknown): string | undefined {
  if (typeof content === 'string') return content;
  if (content === null || content === undefined) return '';
  const parts = asList(content)?.map(asFields);
  if (parts === undefined || parts.includes(undefined)) return undefined;
  const texts = parts.filter((part) => part?.type === 'text').map((part) => part?.text);
  if (!texts.every((text) => typeof text === 'string')) return undefined;
  const text = texts.join('');
  return text !== '' || parts.every((part) => unspokenParts.includes(part?.type)) ? text : undefined;
}

/** The codes of filters, which Moonshot has as a type; the last one is that of Alibaba. */
const filterCodes: readonly unknown[] = ['content_filter', 'content_policy_violation', 'data_inspection_failed'];
/** Sentences where the code says nothing of a filter, or not of it alone: those of OpenAI, DeepSeek and xAI. */
const filterWords =
  /^(?:Invalid prompt: your prompt was flagged|Content Exists Risk|Content violates usage guidelines)/;

function isChatFiltered(status: number, body: Fields): boolean {
  const error = asFields(body.error);
  const said = error?.message ?? body.error;
  if ((status === 400 || status === 403) && typeof said === 'string' && filterWords.test(said)) return true;
  // OpenRouter's moderation: the reasons are what tells it from a key that lacks a right.
  if (status === 403) return asList(asFields(error?.metadata)?.reasons) !== undefined;
  const inner = asFields(error?.innererror) ?? asFields(error?.inner_error);
  const isNamed = [error?.code, error?.type].some((name) => filterCodes.includes(name));
  return status === 400 && (isNamed || inner?.code === 'ResponsibleAIPolicyViolation');
}

/** The sentence of OpenAI for thoughts that used up the limit before there was an answer. */
const limitWords = /^Could not finish the message because max_tokens or model output limit was reached/;

/** Groq says what its model wrote where that was no JSON, or called a tool that nobody offered. */
function didChatRun(body: Fields): boolean {
  const error = asFields(body.error);
  if (typeof error?.failed_generation === 'string') return true;
  return typeof error?.message === 'string' && limitWords.test(error.message);
}
