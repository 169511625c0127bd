/**
 * What every npm script stands on: dependencies as the lockfile has them, `dist/` as the sources have it. Needs nothing
 * but Node, does nothing when there is nothing to do, and says what it does on stderr, so that stdout stays the
 * caller's.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const top = fileURLToPath(new URL('..', import.meta.url));

if (!isInstalled()) install();
const inputs = hashInputs();
if (builtFrom() !== inputs) {
  process.stderr.write('motif: building dist/\n');
  const { build } = await import('./build.mjs');
  await build(top, inputs);
}

/** `npm install --omit=dev` leaves a fresh list behind but no bundler, hence the second look. */
function isInstalled() {
  const list = join(top, 'node_modules/.package-lock.json');
  if (!existsSync(list) || !existsSync(join(top, 'node_modules/rolldown'))) return false;
  return statSync(list).mtimeMs >= statSync(join(top, 'package-lock.json')).mtimeMs;
}

/**
 * Never `npm install`, which may rewrite the lockfile. No dependency has an install script, and without scripts the
 * `prepare` that may be calling us is not called again. It empties the folder first, through a link as well.
 */
function install() {
  if (lstatSync(join(top, 'node_modules'), { throwIfNoEntry: false })?.isSymbolicLink()) {
    throw new Error('node_modules is a link to another tree, which npm ci would empty; remove the link');
  }
  process.stderr.write('motif: installing the locked dependencies (npm ci)\n');
  const npm = process.env.npm_execpath?.endsWith('npm-cli.js') ? [process.execPath, process.env.npm_execpath] : ['npm'];
  const [command, ...args] = [...npm, 'ci', '--include=dev', '--ignore-scripts', '--no-audit', '--no-fund'];
  const { status, error } = spawnSync(command, args, { cwd: top, env: innerEnv(), stdio: ['ignore', 2, 2] });
  if (status === 0) return;
  throw new Error(`npm ci failed${error ? `: ${error.message}` : ` with status ${status}`}; its words are above`);
}

/** Inside `npm install -g .` or `npm pack --dry-run` the outer npm's own flags would be obeyed by the inner one too. */
function innerEnv() {
  const outer = /^npm_config_(global|location|prefix|local_prefix|dry_run|omit|include|package_lock.*|workspaces?)$/i;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !outer.test(name)));
}

function hashInputs() {
  const sources = readdirSync(join(top, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'README.md')
    .map((entry) => join(entry.parentPath, entry.name));
  const hash = createHash('sha256');
  for (const file of [
    ...sources.sort(),
    ...['package.json', 'package-lock.json', '.config/build.mjs', '.config/text-files.mjs'].map(inTop),
  ]) {
    hash
      .update(`${file.slice(top.length)}\0`)
      .update(readFileSync(file))
      .update('\0');
  }
  return hash.digest('hex');
}

function inTop(path) {
  return join(top, path);
}

function builtFrom() {
  try {
    return JSON.parse(readFileSync(join(top, 'dist/graph.json'), 'utf8')).inputs;
  } catch {
    return undefined;
  }
}
