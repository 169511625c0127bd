import { defuse, defuseLine } from '../text/defuse.ts';

/**
 * Text of anybody's for a log that a CI system reads along: nothing in it is a command of GitHub, Azure or TeamCity,
 * and nothing in it moves a cursor.
 */
export function inertText(text: string): string {
  return defuse(text)
    .replace(/##(?=[a-z]*\[)/gi, '# #')
    .replace(/^(\s*):(?=:)/gm, '$1: ');
}

/** The same on one line, which is cut where it is long. */
export function inertLine(text: string, charactersMax = 300): string {
  return inertText(defuseLine(text, charactersMax));
}

/** Text as inline code of Markdown: no mark, link, mention or HTML in it is obeyed, in a table neither. */
export function codeSpan(text: string): string {
  const line = defuseLine(text, 300) || ' ';
  const fence = '`'.repeat(backticksIn(line) + 1);
  const pad = /^`|`$|^ .*[^ ].* $/.test(line) ? ' ' : '';
  return `${fence}${pad}${line.replaceAll('|', '\\|')}${pad}${fence}`;
}

/** Text as a code block of Markdown, in a fence that it cannot close. */
export function codeBlock(text: string): string {
  const shown = defuse(text);
  const fence = '`'.repeat(Math.max(3, backticksIn(shown) + 1));
  return [`${fence}text`, ...shown.split('\n'), fence].map((line) => line.trimEnd()).join('\n');
}

/** The length of the longest run of backticks. */
function backticksIn(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((most, { length }) => Math.max(most, length), 0);
}
