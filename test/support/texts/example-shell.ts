/** A call of motif in a block of shell, as a shell would make it. */
export interface ShellCall {
  /** The line as it stands on the page, without its remark. */
  readonly line: string;
  /** Words behind `motif`; patterns of files are not expanded. */
  readonly words: readonly string[];
  /** A file that is redirected into it, or the pipe of the program before it. */
  readonly input: { readonly file: string } | { readonly pipedFrom: string } | undefined;
  /** A file that its stdout goes to. */
  readonly outputFile: string | undefined;
}

interface Token {
  readonly text: string;
  /** `|`, `<`, `$(` and others, where no quotes stand around them. */
  readonly isOperator: boolean;
}

/**
 * The calls of motif in a block of shell, in order. It knows what the pages use: quotes, variables, pipes,
 * redirections, `$(...)`, `<(...)` and continued lines; no more.
 */
export function shellCalls(block: string, variables: Readonly<Record<string, string>>): readonly ShellCall[] {
  const lines = block.replace(/\\\n|(?<=\|)\n/g, ' ').split('\n');
  return lines.flatMap((line) => callsOf(line, variables));
}

function callsOf(line: string, variables: Readonly<Record<string, string>>): readonly ShellCall[] {
  const tokens = tokensOf(line, variables);
  const shown = line.replace(/\s+#.*$/, '').trim();
  const calls: ShellCall[] = [];
  let at = 0;
  let piped: string | undefined;
  while (at < tokens.length) {
    const end = endOfCommand(tokens, at);
    const command = tokens.slice(at, end);
    const name = command.find(({ text }) => !/^(?:do|then|!|\w+=.*)$/.test(text))?.text ?? '';
    if (name === 'motif') calls.push({ line: shown, ...callOf(command, piped) });
    piped = tokens[end]?.text === '|' ? name : undefined;
    at = end + 1;
  }
  return calls;
}

const redirections = new Set(['<', '>']);

function endOfCommand(tokens: readonly Token[], start: number): number {
  const end = tokens.findIndex(
    ({ isOperator, text }, index) => index >= start && isOperator && !redirections.has(text),
  );
  return end < 0 ? tokens.length : end;
}

function callOf(command: readonly Token[], piped: string | undefined): Omit<ShellCall, 'line'> {
  const behind = (operator: string): string | undefined => {
    const at = command.findIndex(({ isOperator, text }) => isOperator && text === operator);
    return at < 0 ? undefined : command[at + 1]?.text;
  };
  const first = command.findIndex(({ text }) => text === 'motif') + 1;
  const redirected = command.findIndex(({ isOperator }) => isOperator);
  const words = command.slice(first, redirected < 0 ? undefined : redirected).map(({ text }) => text);
  const file = behind('<');
  const pipe = piped === undefined ? undefined : { pipedFrom: piped };
  return { words, input: file === undefined ? pipe : { file }, outputFile: behind('>') };
}

/** Operators, single quotes, double quotes, and what is bare; a remark ends the line. */
const part = /\s+#.*$|\s+|"?\$\(|<\(|\)"?|\|\||&&|[|;<>]|'[^']*'|"[^"]*"|[^\s|;<>()'"]+/g;

function tokensOf(line: string, variables: Readonly<Record<string, string>>): readonly Token[] {
  const tokens: Token[] = [];
  let word: string | undefined;
  const endWord = () => {
    if (word !== undefined) tokens.push({ text: word, isOperator: false });
    word = undefined;
  };
  for (const [text] of line.matchAll(part)) {
    if (/^\s/.test(text)) endWord();
    else if (/^(?:"?\$\(|<\(|\)"?|\|\||&&|[|;<>])$/.test(text)) {
      endWord();
      tokens.push({ text, isOperator: true });
    } else word = (word ?? '') + unquoted(text, variables);
  }
  endWord();
  return tokens;
}

function unquoted(text: string, variables: Readonly<Record<string, string>>): string {
  if (text.startsWith("'")) return text.slice(1, -1);
  const bare = text.startsWith('"') ? text.slice(1, -1) : text;
  return bare.replace(/\$(\w+)/g, (found, name: string) => variables[name] ?? found);
}
