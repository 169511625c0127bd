const joiningScripts = 'Arab Syrc Nkoo Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Mymr'.split(' ');
const joiningLetter = `(?=[\\p{L}\\p{M}])[${joiningScripts.map((script) => `\\p{scx=${script}}`).join('')}]`;

/** The only places where an invisible character is part of what a person sees; each is matched whole or not at all. */
const harmless = [
  String.raw`\r\n`,
  // England, Scotland and Wales are the only flags spelled in tag characters; any other tag is hidden text.
  String.raw`\u{1F3F4}\u{E0067}\u{E0062}(?:\u{E0065}\u{E006E}\u{E0067}|\u{E0073}\u{E0063}\u{E0074}|\u{E0077}\u{E006C}\u{E0073})\u{E007F}`,
  // An emoji with its skin colour or presentation, and others joined to it into one picture.
  String.raw`\p{ExtPict}(?:\p{EMod}|[\uFE0E\uFE0F])?(?:\u200D\p{ExtPict}(?:\p{EMod}|\uFE0F)?)*`,
  String.raw`[0-9#*]\uFE0F\u20E3`,
  String.raw`\p{Unified_Ideograph}[\uFE00-\uFE02\u{E0100}-\u{E01EF}]`,
  `(?<=${joiningLetter})[\\u200C\\u200D](?=${joiningLetter})`,
].join('|');

/** Controls, lone surrogates, separators, bidi marks, non-characters, and all without a look of its own in Unicode. */
const hidden = String.raw`(?![\t\n])[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_C}\p{NChar}\p{DI}\uFFF9-\uFFFB\u{13430}-\u{1343F}]`;

/** Made when a text first needs it: it takes a tenth of the time that a start has, and most texts are plain. */
let pieces: RegExp | undefined;
const plain = /^[\t\n\x20-\x7e\xa0-\xac\xae-\u02ff]*$/;

/**
 * Makes a text safe to print on a terminal: whatever could move the cursor, talk to the terminal, reorder or hide text
 * is shown as `\u{1b}` instead. Nothing is removed, because removal can form a new sequence out of what is left. Tab
 * and LF stay, CRLF becomes LF. Doing it twice changes nothing.
 */
export function defuse(text: string): string {
  return rewrite(text, spellOut);
}

/** The same for the part of a text from `start` to `end`, which is judged by what stands right beside it, too. */
export function defusePart(text: string, start: number, end: number): string {
  const from = Math.max(0, start - 2);
  const around = text.slice(from, end + 2);
  const stop = end - from;
  let at = start - from;
  let shown = '';
  // As a loop over matches, but without making the pattern anew each time.
  around.replace(piecesOfText(), (piece: string, kept: string | undefined, index: number) => {
    if (kept === undefined && index >= at && index < stop) {
      shown += around.slice(at, index) + spellOut(piece);
      at = index + piece.length;
    }
    return piece;
  });
  return shown + around.slice(at, stop);
}

/** The same for a place that has one line: LF and tab become visible too, and a long text is cut with an ellipsis. */
export function defuseLine(text: string, charactersMax = 300): string {
  // No piece gets shorter on its way, so what lies beyond this part can never be shown.
  const head = defuse(text.slice(0, 2 * charactersMax + 2));
  const line = head.replaceAll('\n', '\\n').replaceAll('\t', '\\t');
  return line.length <= charactersMax ? line : cut(Array.from(line), charactersMax);
}

/**
 * Writes JSON text so that a terminal can show it, losslessly: what `defuse` would make visible becomes `\uXXXX`, which
 * reads back as the same value.
 */
export function escapeJson(json: string): string {
  return rewrite(json, (character) => {
    // Valid JSON has a raw CR only between values, where an escape would be a syntax error and a LF means the same.
    if (character === '\r') return '\n';
    return character.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  });
}

function rewrite(text: string, spell: (character: string) => string): string {
  if (plain.test(text)) return text;
  return text.replace(piecesOfText(), (piece: string, kept: string | undefined) => {
    if (kept === undefined) return spell(piece);
    return kept === '\r\n' ? '\n' : kept;
  });
}

function piecesOfText(): RegExp {
  pieces ??= new RegExp(`(${harmless})|${hidden}`, 'gu');
  return pieces;
}

function spellOut(character: string): string {
  return `\\u{${character.codePointAt(0)!.toString(16)}}`;
}

/** Cuts between pieces: half an escape would mislead, and half a joined emoji would leave a stray joiner at the end. */
function cut(characters: string[], charactersMax: number): string {
  if (characters.length <= charactersMax) return characters.join('');
  let head = characters.slice(0, Math.max(0, charactersMax - 1));
  const unfinished = /\\(?:u(?:\{[0-9a-f]*)?)?$/.exec(head.join(''));
  if (unfinished !== null) head = head.slice(0, head.length - unfinished[0].length);
  while (defuse(head.join('')) !== head.join('')) head.pop();
  return `${head.join('')}…`;
}

/** The same in double quotes, short enough to stand within a sentence. */
export function quotedLine(text: string, charactersMax = 60): string {
  return `"${defuseLine(text, charactersMax)}"`;
}

/**
 * The text as one word of a command, for any POSIX shell and for fish, which reads `\\\\` and `\\'` in single quotes as
 * one character: those parts stand in double quotes.
 */
export function shellWord(text: string): string {
  const parts = text.replace(/(?:\\(?=[\\']|$)|')+/g, (run) => `'"${run.replaceAll('\\', '\\\\')}"'`);
  return `'${parts}'`;
}

/** The name of a file as one word of a command, in which no name is a flag. */
export function pathWord(path: string): string {
  return plainWord(path.startsWith('-') ? `./${path}` : path);
}

/** Advice on a file that a person names and that cannot be read, for the reason that the code of its fault says. */
export function checkPathHint(path: string, code: string): string {
  if (code === 'EISDIR') return 'name a file in it';
  return path.startsWith('/')
    ? 'check the name'
    : 'check the name; without a / in front it is looked for in the working folder';
}

/** The text as one word of a command, in quotes only where it needs them. */
export function plainWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : shellWord(defuseLine(text, 1000));
}
