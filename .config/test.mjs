/**
 * `npm test`: every test, and beside them the type check, the linter and the formatter, which count as one each.
 * Arguments are for vitest and leave the rest out (`npm test -- test/text`); `--quick` makes the fault runs short. The
 * last line is the sum, and the tests that failed stand before it.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const top = fileURLToPath(new URL('..', import.meta.url));
const isQuick = process.argv.includes('--quick');
const chosen = process.argv.slice(2).filter((arg) => arg !== '--quick');

const scripts = JSON.parse(readFileSync(join(top, 'package.json'), 'utf8')).scripts;
const checks = [
  { name: 'type check', line: scripts.types },
  { name: 'lint', line: scripts.lint },
  { name: 'format', line: `${scripts.format} --check` },
];

const isWhole = chosen.length === 0;
const parts = isWhole
  ? // At once, because the end-to-end tests mostly wait.
    [checkAll(), vitest('unit tests', ['--project', 'unit'], 'pipe'), vitest('e2e tests', ['--project', 'e2e'])]
  : [vitest('tests', chosen.includes('--project') ? chosen : [...chosen, '--project=!deep'])];
const results = (await Promise.all(parts)).flat();
for (const { name, output } of results) if (output !== '') console.log(`\n== ${name}\n${output.trim()}`);
console.log();
for (const { name, passed, failed, skipped } of results) {
  console.log(`${name.padEnd(12)}${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`);
}
for (const failure of results.flatMap(({ failures = [] }) => failures)) console.log(`failed: ${failure}`);
const failed = sum('failed');
console.log(`${sum('passed')} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

function sum(key) {
  return results.reduce((total, result) => total + result[key], 0);
}

/** One after the other beside the tests, which wait much; what they say is kept for the end. */
async function checkAll() {
  const done = [];
  for (const { name, line } of checks) {
    const { status, output } = await run('/bin/sh', ['-c', line], 'pipe');
    done.push({ name, output, passed: status === 0 ? 1 : 0, failed: status === 0 ? 0 : 1 });
  }
  return done;
}

async function vitest(name, args, stdio = 'inherit') {
  const folder = mkdtempSync(join(tmpdir(), 'motif-test-'));
  try {
    const file = join(folder, 'results.json');
    const reports = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
    const words = ['run', '--config', '.config/vitest.config.mjs', ...reports, ...args];
    const { status, output } = await run('vitest', words, stdio);
    return { name, output, ...countTests(file, status) };
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
    failures: files.filter(isFailed).flatMap(failuresOf),
  };
}

/** A line for each failed test of a file, or one for a file that could not be loaded. */
function failuresOf({ name, message, assertionResults }) {
  const tests = assertionResults.filter(isFailed);
  const words = tests.map(({ fullName, failureMessages }) => `${fullName}: ${failureMessages[0] ?? ''}`);
  return (words.length > 0 ? words : [message]).map((text) => `${relative(top, name)}: ${text.split('\n', 1)[0]}`);
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

/** `output` of `inherit` is the terminal's. */
async function run(command, args, output) {
  const env = {
    ...process.env,
    PATH: `${join(top, 'node_modules/.bin')}${delimiter}${process.env.PATH}`,
    ...(isQuick ? { MOTIF_TEST_QUICK: '1' } : {}),
  };
  const child = spawn(command, args, { cwd: top, env, stdio: [output === 'pipe' ? 'ignore' : output, output, output] });
  const parts = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part) => parts.push(part));
  const status = await new Promise((resolve) => {
    child.once('error', (error) => {
      console.error(`${command}: ${error.message}`);
      resolve(null);
    });
    child.once('close', resolve);
  });
  return { status, output: Buffer.concat(parts).toString() };
}
