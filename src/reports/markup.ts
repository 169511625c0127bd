import { defuse } from '../text/defuse.ts';

/** HTML that is safe to put into a page: everything in it that came from outside was escaped. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type MarkupPart = Markup | string | number | readonly MarkupPart[] | undefined;

/**
 * HTML with values in it: each value is set as text, whatever it holds, unless it is markup itself.
 *
 *     markup`<td>${answer}</td>`
 */
export function markup(parts: TemplateStringsArray, ...values: readonly MarkupPart[]): Markup {
  return new Markup(parts.map((part, index) => part + rendered(values[index])).join(''));
}

function rendered(value: MarkupPart): string {
  if (value === undefined) return '';
  if (value instanceof Markup) return value.text;
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value));
  return value.map(rendered).join('');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text for elements and quoted attributes; controls, bidi marks and what else is invisible are spelled out. */
function escapeHtml(text: string): string {
  return defuse(text).replace(/[&<>"']/g, (character) => entities[character]!);
}
