/**
 * Runs the built program on the oldest Node that is promised and on each major since: the gateway, pipes, signals, login,
 * a chat, prompts over http and https, proxies, certificates and what goes wrong. The tests themselves stay on this
 * Node. The last line is the sum; a Node that cannot be had is skipped, but fails where CI=true.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { nodeOf } from '../bench/node-versions.mjs';

const top = fileURLToPath(new URL('../..', import.meta.url));
const versions = ['20.18.1', '20', '22', '24', '26'];
const files = [
  'chat/stories',
  'chat/terminal',
  'module-graph',
  'serve',
  'login/files',
  'login/terminal',
  'prompt/signals',
  'prompt/stdin',
  'peers/certificates',
  'peers/proxies',
  'peers/timings',
].map((name) => `test/e2e/${name}.test.ts`);

const total = { passed: 0, failed: 0 };
for (const version of versions) {
  const { passed, failed, line } = run(version);
  console.log(line);
  total.passed += passed;
  total.failed += failed;
}
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed > 0 ? 1 : 0;

function run(version) {
  const node = nodeOf(version);
  if (!node) {
    const isCi = process.env.CI === 'true';
    const why = 'no binary of it here nor from the registry';
    return { passed: 0, failed: isCi ? 1 : 0, line: `Node ${version}: ${isCi ? 'failed' : 'skipped'}, ${why}` };
  }
  const startedAt = Date.now();
  const { stdout, stderr } = spawnSync(process.execPath, ['.config/test.mjs', '--project', 'e2e', ...files], {
    cwd: top,
    env: { ...process.env, MOTIF_TEST_NODE: node },
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const [, sum, ...counts] = /^((\d+) passed, (\d+) failed)\s*$/.exec(stdout.trim().split('\n').at(-1)) ?? [];
  const [passed, failed] = sum === undefined ? [0, 1] : counts.map(Number);
  if (failed > 0) console.log(stdout + stderr);
  const name = spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim();
  const seconds = Math.round((Date.now() - startedAt) / 1000);
  return { passed, failed, line: `Node ${name}: ${sum ?? 'the tests did not run'} (${seconds} s)` };
}
