import { expect } from 'vitest';
import type { GatewayConfig } from '../../../src/gateway/config.ts';
import { type GatewayFileParts, parseGatewayFile, type ParsedGateway } from '../../../src/gateway/file/parse.ts';

/** Parses a gateway file as a whole; `files` are those beside it. */
export function parse(
  text: string,
  { files = {}, ...parts }: Partial<GatewayFileParts> & { readonly files?: Readonly<Record<string, string>> } = {},
): Promise<ParsedGateway> {
  const readFile = async (path: string): Promise<string> => {
    if (files[path] === undefined) throw Object.assign(new Error('does not exist'), { code: 'ENOENT' });
    return files[path];
  };
  return parseGatewayFile(text, {
    file: 'gateway.yaml',
    env: {},
    now: Date.UTC(2026, 10, 21),
    readFile,
    readInside: readFile,
    ...parts,
  });
}

export async function parsed(text: string, parts: Parameters<typeof parse>[1] = {}): Promise<GatewayConfig> {
  const { config, faults } = await parse(text, parts);
  expect(faults).toEqual([]);
  return config!;
}

/** A small gateway file with further lines under its one Motif. */
export function fileOf(motif: string = '', top: string = ''): string {
  const lines = motif
    .split('\n')
    .filter(Boolean)
    .map((line) => `    ${line}\n`);
  return `${top}providers:\n  mock: { kind: mock }\nmotifs:\n  bot:\n    provider: mock\n${lines.join('')}`;
}
