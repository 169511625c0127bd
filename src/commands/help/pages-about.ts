import { topics } from '../../manual/topics.ts';

const lettersMin = 3;

/** Topics whose page has the word in a heading or its summary, then those that name it as a flag, variable or key. */
export async function pagesAbout(word: string): Promise<string[]> {
  const stem = stemOf(word);
  if (stem.length < lettersMin) return [];
  const pages = await Promise.all(
    topics.map(async (topic) => ({ name: topic.name, heads: topic.summary, text: (await topic.load()).default })),
  );
  const rated = pages.map(({ name, heads, text }) => {
    const headings = [heads, ...(text.match(/^#+ .*/gm) ?? [])];
    const spans = (text.match(/`[^`\n]+`/g) ?? []).filter((span) => hasWord(span, stem));
    return { name, isHeaded: headings.some((line) => hasWord(line, stem)), named: spans.length };
  });
  const found = rated.filter(({ isHeaded, named }) => isHeaded || named > 0);
  return found
    .toSorted((one, other) => Number(other.isHeaded) - Number(one.isHeaded) || other.named - one.named)
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
