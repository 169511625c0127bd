/**
 * A table of what the program says: file and line, the part that a text plays (error, hint, notice ...), and the text
 * with what is filled in. It is there to be read from top to bottom. `--role hint` shows one part alone.
 */
import { fileURLToPath } from 'node:url';
import { parseSync } from 'rolldown/utils';
import { built } from './built.mjs';

const [flag, wanted] = process.argv.slice(2);
const { messages } = await built({ messages: fileURLToPath(new URL('../support/texts/messages.ts', import.meta.url)) });
const all = messages.readMessages(fileURLToPath(new URL('../../src', import.meta.url)), parseSync);
/** A name, a key or a unit is no message; two words are. */
const shown = all.filter(({ text }) => /[a-z]{2,}[,:;]? +\S*[a-z]{2}/i.test(text));
for (const { file, line, role, text } of shown) {
  if (flag !== '--role' || role === wanted) console.log(`${file}:${line}\t${role}\t${text.replaceAll('\n', '\\n')}`);
}
