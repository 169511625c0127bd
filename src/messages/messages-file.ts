import { MotifError } from '../errors.ts';
import { isFields, JsonFault, parseJson } from '../text/json/json.ts';
import { type Message, MessagesFault, parseMessages } from '../wire/request.ts';

/** Reads `--messages`: a JSON array of messages, or an object that holds one as `messages`. */
export function parseMessagesFile(text: string, name: string): Message[] {
  try {
    const value = parseJson(text);
    return parseMessages(isFields(value) ? value.messages : value);
  } catch (error) {
    const hint = 'it takes [{"role": "user", "content": "Hello"}] or {"messages": [...]}';
    if (error instanceof JsonFault) {
      throw new MotifError(
        'usage',
        `--messages: ${name}, line ${error.line}, column ${error.column}: ${error.message}`,
        { hint },
      );
    }
    if (error instanceof MessagesFault)
      throw new MotifError('usage', `--messages: ${name}: ${error.message}`, { hint });
    throw error;
  }
}
