/**
 * Measures what motif costs to start, against bare Node and HTTPie, in user and system time. Figures are reported, and
 * only one far over its goal is called failed, in its cheapest run too: what else a machine does only adds to a run.
 * Ends with 1 only when something could not be measured.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { medians } from './cpu.mjs';
import { nodeOf } from './node-versions.mjs';

const top = fileURLToPath(new URL('../..', import.meta.url));
const motif = join(top, 'bin/motif.js');
const token = 'bench-token-0123456789';
const packedBytesMax = 1_500_000;
/**
 * Node 20 reads NODE_EXTRA_CA_CERTS at every start, Node 24 only when it is wanted. Where that names a usual bundle, as
 * where the goals were set, a bare start of Node 20 costs three times what it costs elsewhere, so that the same program
 * has twice the ratio without it. A row that is called failed is further over its goal than that and the noise of a
 * machine explain.
 */
const farOver = { 20: process.env.NODE_EXTRA_CA_CERTS ? 1.5 : 2.2, 24: 2.2 };

const rows = [
  { what: '--version', of: 'version', against: 'bare', goal: 1.25 },
  { what: '--help', of: 'help', against: 'bare', goal: 1.25 },
  { what: 'prompt, stored profile', of: 'profile', against: 'bare', goal: 2 },
  { what: 'prompt, all from the environment', of: 'environment', against: 'bare', goal: 2 },
  { what: 'prompt, stored profile', of: 'profile', against: 'http', goal: 0.7 },
  { what: 'prompt, all from the environment', of: 'environment', against: 'http', goal: 0.7 },
];

const rounds = process.argv.includes('--quick') ? 9 : 31;
const folder = mkdtempSync(join(tmpdir(), 'motif-bench-'));
const standIn = spawn(process.execPath, [fileURLToPath(new URL('stand-in.mjs', import.meta.url))]);
const tally = { passed: 0, failed: 0 };
try {
  const [port] = await standIn.stdout.take(1).toArray();
  const address = `http://127.0.0.1:${String(port).trim()}/api/v1/apps/bench`;
  const env = bareEnvironment();
  logIn(address, env);
  console.log(`${'what'.padEnd(34)}${'against'.padEnd(9)}${'CPU ms'.padStart(14)}${'ratio'.padStart(8)}   goal`);
  for (const major of [20, 24]) measure(major, address, env);
  reportPackage();
} finally {
  standIn.stdin.end();
  rmSync(folder, { recursive: true, force: true });
}
console.log(`${tally.passed} passed, ${tally.failed} failed`);

/** What Node itself reads as it is here; nothing of the caller's settings or colours, and files that go away. */
function bareEnvironment() {
  const { PATH, NODE_EXTRA_CA_CERTS } = process.env;
  const places = { HOME: folder, XDG_CONFIG_HOME: folder, XDG_STATE_HOME: folder, TMPDIR: folder };
  console.log(`NODE_EXTRA_CA_CERTS is ${NODE_EXTRA_CA_CERTS ? 'set, which makes Node 20 slow to start' : 'not set'}`);
  return { PATH, ...places, ...(NODE_EXTRA_CA_CERTS && { NODE_EXTRA_CA_CERTS }) };
}

function logIn(address, env) {
  const args = [motif, 'login', address, '--token-stdin', '--token-store', 'file'];
  const { status, stderr } = spawnSync(process.execPath, args, { env, input: `${token}\n`, encoding: 'utf8' });
  if (status !== 0) console.log(`could not store a profile (status ${status}): ${stderr.trim()}`);
}

function measure(major, address, env) {
  const node = nodeOf(major);
  if (!node) return console.log(`Node ${major}: skipped, no binary of it here nor from the registry`);
  const empty = join(folder, 'empty.cjs');
  writeFileSync(empty, '');
  const settings = { MOTIF_URL: address, MOTIF_TOKEN: token, XDG_CONFIG_HOME: join(folder, 'none') };
  const prompt = [node, motif, 'prompt', 'hi'];
  const commands = {
    bare: { command: [node, empty], env },
    version: { command: [node, motif, '--version'], env },
    help: { command: [node, motif, '--help'], env },
    profile: { command: prompt, env },
    environment: { command: prompt, env: { ...env, ...settings } },
    ...httpie(address, env),
  };
  const { medianMs, leastMs, faults } = medians(commands, rounds);
  console.log(`Node ${spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim()}, medians of ${rounds} runs`);
  for (const [name, reason] of faults) console.log(`could not measure ${name}: ${reason}`);
  if (!commands.http) console.log('no http (HTTPie) on this machine: not compared with it');
  for (const row of rows) if (row.against in commands) reportRatio(row, medianMs, leastMs, farOver[major]);
}

/** The same POST, for whoever has HTTPie; it may not read the closed stdin as a body. */
function httpie(address, env) {
  const http = process.env.PATH.split(delimiter).map((place) => join(place, 'http'));
  const found = http.find((path) => spawnSync(path, ['--version']).status === 0);
  const messages = 'messages:=[{"role":"user","content":"hi"}]';
  const bearer = `Authorization:Bearer ${token}`;
  return found
    ? { http: { command: [found, '--ignore-stdin', 'POST', `${address}/prompts`, bearer, messages], env } }
    : {};
}

function reportRatio({ what, of, against, goal }, medianMs, leastMs, far) {
  if (medianMs[of] === null || medianMs[against] === null) return report(what, against, 'not measured', NaN, goal);
  const figures = `${medianMs[of].toFixed(0)} / ${medianMs[against].toFixed(0)}`;
  const least = leastMs[of] / leastMs[against];
  report(what, against, figures, medianMs[of] / medianMs[against], goal, far, least);
}

function reportPackage() {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const { stdout } = spawnSync('npm', args, { cwd: top, encoding: 'utf8' });
  const bytes = JSON.parse(stdout)[0].size;
  report('packed tarball', '1.5 MB', `${(bytes / 1000).toFixed(0)} kB`, bytes / packedBytesMax, 1);
}

function report(what, against, figures, ratio, goal, far = 1, leastRatio = ratio) {
  const isFar = !(leastRatio <= goal * far);
  const verdict = ratio <= goal ? 'ok' : isFar ? `far over (more than ${far} of the goal)` : 'over';
  tally[isFar ? 'failed' : 'passed'] += 1;
  if (Number.isNaN(ratio)) process.exitCode = 1;
  const cells = [what.padEnd(34), against.padEnd(9), figures.padStart(14), ratio.toFixed(2).padStart(8)];
  console.log(`${cells.join('')}   ${goal.toFixed(2)}  ${verdict}`);
}
