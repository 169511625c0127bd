import { isFields, JsonFault, parseJson, pathText } from '../text/json/json.ts';
import { type JsonShape, shapeOfJson } from '../text/json/shape.ts';
import { decodeUtf8, Utf8Fault } from '../text/utf8.ts';
import { commonRoles, type Message, MessagesFault, parseMessages } from '../wire/request.ts';
import { emptyPromptReason, Refusal } from './refusal.ts';

/** Bytes of a body from which on it takes a turn; a shorter one takes less time than to wait for one. */
export const largeBodyMin = 16 * 1024;
/** Keys beside messages, in fields that nobody reads: tools, vectors, probabilities of tokens; 25 ms of work. */
const otherKeysMax = 60_000;
/** A message itself, role and content, and more than as many again for fields of its own. */
const keysPerMessage = 8;

/** Reads the body of a prompt; unknown fields are ignored. Throws a Refusal whose words name the place and path. */
export function parsePromptBody(bytes: Uint8Array, messagesMax: number): readonly Message[] {
  const body = parseBody(bytes, messagesMax);
  if (!isFields(body)) {
    throw new Refusal('invalid_body', { message: 'the body must be an object with messages' });
  }
  const { messages, stream } = body;
  if (stream === true) {
    throw new Refusal('invalid_body', { message: 'stream must be false: answers are not streamed' });
  }
  if (Array.isArray(messages) && messages.length > messagesMax) throw tooManyMessages(messagesMax);
  if (Array.isArray(messages) && messages.length === 0) {
    throw new Refusal('invalid_body', { message: 'messages must not be empty', reason: emptyPromptReason });
  }
  try {
    return wellFormed(parseMessages(messages, commonRoles));
  } catch (error) {
    if (error instanceof MessagesFault) throw new Refusal('invalid_body', { message: error.message });
    throw error;
  }
}

/** Half of a surrogate pair has no UTF-8, so nobody can tell what a provider would make of it: it goes to none. */
function wellFormed(messages: readonly Message[]): readonly Message[] {
  const broken = messages.findIndex(({ content }) => !content.isWellFormed());
  if (broken === -1) return messages;
  throw new MessagesFault(`messages[${broken}].content must be Unicode text: it holds half of a surrogate pair`);
}

function tooManyMessages(messagesMax: number): Refusal {
  return new Refusal('invalid_body', { message: `messages must have at most ${messagesMax} entries` });
}

function parseBody(bytes: Uint8Array, messagesMax: number): unknown {
  try {
    const text = decodeUtf8(bytes);
    return parseJson(text, { shape: bytes.length < largeBodyMin ? undefined : shapeOf(text, messagesMax) });
  } catch (error) {
    if (error instanceof Utf8Fault) throw new Refusal('malformed_json', { message: `the body ${error.message}` });
    if (!(error instanceof JsonFault)) throw error;
    const place = `line ${error.line}, column ${error.column}${error.path === '' ? '' : `, at ${error.path}`}`;
    throw new Refusal('malformed_json', { message: `the body is not valid JSON (${place}: ${error.message})` });
  }
}

/** A large body may hold texts of any length, but only so many keys and values, each of which takes time to make. */
function shapeOf(text: string, messagesMax: number): JsonShape {
  const keysMax = otherKeysMax + keysPerMessage * messagesMax;
  const shape = shapeOfJson(text, keysMax);
  const { cost, largest } = shape;
  if (cost <= keysMax) return shape;
  if (largest?.name === 'messages' && largest.entries > messagesMax) throw tooManyMessages(messagesMax);
  const where = largest !== undefined && largest.cost > cost / 2 ? `, most of them in ${pathText([largest.name])}` : '';
  const message = `the body holds too many keys and values${where}: more than ${keysMax} keys, where 4 lists or objects, or 8 other values, count as one`;
  throw new Refusal('invalid_body', { message });
}
