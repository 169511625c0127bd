import { MotifError } from '../errors.ts';
import { isFields, JsonFault, parseJson } from '../text/json/json.ts';
import { quotedLine } from '../text/defuse.ts';
import { closest } from '../text/similar.ts';
import { commonRoles, type Message, MessagesFault, parseMessages } from '../wire/request.ts';

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
      ).withPlaces([{ file: name, line: error.line, title: '', message: error.message }]);
    }
    if (error instanceof MessagesFault)
      throw new MotifError('usage', `--messages: ${name}: ${error.message}`, { hint });
    throw error;
  }
}

/** Words for roles that look mistyped; any role is sent, for a service may know more of them. */
export function oddRoles(messages: readonly Message[]): readonly string[] {
  const known: readonly string[] = commonRoles;
  return messages.flatMap(({ role }, index) => {
    const near = known.includes(role) ? undefined : closest(role, known);
    return near === undefined ? [] : [`messages[${index}] has the role ${quotedLine(role, 40)}; did you mean ${near}?`];
  });
}
