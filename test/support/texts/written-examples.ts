import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** A text for readers, with what a test can hold against the program. */
interface WrittenText {
  /** From the top of the repository. */
  readonly name: string;
  readonly text: string;
  readonly blocks: readonly { readonly language: string; readonly text: string }[];
  /** Lines of shell and YAML blocks, continued lines joined. */
  readonly scriptLines: readonly string[];
  /** Each call of motif in them, as far as its words go. */
  readonly calls: readonly string[];
}

const top = resolve(import.meta.dirname, '../../..');

/** The README and every page of the manual. */
export function readWrittenTexts(): readonly WrittenText[] {
  const pages = readdirSync(join(top, 'src/manual')).filter((name) => name.endsWith('.md'));
  return ['README.md', ...pages.sort().map((name) => `src/manual/${name}`)].map(readWrittenText);
}

export function readWrittenText(name: string): WrittenText {
  const text = readFileSync(join(top, name), 'utf8');
  const blocks = [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map((match) => ({
    language: match[1] ?? '',
    text: match[2] ?? '',
  }));
  const scripts = blocks.filter(({ language }) => language === 'sh' || language === 'yaml');
  const scriptLines = scripts.flatMap((block) => block.text.replaceAll('\\\n', ' ').split('\n'));
  return { name, text, blocks, scriptLines, calls: [...new Set(scriptLines.flatMap(callsIn))] };
}

function callsIn(line: string): string[] {
  const calls = line.matchAll(/(?:^|[|(;!] *|&& |\$\(|- |run: )(motif [^|;)#]*)/g);
  return [...calls].map((match) => (match[1] ?? '').trim());
}

/** The flags of a call, without those in quotes and behind `--`. */
export function flagsIn(call: string): string[] {
  const unquoted = call.replace(/"[^"]*"|'[^']*'/g, 'x').split(/\s--(?:\s|$)/)[0] ?? '';
  return unquoted.split(/\s+/).flatMap((word) => /^(--?[a-z][a-z-]*)/.exec(word)?.[1] ?? []);
}

/** The rows of a Markdown table as cells without their backticks, its header left out. */
export function tableRows(text: string, header: string): string[][] {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => line.startsWith(`| ${header} `));
  if (start < 0) return [];
  const end = lines.findIndex((line, index) => index > start && !line.startsWith('|'));
  return lines.slice(start + 2, end < 0 ? undefined : end).map((line) =>
    line
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim().replaceAll('`', '')),
  );
}
