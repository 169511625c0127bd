import { accessSync, constants } from 'node:fs';

/**
 * Why a test that needs these programs cannot run here, to be shown where it is skipped. On CI none may be skipped:
 * there a program that is missing fails its test.
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
