import { topics } from '../../manual/topics.ts';

const lettersMin = 3;

/** Topics whose page has the word in a heading, then those that name it as a flag, variable or key, then the others. */
export async function pagesAbout(word: string): Promise<string[]> {
  const stem = stemOf(word);
  if (stem.length < lettersMin) return [];
  const pages = await Promise.all(
    topics.map(async (topic) => ({ name: topic.name, heads: topic.summary, text: (await topic.load()).default })),
  );
  const rated = pages.map(({ name, heads, text }) => {
    const headings = [heads, ...(text.match(/^#+ .*/gm) ?? [])];
    const spans = (text.match(/`[^`\n]+`/g) ?? []).filter((span) => hasWord(span, stem));
    const lines = text.split('\n').filter((line) => hasWord(line, stem));
    return {
      name,
      heads: headings.filter((line) => hasWord(line, stem)).length,
      spans: spans.length,
      lines: lines.length,
    };
  });
  return rated
    .filter(({ heads: inHeads, lines }) => inHeads > 0 || lines > 0)
    .toSorted(
      (one, other) =>
        Math.sign(other.heads) - Math.sign(one.heads) || other.spans - one.spans || other.lines - one.lines,
    )
    .map(({ name }) => name);
}

/** The word in small letters without the end that a plural changes: `polic` of policy and policies. */
function stemOf(word: string): string {
  return word
    .toLowerCase()
    .replace(/^[^a-z]+/, '')
    .replace(/(?:ies|y|s)$/, '');
}

function hasWord(line: string, stem: string): boolean {
  const words = line.toLowerCase().split(/[^a-z0-9]+/);
  return stem.split(/[^a-z0-9]+/).every((part) => words.some((each) => each.startsWith(part)));
}
