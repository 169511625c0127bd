import { readFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';
import { describe, expect, test } from 'vitest';
import { demoFile } from '../../../src/gateway/demo.ts';
import { readWrittenTexts } from '../../support/texts/written-examples.ts';
import { parse } from './config-file.ts';

const env = { OPENAI_API_KEY: 'k', AZURE_KEY: 'k', GEMINI_API_KEY: 'k' };
const files = {
  '/run/secrets/c': 'k',
  'corporate-ca.pem': rootCertificates[0]!,
};

/** The example with hashes filled in: on the page they are cut short, so that nobody takes them for real ones. */
const withHashes = (text: string) => text.replaceAll(/[0-9a-f]{8}…/g, (cut) => cut.slice(0, 8).repeat(8));

function manualFile(): string {
  const text = /^```yaml\n(tenant: [\s\S]*?)^```$/m.exec(readFileSync('src/manual/gateway.md', 'utf8'))?.[1] ?? '';
  return withHashes(text);
}

/** Parts of a gateway file on other pages; what they leave out is filled in. */
const parts = readWrittenTexts().flatMap(({ name, blocks }) =>
  blocks
    .filter(({ language, text }) => language === 'yaml' && /^(?:listen|limits|audit|policies|motifs):/.test(text))
    .map(({ text }) => ({ name, text })),
);

test('there are parts of a gateway file on other pages', () => expect(parts.length).toBeGreaterThan(2));

test.each(parts)('the part of a gateway file in $name is valid', async ({ text }) => {
  const rest = `providers: { mock: { kind: mock } }\n${text.includes('motifs:') ? '' : 'motifs: {}\n'}`;
  const { faults, config } = await parse(`${withHashes(text)}${rest}`, {
    env,
    files,
  });
  expect(faults).toEqual([]);
  expect(config?.providers.has('mock')).toBe(true);
});

describe('files that people copy are valid by the real kinds of policy', () => {
  test.each([
    ['the manual', manualFile()],
    ['the demo', demoFile],
  ])('%s', async (_name, text) => {
    const { config, faults, missingSecrets } = await parse(text, { env, files });
    expect([...faults, ...missingSecrets]).toEqual([]);
    expect(config?.motifs.has('support-bot')).toBe(true);
  });

  test.each([
    ['policies: { a: { kind: pii, entities: [emial] } }\n', /^policies\.a\.entities/],
    ['policies: { a: { kind: regex, pattern: "(?=x)" } }\n', /^policies\.a\.pattern/],
    ['policies: { a: { kind: regex, patterns: ["x", "(a"] } }\n', /^policies\.a\.patterns/],
    ['policies: { a: { kind: length } }\n', /^policies\.a/],
    ['policies: { a: { kind: webhook, url: "http://check.example/" } }\n', /^policies\.a\.url/],
    ['policies: { a: { kind: pii, entites: [email] } }\n', /^policies\.a\.entites/],
    ['policies: { a: { kind: schema, file: gone.json } }\n', /^policies\.a\.file/],
  ])('a fault in their options has its place: %s', async (policies, path) => {
    const parsed = await parse(`providers: {}\nmotifs: {}\n${policies}`);
    const faults = [...parsed.faults, ...parsed.namedFaults];
    expect(faults).toMatchObject([{ line: 3, path: expect.stringMatching(path) as string }]);
    expect(faults[0]?.column).toBeGreaterThan(10);
    expect(faults[0]?.expected).not.toBe('');
  });
});
