import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { MotifError } from '../../../src/errors.ts';
import type { ServedFile } from '../../../src/gateway/server/serve.ts';
import { gatewayFile, isAdmitted, loaded, record, tokens, utf16 } from '../../support/rooms/reloaded-gateway.ts';

async function judgedRules({ motifs }: ServedFile, text: string): Promise<readonly string[]> {
  const verdict = await motifs
    .get('other')!
    .judge('prompt', [text], { holder: 'bot t1', signal: new AbortController().signal });
  return verdict.hits.map(({ policy }) => policy);
}

describe('a reload', () => {
  test.each([
    { name: 'a document', file: 'docs/a.md', part: 'knowledge.handbook' },
    { name: 'a word list', file: 'words.txt', part: 'policies.listed.file' },
  ])('takes a token back although $name of another Motif cannot be read', async ({ file, part }) => {
    const { write, again, logged } = await loaded();
    write(file, utf16);
    write('gateway.yaml', gatewayFile({ bot: [record(tokens.kept, 'kept')] }));
    const next = await again();
    expect([isAdmitted(next, tokens.kept), isAdmitted(next, tokens.revoked)]).toEqual([true, false]);
    expect(next.faultyParts).toEqual([part]);
    expect(logged.join('\n')).toContain(`"part":"${part}"`);
    expect(await judgedRules(next, 'a heron')).toEqual(['listed']);
    expect(next.motifs.get('other')!.retrieve('heron')).toHaveLength(1);
  });

  test('has a part as it was last good, however often it is read meanwhile', async () => {
    const { write, load, first, logged } = await loaded();
    write('words.txt', utf16);
    const second = await load(await load(first));
    expect(await judgedRules(second, 'a heron')).toEqual(['listed']);
    write('words.txt', 'stork\n');
    const third = await load(second);
    expect(third.faultyParts).toEqual([]);
    expect(logged.at(-1)).toMatch(/^a part of the gateway file is good again .*policies.listed.file/);
    expect(await judgedRules(third, 'a heron')).toEqual([]);
  });

  test.each([
    { name: 'all documents of a pattern', files: 'docs/*.md', gone: ['docs/a.md'], isKept: true },
    { name: 'the only pattern, which now names none', files: 'dosc/*.md', gone: [], isKept: true },
    {
      name: 'all of one pattern, where another still matches',
      first: '[docs/*.md, more/*.md]',
      files: '[docs/*.md, more/*.md]',
      gone: ['docs/a.md'],
      isKept: true,
    },
    {
      name: 'a pattern that is no longer named',
      first: '[docs/*.md, more/*.md]',
      files: 'more/*.md',
      gone: [],
      isKept: false,
    },
    { name: 'one document of two', gone: ['docs/a.md'], files: 'docs/*.md', beside: 'docs/b.md', isKept: false },
    {
      name: 'a new pattern, which matches none yet',
      files: '[docs/*.md, later/*.md]',
      gone: [],
      isKept: true,
      isWhole: true,
    },
  ])(
    'keeps the knowledge where documents vanish: $name',
    async ({ first = 'docs/*.md', files, gone, beside, isKept, isWhole = !isKept }) => {
      const { write, load, folder } = await loaded();
      write('more/m.md', '# More\n\nA stork flies.\n');
      if (beside !== undefined) write(beside, '# More\n\nA stork flies.\n');
      const named = (patterns: string) => gatewayFile().replace('files: docs/*.md', `files: ${patterns}`);
      write('gateway.yaml', named(first));
      const before = await load();
      write('gateway.yaml', named(files));
      for (const name of gone) rmSync(join(folder, name));
      const next = await load(before);
      expect(next.faultyParts).toEqual(isWhole ? [] : ['knowledge.handbook']);
      await next.knowledge.get('handbook')!.index.made;
      // Changed documents are indexed while those before are searched.
      await expect.poll(() => next.motifs.get('other')!.retrieve('heron')).toHaveLength(isKept ? 1 : 0);
    },
  );

  test.each([
    { name: 'the only document, of 0 bytes', emptied: { 'docs/a.md': '' }, isKept: true },
    { name: 'the only document, of blanks alone', emptied: { 'docs/a.md': '\ufeff \n\t\r\n' }, isKept: true },
    { name: 'both documents', beside: 'docs/b.md', emptied: { 'docs/a.md': '', 'docs/b.md': '\n' }, isKept: true },
    { name: 'one document of two', beside: 'docs/b.md', emptied: { 'docs/a.md': '' }, isKept: false },
  ])('keeps the knowledge where documents are emptied: $name', async ({ beside, emptied, isKept }) => {
    const { write, load, logged } = await loaded();
    if (beside !== undefined) write(beside, '# More\n\nA stork flies.\n');
    const before = await load();
    for (const [name, text] of Object.entries(emptied)) write(name, text);
    const next = await load(before);
    expect(next.faultyParts).toEqual(isKept ? ['knowledge.handbook'] : []);
    await next.knowledge.get('handbook')!.index.made;
    // They are indexed while those before are searched.
    await expect.poll(() => next.motifs.get('other')!.retrieve('heron')).toHaveLength(isKept ? 1 : 0);
    for (const name of Object.keys(emptied))
      expect(logged.join('\n')).toMatch(
        new RegExp(`warning: \\S+ knowledge\\.handbook\\.files leaves out ${name}: it holds no text`),
      );
    if (isKept) expect(logged.join('\n')).toContain('docs/*.md: no such file with text any more');
    write('docs/a.md', '# Herons\n\nTwo herons wait.\n');
    expect((await load(next)).faultyParts).toEqual([]);
  });

  test('has no knowledge at the start where no document is there, and does not call it a fault', async () => {
    const { load, folder } = await loaded();
    rmSync(join(folder, 'docs/a.md'));
    const first = await load();
    expect((await load(first)).faultyParts).toEqual([]);
  });

  test('knows documents of one name in several folders, and a document of several patterns once', async () => {
    const { write, load } = await loaded();
    write('docs/birds/a.md', '# Storks\n\nA stork flies.\n');
    write('gateway.yaml', gatewayFile().replace('docs/*.md', "[docs/**/*.md, 'docs/*/*.md']"));
    const { motifs, knowledge } = await load();
    const found = ['heron', 'stork'].map((word) =>
      motifs
        .get('other')!
        .retrieve(word)
        .map(({ source }) => source),
    );
    expect(found).toEqual([['a: Herons'], ['a: Storks']]);
    expect([...knowledge.get('handbook')!.documents.keys()]).toEqual(['docs/a.md', 'docs/birds/a.md']);
  });

  test('gives no prompts to a Motif whose new part never was good, and all to the others', async () => {
    const { write, again } = await loaded();
    write('gateway.yaml', gatewayFile({ policies: 'more: { kind: words, file: gone.txt }', other: ', more' }));
    const next = await again();
    expect([...next.motifs.keys()]).toEqual(['bot']);
    expect(next.faultyParts).toEqual(['policies.more.file']);
  });

  test.each([
    { name: 'nothing', isKept: true, change: {} },
    { name: 'another part', isKept: true, change: { 'words.txt': 'stork\n' } },
    { name: 'how many passages are given', isKept: true, change: {}, top: ', top: 1' },
    { name: 'a document', isKept: false, change: { 'docs/a.md': '# Storks\n\nA stork waits.\n' } },
    { name: 'the documents that there are', isKept: false, change: { 'docs/b.md': '# Storks\n\nA stork waits.\n' } },
  ])('makes its index anew only where a document has changed: $name', async ({ isKept, change, top = '' }) => {
    const { write, first, again } = await loaded();
    write('gateway.yaml', gatewayFile().replace('docs/*.md', `docs/*.md${top}`));
    for (const [file, text] of Object.entries(change)) write(file, text);
    const [before, after] = [first, await again()].map(({ knowledge }) => knowledge.get('handbook')!);
    expect(after!.index === before!.index).toBe(isKept);
    await after!.index.made;
    expect(after!.index.search('stork', 4).length > 0).toBe(!isKept);
    expect(after!.top).toBe(top === '' ? before!.top : 1);
  });

  test('warns of knowledge that matches no file, at the start too', async () => {
    const { write, logged, load } = await loaded();
    const isSaid = () =>
      logged.some((line) => /warning: .*knowledge\.handbook\.files names gone: no such file/.test(line));
    expect(isSaid()).toBe(false);
    write('gateway.yaml', gatewayFile().replace('docs/*.md', 'gone'));
    await load();
    expect(isSaid()).toBe(true);
  });

  test('says a warning once, and again only after it was gone', async () => {
    const { write, load, logged } = await loaded();
    const warned = () => logged.filter((line) => line.startsWith('warning: '));
    const open = `# moved\n${gatewayFile()}`;
    const first = warned();
    expect(first.join()).toMatch(/motifs\.bot has no policies/);
    write('gateway.yaml', open);
    await load(await load());
    expect(warned()).toEqual(first);
    write('gateway.yaml', open.replace('bot: { provider: mock,', 'bot: { provider: mock, policies: [listed],'));
    await load();
    write('gateway.yaml', open);
    await load();
    expect(warned().length).toBe(first.length + 1);
  });

  test('is refused whole where the gateway file itself is faulty', async () => {
    const { write, again } = await loaded();
    write('gateway.yaml', gatewayFile({ other: ', unknown' }));
    await expect(again()).rejects.toThrow('cannot be served as it is');
  });
});

