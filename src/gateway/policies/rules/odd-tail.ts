import { matchesOf } from '../../../text/patterns/matches.ts';
import type { Span } from '../readings/view.ts';

/**
 * A request in plain words that ends in a tail of signs and scraps as nobody writes it: what programs find that search
 * for characters under which a model forgets its rules.
 */

const tailCharacters = 220;
const textCharactersMin = 60;
const textCharactersMax = 1_200;
const headOfProse = /^[A-Z][\w ,.'’$-]{40}/;
/** Runs of signs, a sign inside a word, brackets that open or close alone, and two words run into one by a capital. */
const oddity =
  /(?:[[\](){}<>$\\|=^#~@_+*`]|[!?;:,."'&%-](?=[[\](){}<>$\\|=^#~@_+*`])){2,}|[a-z][\])}>"]+[[({<]+[a-zA-Z]|[A-Za-z][!?;][A-Za-z]|[a-z]\[[a-z]|(?<=\s)[\])}>=|](?=\s|[a-zA-Z])|(?<=\s)[a-z]{1,20}[({[](?=[A-Za-z\s])(?![^(){}[\]]*[)}\]])|[a-z]{2}[A-Z][a-z]+/g;
/** Characters of which each oddity has some, the rarest first: the engine passes over all that is none of them. */
const ofOddities = /[[\](){}<>$\\|=^#~@_+*`]|[!?;][A-Za-z]|[A-Z](?<=[a-z]{2}.)/;
/** Marks of Markdown, ends of sentences and addresses are ordinary. */
const ordinary = /\*\*|__|`{2,}|\.{3}|-{2,}|(?<= )->(?= )|:\/\/|<\/?[a-z]+ ?\/?>/gi;
/** A program on one line, with its line ends written out, or two statements as no scraps form them. */
const program =
  /(?:\\n.{0,400}){3}|(?:(?:\b(?:def|function) \w+\(|\bfor \(|\bpublic (?:static|class)|\bconsole\.log\(|\bSystem\.out|\bprint\(f?["']|\b(?:let|const|var) \w+ =).{0,400}){2}/;

/** Undefined where the end of a text is no odder than it may be. */
export function oddTail(text: string, oddMin: number): Span | undefined {
  if (text.length < textCharactersMin || text.length > textCharactersMax || !headOfProse.test(text)) return undefined;
  const start = Math.max(0, text.length - tailCharacters);
  const tail = text.slice(start);
  if (!ofOddities.test(tail)) return undefined;
  // Programs, tables and lists have lines.
  if (text.slice(0, text.length - 1).includes('\n') || program.test(text)) return undefined;
  const places = Array.from(
    matchesOf(
      tail.replace(ordinary, (found) => ' '.repeat(found.length)),
      oddity,
    ),
  );
  const open = ['()', '[]', '{}'].reduce(
    (sum, [one, other]) => sum + Math.abs(count(tail, one!) - count(tail, other!)),
    0,
  );
  if (places.length === 0 || places.length + open + (count(tail, '"') % 2) < oddMin) return undefined;
  return { start: start + places[0]!.index, end: text.length };
}

function count(text: string, sign: string): number {
  return text.split(sign).length - 1;
}
