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
export function codeSpan(text: string, charactersMax = 300): string {
  const line = defuseLine(text, charactersMax) || ' ';
  const fence = '`'.repeat(longestRun(line, '`') + 1);
  const pad = /^`|`$|^ .*[^ ].* $/.test(line) ? ' ' : '';
  return `${fence}${pad}${line.replaceAll('|', '\\|')}${pad}${fence}`;
}

/** Text as a code block of Markdown, in a fence that it cannot close. */
export function codeBlock(text: string, indent = ''): string {
  const shown = defuse(text);
  const fence = '`'.repeat(Math.max(3, longestRun(shown, '`') + 1));
  return [`${fence}text`, ...shown.split('\n'), fence].map((line) => `${indent}${line}`.trimEnd()).join('\n');
}

function longestRun(text: string, character: string): number {
  let longest = 0;
  let run = 0;
  for (const each of text) {
    run = each === character ? run + 1 : 0;
    longest = Math.max(longest, run);
  }
  return longest;
}
