import { renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ask, fileOf, gatewayProcess } from '../support/servers/gateway-process.ts';

const file = fileOf({
  top: 'knowledge: { handbook: { files: docs-*.md, top: 1 } }',
  motif: '    knowledge: [handbook]\n',
  mock: ', mode: quote',
});

/** A document is found within the time that a pattern needs; a busy machine may take several times that. */
const patient = { timeout: 20_000, interval: 100 };

test.each([1, 2])(
  'documents that come, change and go are what is quoted, without a restart (%i workers)',
  async (workers) => {
    const text = file.replace('port: 0', `port: 0, workers: ${workers}`);
    const gateway = await gatewayProcess(text, { files: { 'docs-tea.md': '# Tea\nTea wants hot water.\n' } });
    const at = (name: string) => join(gateway.folder, name);
    /** Several requests, so that every worker gets one. */
    const quotes = async (question: string) => {
      const answers = await Promise.all(Array.from({ length: 4 * workers }, () => ask(gateway.port, question)));
      return [...new Set(answers.map(({ json }) => String(json.response)))];
    };
    expect(await quotes('tea?')).toEqual([expect.stringContaining('Tea wants hot water.')]);
    const unknown = await quotes('coffee?');

    writeFileSync(at('docs-coffee.md'), '# Coffee\nCoffee wants a filter.\n');
    await expect.poll(() => quotes('coffee?'), patient).toEqual([expect.stringContaining('Coffee wants a filter.')]);

    writeFileSync(at('docs-coffee.md'), '# Coffee\nCoffee wants a press.\n');
    await expect.poll(() => quotes('coffee?'), patient).toEqual([expect.stringContaining('Coffee wants a press.')]);

    writeFileSync(at('new'), '# Coffee\nCoffee wants a mill.\n');
    renameSync(at('new'), at('docs-coffee.md'));
    await expect.poll(() => quotes('coffee?'), patient).toEqual([expect.stringContaining('Coffee wants a mill.')]);

    unlinkSync(at('docs-coffee.md'));
    await expect.poll(() => quotes('coffee?'), patient).toEqual(unknown);
    expect(await quotes('tea?')).toEqual([expect.stringContaining('Tea wants hot water.')]);
    expect(gateway.log().filter(({ level }) => level === 'error')).toEqual([]);
  },
);

test('a document that is no text leaves the knowledge as it was, and is named', async () => {
  const gateway = await gatewayProcess(file, { files: { 'docs-tea.md': '# Tea\nTea wants hot water.\n' } });
  writeFileSync(join(gateway.folder, 'docs-bad.md'), Uint8Array.of(0x61, 0xff, 0xfe));
  const told = await gateway.logged('a part of the gateway file is faulty');
  expect(String(told.reason)).toContain('docs-bad.md');
  expect(String((await ask(gateway.port, 'tea?')).json.response)).toContain('Tea wants hot water.');
});

test('documents that all vanish stay what is quoted until some are back, and are named', async () => {
  const gateway = await gatewayProcess(file, { files: { 'docs-tea.md': '# Tea\nTea wants hot water.\n' } });
  renameSync(join(gateway.folder, 'docs-tea.md'), join(gateway.folder, 'tea.md'));
  const told = await gateway.logged('a part of the gateway file is faulty');
  expect(told).toMatchObject({ part: 'knowledge.handbook' });
  expect(String(told.reason)).toContain('docs-*.md: no such file with text any more');
  expect(String((await ask(gateway.port, 'tea?')).json.response)).toContain('Tea wants hot water.');
  writeFileSync(join(gateway.folder, 'docs-new.md'), '# Tea\nTea wants a pot.\n');
  await gateway.logged('a part of the gateway file is good again');
  // The documents before are quoted until the new ones are indexed.
  await expect
    .poll(async () => String((await ask(gateway.port, 'tea?')).json.response), { timeout: 10_000 })
    .toContain('Tea wants a pot.');
  // A file that is seen while it is written is read once more.
  await expect
    .poll(() => gateway.log())
    .toContainEqual(
      expect.objectContaining({
        message: 'the gateway file was read again',
        new: ['document docs-new.md of handbook'],
        gone: ['document docs-tea.md of handbook'],
      }),
    );
});

test.each([1, 2])('what stands in the audit or the gateway file answers nobody (%i workers)', async (workers) => {
  const text = `${file.replace('docs-*.md', "'*'").replace('port: 0', `port: 0, workers: ${workers}`)}audit: { file: audit.jsonl, text: true }\n`;
  const gateway = await gatewayProcess(text, {
    files: {
      'docs-tea.md': '# Tea\nTea wants hot water.\n',
      'audit.jsonl.1': '{"kind":"prompt","messages":"the pangolin of another Motif"}\n',
    },
  });
  for (const question of ['pangolin?', 'knowledge handbook files top?', 'pangolin?']) {
    const quoted = String((await ask(gateway.port, question)).json.response);
    expect(quoted).not.toMatch(/another Motif|prompt_id|top: 1/);
  }
  expect(String((await ask(gateway.port, 'tea?')).json.response)).toContain('Tea wants hot water.');
});
