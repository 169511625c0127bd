import { columnsOf } from '../../../src/text/width.ts';
import type { PaintedText } from './virtual-screen.ts';

const fontSize = 14;
const columnWidth = 8.4;
const rowHeight = 20;
const margin = 16;

/** Colours of the picture by the parameter of SGR that asks for them, for a light and a dark page. */
const colours: Record<string, { readonly light: string; readonly dark: string }> = {
  '31': { light: '#cf222e', dark: '#ff7b72' },
  '32': { light: '#116329', dark: '#7ee787' },
  '33': { light: '#7d4e00', dark: '#e3b341' },
  '36': { light: '#0969da', dark: '#79c0ff' },
};
const page = { light: '#ffffff', dark: '#0d1117' };
const ink = { light: '#1f2328', dark: '#e6edf3' };
const dimInk = { light: '#59636e', dark: '#9198a1' };

/** A terminal's rows as an SVG with text in it, which a browser shows light or dark as the page around it is. */
export function toPicture(title: string, rows: readonly (readonly PaintedText[])[], columns: number): string {
  const width = Math.ceil(columns * columnWidth + 2 * margin);
  const height = rows.length * rowHeight + 2 * margin;
  const lines = rows.map((row, index) => textLine(row, margin + rowHeight * index + fontSize));
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">
<title>${escaped(title)}</title>
<style>
${styles('light')}
@media (prefers-color-scheme: dark) {
${styles('dark')}
}
text { font: ${fontSize}px ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace; white-space: pre; }
.b { font-weight: bold; }
.u { text-decoration: underline; }
</style>
<rect class="page" width="${width}" height="${height}" rx="8"/>
${lines.filter((line) => line !== '').join('\n')}
</svg>
`;
}

function styles(mode: 'light' | 'dark'): string {
  const paints = Object.entries(colours).map(([name, colour]) => `.c${name} { fill: ${colour[mode]}; }`);
  return [
    `.page { fill: ${page[mode]}; }`,
    `text { fill: ${ink[mode]}; }`,
    `.d { fill: ${dimInk[mode]}; }`,
    ...paints,
  ].join('\n');
}

/** Each stretch starts in its own column, whatever the width of the characters before it. */
function textLine(row: readonly PaintedText[], y: number): string {
  let column = 0;
  const spans = row.map(({ text, paint }) => {
    const x = (margin + column * columnWidth).toFixed(1);
    column += columnsOf(text);
    if (text.trim() === '') return '';
    const classes = paint.split(' ').flatMap(classOf).join(' ');
    return `<tspan x="${x}"${classes === '' ? '' : ` class="${classes}"`}>${escaped(text.trimEnd())}</tspan>`;
  });
  const shown = spans.join('');
  return shown === '' ? '' : `<text y="${y}">${shown}</text>`;
}

function classOf(parameter: string): string[] {
  if (parameter === '1') return ['b'];
  if (parameter === '2') return ['d'];
  if (parameter === '4') return ['u'];
  return parameter in colours ? [`c${parameter}`] : [];
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
