import { resolve } from 'node:path';
import { parseSync } from 'rolldown/utils';
import { describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { gatewaySchema } from '../../src/gateway/file/shape.ts';
import { motif } from '../support/motif.ts';
import { certificates, tlsMissing } from '../support/servers/tls.ts';
import { readMessages } from '../support/texts/messages.ts';
import { readWrittenTexts } from '../support/texts/written-examples.ts';
import '../support/rooms/gateway-loaded.ts';

type Keys = Readonly<Record<string, unknown>>;

const gatewayKeys = Object.keys((gatewaySchema as unknown as { readonly properties: object }).properties);

/** A gateway file beside whose keys a printed one is put. */
const base = {
  tenant: 'acme',
  providers: { mock: { kind: 'mock' } },
  motifs: { 'support-bot': { provider: 'mock' } },
};

/** The fault of a gateway file that has what is printed, or else nothing. */
async function faultOf(printed: Keys): Promise<string> {
  const providers = { ...base.providers, ...(printed.providers as object | undefined) };
  // The hash of a token is shortened on a page.
  const text = stringify({ ...base, ...printed, providers }).replaceAll('…', '0'.repeat(56));
  const { ca, good } = certificates();
  const beside = { 'docs/a.md': 'Hello', 'tls.crt': good.cert, 'tls.key': good.key, 'corporate-ca.pem': ca };
  const run = await motif(['admin', 'validate', 'g.yaml'], { env: {}, files: { 'g.yaml': text, ...beside } });
  return run.exitCode === 0 ? '' : `${text}\n${run.stdout}${run.stderr}`;
}

describe.skipIf(tlsMissing)('YAML for a gateway file is valid where it is put as it is printed', () => {
  const texts = readWrittenTexts();
  const blocks = texts.flatMap(({ name, blocks: all }) =>
    all
      .filter(({ language }) => language === 'yaml')
      .map(({ text }) => ({ name, printed: parse(text) as unknown, text })),
  );
  const whole = blocks.filter(
    ({ printed }) =>
      typeof printed === 'object' && printed !== null && Object.keys(printed).every((key) => gatewayKeys.includes(key)),
  );

  test.each(whole.map((each) => ({ ...each, first: each.text.split('\n')[0] })))(
    '$name: $first ...',
    async ({ printed }) => expect(await faultOf(printed as Keys)).toBe(''),
  );

  const key = new RegExp(String.raw`\b(?:${gatewayKeys.join('|')}): \{ (?:[^{}$\n]|\{[^{}$\n]*\})* \}`, 'g');
  const messages = readMessages(resolve(import.meta.dirname, '../../src'), parseSync);
  const snippets = [
    ...texts.map(({ name, text }) => ({ name, text: text.replaceAll(/^```[\s\S]*?^```$/gm, '') })),
    ...messages.map(({ file, text }) => ({ name: file, text })),
  ].flatMap(({ name, text }) => [...text.matchAll(key)].map(([printed]) => ({ name, printed })));

  test('pages and messages print some', () => {
    for (const end of ['.md', '.ts']) expect(snippets.some(({ name }) => name.endsWith(end))).toBe(true);
    expect(whole.length).toBeGreaterThan(5);
  });

  test.each(snippets)('$name: $printed', async ({ printed }) => expect(await faultOf(parse(printed) as Keys)).toBe(''));
});
