import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const cache = fileURLToPath(new URL('../../node_modules/.cache/nodes/', import.meta.url));

/**
 * The path of a Node of that version, which may be a major alone: this one, one fetched before, or one from the
 * registry; undefined if none of them.
 */
export function nodeOf(version) {
  if (`${process.versions.node}.`.startsWith(`${version}.`)) return process.execPath;
  const folder = join(cache, String(version));
  const name = `node-${process.platform}-${process.arch}`;
  const node = join(folder, 'node_modules', name, 'bin/node');
  if (!existsSync(node)) {
    mkdirSync(folder, { recursive: true });
    const args = ['install', '--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts', `${name}@${version}`];
    spawnSync('npm', args, { cwd: folder, stdio: 'ignore', timeout: 180_000 });
  }
  return existsSync(node) && spawnSync(node, ['--version']).status === 0 ? node : undefined;
}
