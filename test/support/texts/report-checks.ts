import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { expect } from 'vitest';
import type { ReportKind } from '../../../src/suites/reports/table.ts';

const control = new RegExp(String.raw`[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]`);
const lineBreak = /\r\n|[\n\r]/;
const commands = (text: string) => text.split(lineBreak).filter((line) => /^\s*::|##[a-z]*\[/i.test(line));

/** The check of each form: nothing of a result leads its reader astray. A form without a row does not compile. */
export const reportChecks: Readonly<Record<ReportKind, (text: string) => void>> = {
  human: (text) => expect(commands(text)).toEqual([]),
  brief: (text) => expect(commands(text)).toEqual([]),
  json: (text) => expect(JSON.parse(text)).toMatchObject({ summary: expect.any(String) as string }),
  blob: (text) => expect(JSON.parse(text)).toMatchObject({ summary: expect.any(String) as string }),
  github: checkGithub,
  ctrf: checkCtrf,
  junit: checkJunit,
  html: checkHtml,
  markdown: checkMarkdown,
};

/** The first character of a text that moves a cursor or turns the order of others. */
export function controlIn(text: string): RegExpExecArray | null {
  return control.exec(text);
}

const ctrfSchema = new Ajv({ strict: false, validateFormats: false }).compile(
  JSON.parse(readFileSync(join(import.meta.dirname, '../../fixtures/schemas/ctrf.json'), 'utf8')) as object,
);

/** Checks that a log holds the commands of the report alone, each one line, ten of a kind at most. */
function checkGithub(text: string): void {
  const lines = text.split(lineBreak).filter((line) => line !== '');
  const own = /^::(error|warning) (file=[^,]*,line=3,title=[^,:]*)::[^\n]*$|^::(error|warning)::and \d+ more/;
  expect(lines.filter((line) => !own.test(line))).toEqual([]);
}

function checkCtrf(text: string): void {
  const ctrf = JSON.parse(text) as { results: { summary: Record<string, number> } };
  ctrfSchema(ctrf);
  expect(ctrfSchema.errors ?? []).toEqual([]);
  const { tests, passed, failed, skipped, pending, other } = ctrf.results.summary;
  expect(passed! + failed! + skipped! + pending! + other!).toBe(tests);
}

/** Checks that a file holds only what XML 1.0 can hold, and no tag but those of the report. */
function checkJunit(xml: string): void {
  expect(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.exec(xml)).toBeNull();
  expect(xml.isWellFormed()).toBe(true);
  const tags = new Set([...xml.matchAll(/<\/?([a-zA-Z-]+)/g)].map((match) => match[1]));
  const known = 'testsuites testsuite properties property testcase failure error skipped system-out'.split(' ');
  expect([...tags].filter((tag) => !known.includes(tag ?? ''))).toEqual([]);
  expect(xml.replace(/&(amp|lt|gt|quot|#\d+);/g, '')).not.toContain('&');
}

/** Checks that values are text on the page: its elements and scripts are those of the report alone. */
function checkHtml(html: string): void {
  const known = `html head meta title style body header main section h1 h2 p div span b table thead tbody tr th td svg
    rect form label select option input details summary pre script`.split(/\s+/);
  const elements = [...html.matchAll(/<([a-z0-9]+)/gi)].map((match) => match[1] ?? '');
  expect([...new Set(elements)].filter((name) => !known.includes(name))).toEqual([]);
  expect(elements.filter((name) => name === 'script')).toHaveLength(1);
  expect([...html.replace(/"[^"]*"/g, '""').matchAll(/<[^>]* (on\w+|src|href|action|style)=/g)]).toEqual([]);
  expect(html).toContain('default-src &#39;none&#39;');
}

/** Checks that whatever comes from outside is shown as code. */
function checkMarkdown(text: string): void {
  const outside = text.replace(/^(`{3,})text\n[\s\S]*?^\1$/gm, '').replace(/(?<!`)(`+)(?!`)[^\n]*?(?<!`)\1(?!`)/g, '');
  expect(outside).not.toMatch(/[<>@[\]\\*_]|heading|https?:/);
}
