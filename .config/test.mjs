/**
 * `npm test`: the type check, the linter and the formatter count as one each, then every test. Arguments are for vitest
 * and leave the rest out (`npm test -- test/text`); `--quick` makes the fault runs short. The last line is the sum.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const top = fileURLToPath(new URL('..', import.meta.url));
const isQuick = process.argv.includes('--quick');
const chosen = process.argv.slice(2).filter((arg) => arg !== '--quick');

const checks = [
  { name: 'type check', args: ['types'] },
  { name: 'lint', args: ['lint'] },
  { name: 'format', args: ['format', '--', '--check'] },
];

const results = [
  ...(chosen.length > 0 ? [] : checks.map(check)),
  vitest(chosen.length > 0 ? chosen : ['--project', 'unit', '--project', 'e2e']),
];
console.log();
for (const { name, passed, failed, skipped } of results) {
  console.log(`${name.padEnd(12)}${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`);
}
const failed = sum('failed');
console.log(`${sum('passed')} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

function sum(key) {
  return results.reduce((total, result) => total + result[key], 0);
}

function check({ name, args }) {
  console.log(`\n== ${name}`);
  const isFine = run('npm', ['run', '--silent', ...args]) === 0;
  return { name, passed: isFine ? 1 : 0, failed: isFine ? 0 : 1 };
}

function vitest(args) {
  const folder = mkdtempSync(join(tmpdir(), 'motif-test-'));
  try {
    const file = join(folder, 'results.json');
    const reports = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
    const status = run(join(top, 'node_modules/.bin/vitest'), [
      'run',
      '--config',
      '.config/vitest.config.mjs',
      ...reports,
      ...args,
    ]);
    return { name: 'tests', ...countTests(file, status) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A file that could not be loaded has no failed test, and a run that broke has no report: both count as a failure. */
function countTests(file, status) {
  const report = readReport(file);
  const files = report?.testResults ?? [];
  const broken = files.filter((one) => one.status === 'failed' && !one.assertionResults.some(isFailed)).length;
  const counted = (report?.numFailedTests ?? 0) + broken;
  return {
    passed: report?.numPassedTests ?? 0,
    failed: counted === 0 && (status !== 0 || files.length === 0) ? 1 : counted,
    skipped: report ? report.numPendingTests + report.numTodoTests : 0,
  };
}

function isFailed({ status }) {
  return status === 'failed';
}

function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

function run(command, args) {
  const env = isQuick ? { ...process.env, MOTIF_TEST_QUICK: '1' } : process.env;
  const { status, error } = spawnSync(command, args, {
    cwd: top,
    env,
    stdio: 'inherit',
  });
  if (error) console.error(`${command}: ${error.message}`);
  return status;
}
