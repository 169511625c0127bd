import { createHash } from 'node:crypto';
import { type Markup, markup } from './markup.ts';

interface HtmlPage {
  readonly title: string;
  readonly body: Markup;
  /** Rules beside those that every page has. */
  readonly styles?: string;
  /** Runs once the page is there. */
  readonly script?: string;
}

/** Light and dark, readable on a phone, and nothing by colour alone. */
const pageStyles = `
:root { color-scheme: light dark; --bg: #fff; --fg: #1b1f24; --dim: #59636e; --line: #d1d9e0; --soft: #f6f8fa;
  --bad: #b3261e; --good: #1a7f37; --warn: #8a5a00; --link: #0b57d0 }
@media (prefers-color-scheme: dark) { :root { --bg: #0f1419; --fg: #e6edf3; --dim: #9aa7b4; --line: #323b45;
  --soft: #171d24; --bad: #ff8a80; --good: #6fdd8b; --warn: #f0c060; --link: #8ab4f8 } }
* { box-sizing: border-box }
body { margin: 0 auto; padding: 1rem; max-width: 70rem; background: var(--bg); color: var(--fg);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere }
h1 { font-size: 1.35rem; margin: .2rem 0 } h2 { font-size: 1.05rem; margin: 1.6rem 0 .5rem }
.dim { color: var(--dim) } .bad { color: var(--bad) } .good { color: var(--good) } .warn { color: var(--warn) }
.wide { overflow-x: auto } .bars + .wide { margin-top: .8rem }
table { border-collapse: collapse; font-variant-numeric: tabular-nums }
th, td { overflow-wrap: break-word; padding: .25rem .8rem .25rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line) }
th { font-weight: 600 } td.number, th.number { text-align: right }
th, .number { white-space: nowrap }
@media (max-width: 30rem) { table { font-size: .9rem } th, td { padding-right: .4rem } }
pre { margin: .3rem 0; padding: .6rem; background: var(--soft); border: 1px solid var(--line); border-radius: .3rem;
  white-space: pre-wrap; font: .875rem/1.45 ui-monospace, monospace }
a { color: var(--link) } :focus-visible { outline: 2px solid var(--link); outline-offset: 2px }
.bars { display: grid; grid-template-columns: fit-content(45%) 1fr max-content; gap: .15rem .6rem; align-items: center }
.bars > :nth-child(3n) { text-align: right; font-variant-numeric: tabular-nums }
.bar { height: .8rem; background: var(--link); min-width: 1px; border-radius: .15rem }
meter { width: 100% }
@media print { body { padding: 0; font-size: .8rem } .wide { overflow-x: visible } tr { break-inside: avoid }
  table { font-size: .7rem } th, td { padding-right: .5rem } td:last-child, th:last-child { padding-right: 0 } }
`;

/**
 * One HTML file that needs nothing else: no network by its own policy, and no script but the one named in it by its
 * hash.
 */
export function htmlPage({ title, body, styles = '', script = '' }: HtmlPage): string {
  const style = `${pageStyles}${styles}`;
  const sources = [
    `style-src '${hashOf(style)}'`,
    script === '' ? "script-src 'none'" : `script-src '${hashOf(script)}'`,
  ];
  const policy = ["default-src 'none'", "base-uri 'none'", "form-action 'none'", ...sources].join('; ');
  const head = markup`<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer">
<title>${title}</title>`;
  // Style and script are constants of the program, and the policy has the hashes of exactly these bytes.
  const end = script === '' ? '' : `<script>${script}</script>\n`;
  return `<!doctype html>\n<html lang="en"><head>${head.text}\n<style>${style}</style></head>\n<body>${body.text}\n${end}</body></html>\n`;
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

interface Bar {
  readonly label: string;
  readonly amount: number;
  /** Stands behind the bar; the amount unless said otherwise. */
  readonly shown?: string;
}

/** Bars that share one scale, drawn as SVG so that no style attribute is needed. */
export function barChart(bars: readonly Bar[]): Markup {
  const most = Math.max(1, ...bars.map(({ amount }) => amount));
  const rows = bars.map(({ label, amount, shown }) => {
    const width = Math.round((1000 * amount) / most) / 10;
    return markup`<span class="dim">${label}</span><svg height="12" width="100%" role="presentation"><rect height="12" width="${width}%" fill="currentColor" opacity=".6"/></svg><span>${shown ?? amount}</span>`;
  });
  return markup`<div class="bars">${rows}</div>`;
}

interface HtmlTable {
  readonly head: readonly string[];
  readonly rows: readonly (readonly (Markup | string | number)[])[];
  /** One a column: `right` for numbers that are written as text. */
  readonly align?: readonly ('left' | 'right')[];
}

/** A table whose numbers stand at the right; it scrolls by itself where the screen is narrow. */
export function htmlTable({ head, rows, align = [] }: HtmlTable): Markup {
  const isNumber = (at: number, value?: Markup | string | number): boolean =>
    typeof value === 'number' || align[at] === 'right';
  const heads = head.map((name, at) =>
    isNumber(at) ? markup`<th scope="col" class="number">${name}</th>` : markup`<th scope="col">${name}</th>`,
  );
  const cell = (value: Markup | string | number, at: number): Markup =>
    isNumber(at, value) ? markup`<td class="number">${value}</td>` : markup`<td>${value}</td>`;
  const lines = rows.map((row) => markup`<tr>${row.map(cell)}</tr>`);
  return markup`<div class="wide"><table><thead><tr>${heads}</tr></thead><tbody>${lines}</tbody></table></div>`;
}
