import type { Spot } from '../../documents/spot.ts';
import { defuseLine } from '../../text/defuse.ts';
import { fileRemedy } from '../../text/file-remedies.ts';
import { Secret } from '../../text/secret.ts';

const placeholder = /\$\{([^}]*)\}/g;

/** Places for four sorts of remarks: faults of the file, of files that it names, warnings, and missing secrets. */
export interface Spots {
  readonly spot: Spot;
  readonly named: Spot;
  readonly warn: Spot;
  readonly missing: Spot;
}

export function spotsAt({ spot, named, warn, missing }: Spots, ...path: readonly (string | number)[]): Spots {
  return { spot: spot.at(...path), named: named.at(...path), warn: warn.at(...path), missing: missing.at(...path) };
}

/** The sources of secrets and of files that the gateway file names; a reader's fault follows the file's name. */
export interface Sources {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Text of a file, its path from the folder of the gateway file. Rejects with an Error that says what is wrong. */
  readonly readFile: (path: string) => Promise<string>;
  /** The same, through no link that leads out of that folder. */
  readonly readInside: (path: string) => Promise<string>;
}

const fileMark = 'file:';

/** The variables and files that texts name by `${VARIABLE}` and `${file:PATH}`. */
export function namedIn(texts: readonly string[]): Record<'variables' | 'files', readonly string[]> {
  const names = texts.flatMap((text) => [...text.matchAll(placeholder)].map((match) => match[1]!));
  return {
    variables: names.filter((name) => !name.startsWith(fileMark)),
    files: names.filter((name) => name.startsWith(fileMark)).map((name) => name.slice(fileMark.length)),
  };
}

interface Resolved {
  readonly secret: Secret;
  /** True where the file holds the secret itself. */
  readonly isPlain: boolean;
  /** The place for faults of the secret: a fault of the file only where that holds it. */
  readonly spot: Spot;
}

/**
 * Puts `${VARIABLE}` and `${file:PATH}` in place, once: what comes out of one is not looked into again. Undefined after
 * `missing` was told what is not there.
 */
export async function resolveSecret(
  text: string,
  sources: Sources,
  { spot, named, missing }: Pick<Spots, 'spot' | 'named' | 'missing'>,
): Promise<Resolved | undefined> {
  const names = [...text.matchAll(placeholder)].map((match) => match[1]!);
  const odd = names.find((name) => !/^(file:.+|[A-Za-z_][A-Za-z0-9_]*)$/.test(name));
  if (odd !== undefined) return spot.fault('must name a variable, as ${NAME}, or a file, as ${file:PATH}');
  const values = new Map<string, string>();
  for (const name of names) {
    const value = name.startsWith(fileMark)
      ? await readSecretFile(name.slice(fileMark.length), sources, { named, missing })
      : readVariable(name, sources, missing);
    if (value === undefined) return undefined;
    values.set(name, value);
  }
  const whole = text.replace(placeholder, (_, name: string) => values.get(name) ?? '');
  const isPlain = names.length === 0;
  const own = isPlain ? spot : named;
  if (!/^[\x20-\x7e]+$/.test(whole)) return own.fault('must be printable ASCII once its secrets are in place');
  return { secret: new Secret(whole), isPlain, spot: own };
}

function readVariable(name: string, { env }: Sources, missing: Spot): string | undefined {
  const value = env[name];
  if (value !== undefined && value !== '') return value;
  return missing.fault(`needs the variable ${name}, which is not set: export it`);
}

/** A file that is not on this machine, or is another user's, is missing; one of no use to anybody is faulty. */
async function readSecretFile(
  path: string,
  { readFile }: Sources,
  { named, missing }: Pick<Spots, 'named' | 'missing'>,
): Promise<string | undefined> {
  try {
    const text = (await readFile(path)).trim();
    return text === '' ? named.fault(`needs a secret from ${defuseLine(path)}, which is empty`) : text;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const isElsewhere = code === 'ENOENT' || fileRemedy(code) === 'owner';
    return (isElsewhere ? missing : named).fault(`needs a secret from ${fileWords(path, error)}`);
  }
}

/** Why a file that is named cannot be read. */
export function fileWords(path: string, error: unknown): string {
  return `${defuseLine(path)}: ${error instanceof Error ? error.message : 'it cannot be read'}`;
}
