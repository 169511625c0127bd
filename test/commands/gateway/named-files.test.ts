import { existsSync, linkSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { expect, test } from 'vitest';
import { openAudit } from '../../../src/commands/gateway/source.ts';
import { createFiles } from '../../../src/world/files/files.ts';
import { gatewayFile, isAdmitted, loaded, record, tokens, utf16 } from '../../support/rooms/reloaded-gateway.ts';

/** Good contents of all that the file of `fileOfMany` names. */
const namedFiles = {
  'words.txt': 'heron\n',
  'more.txt': 'stork\n',
  'schema.json': '{ "type": "object" }',
  key: 'key-one',
  header: 'blue',
  proxy: 'http://proxy.example:3128',
  pass: 'pass-one',
  'ca.pem': rootCertificates[0]!,
  way: 'http://ana:word@proxy.example:3128',
  'docs/a.md': '# Herons\n\nA heron waits.\n',
};

/** A file that names one of each. */
function fileOfMany({ bot }: { readonly bot?: readonly string[] } = {}) {
  const file = gatewayFile({
    ...(bot && { bot: [...bot] }),
    policies: `both: { kind: words, words: [crane], file: more.txt }
  shaped: { kind: schema, file: schema.json }
  asked: { kind: webhook, url: "https://checks.example", key: "\${file:pass}", proxy: "\${file:way}" }`,
    other: ', both, shaped, asked',
  });
  const model =
    'kind: openai, key: "${file:key}", headers: { x-team: "${file:header}" }, proxy: "${file:proxy}", ca: ca.pem, base_url: "https://m.example"';
  return file.replace('providers: { ', `providers: { model: { ${model} }, `);
}

const manyWords = Array.from({ length: 50_000 }, (_, at) => `word${at}\n`).join('');
const oddContents = [
  '',
  ' \n\n',
  '# a remark\n',
  'wörter €\n',
  'two\nlines\n',
  utf16,
  'a\0b',
  manyWords,
  'x'.repeat(100_000),
  '{',
  '[]',
  '{ "type": "nothing" }',
  '{ "$ref": "https://elsewhere.example" }',
  '!!!\n...\n',
  'ftp://x:y@z',
  '-----BEGIN CERTIFICATE-----\nzz\n-----END CERTIFICATE-----\n',
];

test.each(Object.keys(namedFiles))('takes a token back whatever %s holds now', async (file) => {
  const { write, load, folder } = await loaded();
  for (const [name, content] of Object.entries(namedFiles)) write(name, content);
  write('gateway.yaml', fileOfMany());
  const before = await load();
  write('gateway.yaml', fileOfMany({ bot: [record(tokens.kept, 'kept')] }));
  for (const content of oddContents) {
    write(file, content);
    const next = await load(before);
    expect([isAdmitted(next, tokens.kept), isAdmitted(next, tokens.revoked)]).toEqual([true, false]);
  }
  rmSync(join(folder, file));
  expect(isAdmitted(await load(before), tokens.revoked)).toBe(false);
});

test.each(['gateway.yaml', ...Object.keys(namedFiles)])(
  'writes no audit into %s, whatever path leads there',
  async (file) => {
    const { write, load, folder, source } = await loaded();
    for (const [name, content] of Object.entries(namedFiles)) write(name, content);
    write('gateway.yaml', fileOfMany());
    await load();
    const whole = readFileSync(join(folder, file), 'utf8');
    linkSync(join(folder, file), join(folder, 'another-name'));
    for (const path of [file, `docs/../${file}`, 'another-name'])
      await expect(openAudit(`${folder}/${path}`, source, createFiles())).rejects.toThrow(
        /which the gateway file names|is the gateway file itself/,
      );
    expect(readFileSync(join(folder, 'another-name'), 'utf8')).toBe(whole);
  },
);

test('makes no audit of a key that is not there', async () => {
  const { write, load, folder, source } = await loaded();
  for (const [name, content] of Object.entries(namedFiles)) write(name, content);
  write('gateway.yaml', fileOfMany());
  const before = await load();
  rmSync(join(folder, 'key'));
  await load(before);
  await expect(openAudit(join(folder, 'key'), source, createFiles())).rejects.toThrow('which the gateway file names');
  expect(existsSync(join(folder, 'key'))).toBe(false);
});

test('makes no audit of a key that no mock needs', async () => {
  const { write, load, folder, source } = await loaded({ areProvidersReplaced: true });
  for (const [name, content] of Object.entries(namedFiles)) write(name, content);
  write('gateway.yaml', fileOfMany());
  await load();
  for (const name of ['key', 'header', 'proxy', 'ca.pem', 'pass', 'way'])
    await expect(openAudit(join(folder, name), source, createFiles())).rejects.toThrow('which the gateway file names');
});

test('makes no audit of a key whose provider has a CA that cannot be read', async () => {
  const { write, load, folder, source } = await loaded();
  for (const [name, content] of Object.entries(namedFiles)) write(name, content);
  write('gateway.yaml', fileOfMany());
  const before = await load();
  write('ca.pem', '');
  expect((await load(before)).faultyParts).toEqual(['providers.model.ca']);
  for (const name of ['key', 'header', 'proxy'])
    await expect(openAudit(join(folder, name), source, createFiles())).rejects.toThrow('which the gateway file names');
});

test('names a certificate that is binary, and not the gateway file', async () => {
  const { write, load, first, logged } = await loaded();
  write('tls.crt', 'a\0b');
  write('tls.key', 'key');
  write('gateway.yaml', `listen: { tls: { cert: tls.crt, key: tls.key } }\n${gatewayFile()}`);
  expect((await load(first)).faultyParts).toEqual(['listen.tls']);
  expect(logged.join('\n')).toMatch(/"listen.tls","reason":"[^"]*\/tls\.crt: is binary/);
});

