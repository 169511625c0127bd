import { accessSync, constants } from 'node:fs';

/**
 * The reason to skip a test that needs these programs; undefined where all are installed. On CI a missing program fails
 * the test instead.
 */
export function missingPrograms(...programs: readonly string[]): string | undefined {
  const missing = programs.filter((program) => !isInstalled(program));
  return missing.length === 0 || process.env.CI === 'true' ? undefined : `needs ${missing.join(' and ')}`;
}

function isInstalled(program: string): boolean {
  const folders = (process.env.PATH ?? '').split(':');
  return folders.some((folder) => {
    try {
      accessSync(`${folder}/${program}`, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
