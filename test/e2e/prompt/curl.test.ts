import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { homeFor } from '../../support/servers/chat-service.ts';
import { start } from '../../support/processes/child.ts';
import { localService, type LocalService } from '../../support/servers/local-service.ts';
import { readWrittenText } from '../../support/texts/written-examples.ts';
import { testedNode } from '../../support/processes/program.ts';

const motif = fileURLToPath(new URL('../../../bin/motif.js', import.meta.url));
/** Shells that only some machines have. */
const otherShells = ['zsh', 'fish'].filter((shell) => spawnSync(shell, ['-c', 'true']).status === 0);
const hasCurl = spawnSync('curl', ['--version']).status === 0;

async function run(service: LocalService, args: readonly string[], input: string) {
  return await homeFor(service).motif(['prompt', ...args], { input });
}

/** The same by the built program. */
async function runProgram({ env }: LocalService, args: readonly string[], input: string) {
  return await start(testedNode, [motif, 'prompt', ...args], { env, input }).ended;
}

/** Typed text, beyond what any shell, printf or JSON writer would leave alone by luck. */
const texts: { name: string; text: string }[] = [
  { name: 'plain words', text: 'How long can I return a kettle?' },
  { name: 'single quotes', text: "it's 'quoted' ''twice''" },
  { name: 'double quotes and backslashes', text: '"a" \\" \\\\ \\n \\\\n \\u0041 \\' },
  { name: 'dollars', text: '$HOME ${HOME} $(id) $((1+1)) $1 $$ $MOTIF_TOKEN' },
  { name: 'backticks', text: '`id` ``` \\`' },
  { name: 'history, globs, braces, tildes', text: '!! !$ * ? [a-z] {a,b} ~ ~root # ; & | > < ( )' },
  { name: 'percent and printf', text: '%s %d %% %n' },
  { name: 'lines, tabs, CR', text: 'one\n\ttwo\r\nthree\n\n\nfour' },
  { name: 'control characters', text: '\u0001\u0007\b\u000b\f\u001b[2J\u007f\u0085\u009b2J' },
  { name: 'unicode', text: 'é ß 漢字 😀 👩\u200d👩\u200d👧 \u202eabc\u2028\u2029\ufeff\u{e0041}' },
  { name: 'an at sign at the start, which curl reads as a file', text: '@/etc/passwd' },
  { name: 'a dash at the start', text: '-X DELETE --data-raw x' },
  { name: 'a here-document mark', text: 'EOF\nEND\nMOTIF\n' },
  { name: '300 kB', text: `it's ${'300 kB of "text" with $signs\n'.repeat(10_000)}` },
];

/** Headers that both of them send; the rest belongs to the connection. */
function sent({ requests }: LocalService, index: number) {
  const { method, path, headers, body } = requests[index]!;
  const { host, connection: _connection, 'user-agent': _agent, ...rest } = headers;
  return { method, path, headers: { host, ...rest }, body: body.toString('latin1') };
}

describe.runIf(hasCurl || process.env.CI)('the example of the page on the HTTP API', () => {
  const command = readWrittenText('src/manual/http-api.md').blocks[0]?.text ?? '';
  const tenantIn = (headers: Readonly<Record<string, unknown>>) => headers['x-service-tenant-id'];
  const facts = (service: LocalService, index: number) => {
    const { method, path, headers, body } = sent(service, index);
    const { authorization, 'content-type': type } = headers;
    return { method, path, authorization, type, tenant: tenantIn(headers), body };
  };

  test.each([
    { tenant: 'acme-7f3a', args: ['--tenant', 'acme-7f3a'] },
    { tenant: undefined, args: [] },
  ])('sends what motif sends, tenant $tenant', async ({ tenant, args }) => {
    const service = await localService();
    const env = { ...service.env, ...(tenant !== undefined && { MOTIF_TENANT_ID: tenant }) };
    expect((await start('sh', ['-c', command], { env, input: '' }).ended).code).toBe(0);
    expect((await run(service, ['Opening hours?', ...args], '')).code).toBe(0);
    expect(facts(service, 0)).toEqual(facts(service, 1));
    expect(facts(service, 0).tenant).toBe(tenant);
  });
});

describe.runIf(hasCurl || process.env.CI)('a --curl line, pasted into a shell where curl is installed', () => {
  test.each(texts.flatMap(({ name, text }) => ['sh', 'bash'].map((shell) => ({ name, text, shell }))))(
    '$name, in $shell: sends what motif sends',
    async ({ text, shell }) => {
      const service = await localService();
      const args = ['--tenant', "acme's$1`x`", '-s', "Don't `guess`"];
      const line = await run(service, [...args, '--curl'], text);
      expect(line).toMatchObject({ code: 0, stderr: '' });
      expect(line.stdout).not.toContain(service.env.MOTIF_TOKEN);
      expect(service.requests).toEqual([]);
      const pasted = await start(shell, [], { env: service.env, input: line.stdout }).ended;
      expect(pasted).toMatchObject({ code: 0, stderr: '' });
      expect(JSON.parse(pasted.stdout)).toMatchObject({ blocked: false });
      expect(await run(service, args, text)).toMatchObject({ code: 0 });
      expect(service.requests).toHaveLength(2);
      expect(sent(service, 0)).toEqual(sent(service, 1));
      expect(sent(service, 0).headers.authorization).toBe(`Bearer ${service.env.MOTIF_TOKEN}`);
    },
  );

  test.each(otherShells)('all of it at once, in %s: sends what motif sends', async (shell) => {
    const service = await localService();
    const text = texts.map((each) => each.text.slice(0, 200)).join('\n');
    const line = await runProgram(service, ['--curl'], text);
    const pasted = await start(shell, ['-c', line.stdout], { env: service.env, input: '' }).ended;
    expect(pasted).toMatchObject({ code: 0, stderr: '' });
    expect(await runProgram(service, [], text)).toMatchObject({ code: 0 });
    expect(sent(service, 0)).toEqual(sent(service, 1));
  });
});

test.each(texts)('--dry-run shows the body that is sent: $name', async ({ text }) => {
  const service = await localService();
  const shown = await run(service, ['--dry-run', '--json'], text);
  expect(shown).toMatchObject({ code: 0, stderr: '' });
  expect(shown.stdout).not.toContain(service.env.MOTIF_TOKEN);
  expect(service.requests).toEqual([]);
  await run(service, [], text);
  const { body } = JSON.parse(shown.stdout) as { body: unknown };
  expect(body).toEqual(JSON.parse(service.requests[0]?.body.toString() ?? ''));
});
