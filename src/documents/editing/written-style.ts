import { type Document, isMap, isSeq, type ToStringOptions, visit } from 'yaml';

/** The habits of the person who wrote a document, for what is printed into it. */
export interface YamlStyle {
  readonly print: ToStringOptions;
  /** True for `[a]` where the printer, which knows one habit for both kinds of brackets, writes `[ a ]`. */
  readonly isTight: boolean;
}

/** The style as the parsed parts show it: the text inside a value may look like anything. */
export function readYamlStyle(text: string, document: Document): YamlStyle {
  let indent: number | undefined;
  let isListIndented: boolean | undefined;
  const isPadded: { list?: boolean; map?: boolean } = {};
  visit(document, {
    Collection(_, { range, flow, items }) {
      if (!range || flow !== true || items.length === 0) return;
      isPadded[text[range[0]] === '[' ? 'list' : 'map'] ||= /\s/.test(text[range[0] + 1] ?? '');
    },
    Pair(_, { value }, parents) {
      const around = parents.at(-1);
      if (!isMap(around) || !around.range) return;
      const isBlock = (isMap(value) || isSeq(value)) && value.flow !== true;
      if (!isBlock || !value.range || value.items.length === 0) return;
      const columns = columnOf(text, value.range[0]) - columnOf(text, around.range[0]);
      if (isMap(value)) indent ??= columns;
      else isListIndented ??= columns > 0;
    },
  });
  return {
    print: {
      lineWidth: 0,
      indent: Math.max(1, indent ?? 2),
      indentSeq: isListIndented ?? true,
      flowCollectionPadding: isPadded.map ?? isPadded.list !== false,
    },
    isTight: isPadded.list !== true,
  };
}

export function lineStartOf(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

function columnOf(text: string, offset: number): number {
  return offset - lineStartOf(text, offset);
}

/** Takes the blanks out of the square brackets of a line. */
export function tightened(line: string): string {
  return line.replace(/\[ (.*?) \]/g, '[$1]');
}