test('keeps the documents of a folder whose name was that of the audit for a while', async () => {
  const { write, load, first } = await loaded();
  const file = gatewayFile();
  write('gateway.yaml', `audit: { file: docs }\n${file}`);
  const misnamed = await load(first);
  expect(misnamed.faultyParts).toEqual([]);
  write('docs/a.md', '# Storks\n\nA stork waits.\n');
  write('gateway.yaml', `audit: { file: audit.jsonl }\n${file}`);
  const { index } = (await load(misnamed)).knowledge.get('handbook')!;
  // Changed documents are indexed while those before are searched.
  await index.made;
  expect(index.search('stork', 1)).toHaveLength(1);
});

test.each([
  { name: 'an empty word list', file: 'words.txt', content: '', part: 'policies.listed.file' },
  { name: 'one of remarks alone', file: 'words.txt', content: '# none\n', part: 'policies.listed.file' },
  { name: 'an empty one beside words in the file', file: 'more.txt', content: '', part: 'policies.both.file' },
  { name: 'one too long beside words in the file', file: 'more.txt', content: manyWords, part: 'policies.both.file' },
  { name: 'a key that is no ASCII', file: 'key', content: 'schlüssel', part: 'providers.model.key' },
  { name: 'a key of two lines', file: 'key', content: 'one\ntwo\n', part: 'providers.model.key' },
  { name: 'a header of two lines', file: 'header', content: 'a\nb', part: 'providers.model.headers.x-team' },
  { name: 'a proxy that is none', file: 'proxy', content: 'ftp://x', part: 'providers.model.proxy' },
  { name: 'a torn CA', file: 'ca.pem', content: rootCertificates[0]!.slice(0, 600), part: 'providers.model.ca' },
  { name: 'a proxy of a webhook that is none', file: 'way', content: 'ftp://x', part: 'policies.asked.proxy' },
  { name: 'a key of a webhook that is no ASCII', file: 'pass', content: 'pásswort', part: 'policies.asked.key' },
])('names $name, keeps what it held before, and does not start with it', async ({ file, content, part }) => {
  const { write, load } = await loaded();
  for (const [name, good] of Object.entries(namedFiles)) write(name, good);
  write('gateway.yaml', fileOfMany());
  const before = await load();
  write(file, content);
  const next = await load(before);
  expect(next.faultyParts).toEqual([part]);
  expect(next.config.providers.get('model')).toEqual(before.config.providers.get('model'));
  expect(next.config.policies).toEqual(before.config.policies);
  await expect(load()).rejects.toThrow('cannot be served as it is');
});

test('lets go of what is named no more', async () => {
  const { write, again, source, folder } = await loaded();
  write('gateway.yaml', 'providers: { mock: { kind: mock } }\nmotifs: { bot: { provider: mock, tokens: [] } }\n');
  await again();
  expect([...source.seen.files.keys(), ...source.seen.patterns.keys()]).toEqual([join(folder, 'gateway.yaml')]);
});
