import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { parseSync } from 'rolldown/utils';

/** A text of the sources, most of which people get to read. */
export interface Message {
  /** From the folder of the sources. */
  readonly file: string;
  readonly line: number;
  readonly role: Role;
  /** The words, with the code of each hole in braces as in the sources. */
  readonly text: string;
}

/** The part that a text has in what the program says, as far as its place in the sources tells. */
type Role = 'error' | 'hint' | 'note' | 'notice' | 'fault' | 'flag' | 'summary' | 'text';

interface Node {
  readonly type: string;
  readonly start: number;
  readonly [key: string]: unknown;
}

/** Files without messages: data that is looked for in prompts, and pages of HTML. */
const foreign = /^gateway\/policies\/rules\/|^gateway\/policies\/readings\/|html[^/]*$|^manual\//;
const isCode = new Set(['ImportDeclaration', 'ExportAllDeclaration', 'TSLiteralType', 'ImportExpression']);

/** The parser of the bundler, which a script that is bundled itself hands in. */
type Parse = typeof parseSync;

/** All texts of the sources, `src/manual` left out, in the order of their files and lines. */
export function readMessages(source: string, parse: Parse): readonly Message[] {
  return readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts') && !foreign.test(file))
    .sort()
    .flatMap((file) => messagesOf(file, readFileSync(join(resolve(source), file), 'utf8'), parse));
}

export function messagesOf(file: string, source: string, parse: Parse): readonly Message[] {
  const { program, errors } = parse(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const found: Message[] = [];
  const visit = (node: Node, role: Role): void => {
    if (isCode.has(node.type)) return;
    const text = textOf(node, source);
    if (text !== undefined) found.push({ file, line: lineOf(source, node.start), role, text });
    for (const [key, child] of childrenOf(node)) visit(child, roleOf(node, key, child) ?? role);
  };
  visit(program as unknown as Node, 'text');
  return found;
}

function textOf(node: Node, source: string): string | undefined {
  if (node.type === 'Literal' && typeof node['value'] === 'string') return node['value'];
  if (node.type !== 'TemplateLiteral') return undefined;
  const expressions = node['expressions'] as readonly (Node & { readonly end: number })[];
  const quasis = node['quasis'] as readonly { readonly value: { readonly cooked: string } }[];
  return quasis
    .map(({ value }, index) => {
      const filled = expressions[index];
      return filled === undefined ? value.cooked : `${value.cooked}\${${source.slice(filled.start, filled.end)}}`;
    })
    .join('');
}

function childrenOf(node: Node): readonly (readonly [key: string, child: Node])[] {
  return Object.entries(node).flatMap(([key, value]) =>
    (Array.isArray(value) ? (value as unknown[]) : [value]).filter(isNode).map((child) => [key, child] as const),
  );
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';
}

const roleByProperty: Readonly<Record<string, Role>> = {
  hint: 'hint',
  notes: 'note',
  summary: 'summary',
  help: 'flag',
  message: 'error',
  says: 'error',
};
const roleByCall: readonly (readonly [called: RegExp, role: Role])[] = [
  [/(?:Error|Refusal)$|^(?:usage|refuse|fail)$/, 'error'],
  [/notice$|^(?:say|warn)$/i, 'notice'],
  [/fault$/i, 'fault'],
  [/withNote$/, 'note'],
  [/^(?:toggle|choice|file|text|setting|whole|duration|list|number|size)$/, 'flag'],
];

function roleOf(parent: Node, key: string, child: Node): Role | undefined {
  if (parent.type === 'Property' && key === 'value') return roleByProperty[nameOf(parent['key'] as Node) ?? ''];
  if ((parent.type !== 'CallExpression' && parent.type !== 'NewExpression') || key !== 'arguments') return undefined;
  // A function that is handed over says its own texts.
  if (child.type === 'ArrowFunctionExpression') return undefined;
  const called = nameOf(parent['callee'] as Node) ?? '';
  return roleByCall.find(([pattern]) => pattern.test(called))?.[1];
}

function nameOf(node: Node): string | undefined {
  if (node.type === 'Identifier') return node['name'] as string;
  return node.type === 'MemberExpression' ? nameOf(node['property'] as Node) : undefined;
}

function lineOf(source: string, offset: number): number {
  return source.slice(0, offset).split('\n').length;
}