test('a start is refused for a part that cannot be read', async () => {
  const { write, load } = await loaded();
  write('docs/a.md', utf16);
  await expect(load()).rejects.toThrow('UTF-16');
});

describe('links in the folder of the gateway file', () => {
  test.each([
    { name: 'a document', link: 'docs/a.md', to: '/etc/passwd' },
    { name: 'a folder of documents', link: 'docs', to: '/etc' },
    { name: 'a word list', link: 'words.txt', to: '../outside.txt' },
  ])('$name that leads out is not read', async ({ link, to }) => {
    const { write, load, folder } = await loaded();
    if (link === 'docs') write('gateway.yaml', gatewayFile().replace('docs/*.md', 'docs/passwd'));
    rmSync(join(folder, link), { recursive: true });
    writeFileSync(join(dirname(folder), 'outside.txt'), 'heron\n');
    symlinkSync(to, join(folder, link));
    const fault = await load().then(
      () => 'it was read',
      (error: MotifError) => [error.message, ...error.notes].join('\n'),
    );
    expect(fault).toContain('is a link that leads out of');
  });

  test('those of a Kubernetes ConfigMap are read, and so is what the next version of it holds', async () => {
    const { write, load, folder } = await loaded();
    for (const version of ['..v1', '..v2']) {
      write(`${version}/words.txt`, version === '..v1' ? 'heron\n' : 'stork\n');
      write(`${version}/a.md`, `# ${version}\n\nA heron waits.\n`);
    }
    symlinkSync('..v1', join(folder, '..data'));
    for (const [name, to] of [
      ['words.txt', '..data/words.txt'],
      ['docs/a.md', '../..data/a.md'],
    ] as const) {
      rmSync(join(folder, name));
      symlinkSync(to, join(folder, name));
    }
    expect(await judgedRules(await load(), 'heron, stork')).toEqual(['listed']);
    rmSync(join(folder, '..data'));
    symlinkSync('..v2', join(folder, '..data'));
    const next = await load();
    expect(await judgedRules(next, 'heron')).toEqual([]);
    expect(next.motifs.get('other')!.retrieve('heron waits')).toHaveLength(1);
  });
});
