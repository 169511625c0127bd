import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';

interface LockedPackage {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly hasInstallScript?: boolean;
  readonly optional?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest;
const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, LockedPackage> };
const locked = Object.entries(lock.packages).filter(([path]) => path !== '');

function pathsWhere(isOdd: (entry: LockedPackage) => boolean): readonly string[] {
  return locked.filter(([, entry]) => isOdd(entry)).map(([path]) => path);
}

test('every dependency is one exact version, and none is left for a user to install', () => {
  const loose = Object.entries(manifest.devDependencies).filter(([, range]) => !/^\d+\.\d+\.\d+$/.test(range));
  expect(loose).toEqual([]);
  expect(manifest.dependencies).toBeUndefined();
});

test('no dependency runs a script when it is installed, and no setting switches off our own', () => {
  expect(pathsWhere((entry) => entry.hasInstallScript === true)).toEqual([]);
  expect(existsSync('.npmrc')).toBe(false);
});

test('every locked package is pinned by its sha512, wherever it comes from', () => {
  expect(pathsWhere((entry) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(entry.integrity ?? ''))).toEqual([]);
  expect(pathsWhere((entry) => entry.resolved !== undefined)).toEqual([]);
});

test('the lockfile is whole, for npm ci refuses one that misses a binary for another platform', () => {
  const missing = locked.flatMap(([path, entry]) =>
    Object.keys({ ...entry.dependencies, ...entry.optionalDependencies })
      .filter((name) => !resolves(path, name))
      .map((name) => `${path} needs ${name}`),
  );
  expect(missing).toEqual([]);
});

test('the tree grows only on purpose', () => {
  const always = pathsWhere((entry) => entry.optional !== true);
  expect(locked.length).toBeLessThanOrEqual(200);
  expect(always.length).toBeLessThanOrEqual(100);
});

test('no source holds a character that shows something else than it says', () => {
  const invisible = /[\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/u;
  const sources = ['src', 'test', 'bin', '.config', '.ci'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.parentPath.includes('fixtures'))
      .map((entry) => relative('.', join(entry.parentPath, entry.name))),
  );
  expect(sources).toContain('src/errors.ts');
  expect(sources.filter((path) => invisible.test(readFileSync(path, 'utf8')))).toEqual([]);
});

/** As Node looks for it: beside the package's own dependencies first, then in each folder above. */
function resolves(from: string, name: string): boolean {
  for (let folder = from; ; folder = folder.slice(0, folder.lastIndexOf('node_modules') - 1)) {
    if (`${folder}/node_modules/${name}` in lock.packages) return true;
    if (!folder.includes('/node_modules/')) return `node_modules/${name}` in lock.packages;
  }
}
