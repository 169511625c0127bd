import { MotifError } from '../errors.ts';
import { promptBytesMax } from '../text/limits.ts';
import { closest } from '../text/similar.ts';
import { formatSize } from '../text/sizes.ts';

const hole = /\$\{([A-Za-z_][A-Za-z0-9_.-]*)\}/g;

/** The names in the holes of a template, as often as they stand there. */
export function templateNames(template: string): readonly string[] {
  return [...template.matchAll(hole)].map(([, name = '']) => name);
}

/** Replaces each `${name}` once; what a value holds is never looked at again, so data cannot inject a hole. */
export function fillTemplate(template: string, values: ReadonlyMap<string, string>, name: string): string {
  let length = template.length;
  return template.replace(hole, (whole, key: string, offset: number) => {
    const value = values.get(key);
    if (value !== undefined) {
      length += value.length - whole.length;
      // A few holes and a long value make a text of any size.
      if (length > promptBytesMax) {
        throw new MotifError('usage', `${name} grows over ${formatSize(promptBytesMax)} as it is filled`);
      }
      return value;
    }
    const line = template.slice(0, offset).split('\n').length;
    const near = closest(key, [...values.keys()]);
    throw new MotifError('usage', `${name}, line ${line}: there is no value for \${${key}}`, {
      hint:
        near === undefined
          ? `give one: --var ${key}=VALUE`
          : `did you mean \${${near}}? else give one: --var ${key}=VALUE`,
    });
  });
}

/** Words for each `--var` that has no hole in the template, most likely because one of the two is misspelled. */
export function unusedWords(template: string, values: ReadonlyMap<string, string>, name: string): readonly string[] {
  const names = [...new Set(templateNames(template))];
  return [...values.keys()]
    .filter((key) => !names.includes(key))
    .map((key) => {
      const near = closest(key, names);
      const meant = near === undefined ? '' : `; did you mean ${near}?`;
      return `--var ${key} is not used: ${name} has no \${${key}}${meant}`;
    });
}

/** Reads each `--var name=value`; a name given twice is a mistake. */
export function parseVariables(texts: readonly string[]): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const text of texts) {
    const [, key, value] = /^([A-Za-z_][A-Za-z0-9_.-]*)=(.*)$/s.exec(text) ?? [];
    if (key === undefined || value === undefined)
      throw new MotifError('usage', '--var takes name=value', { hint: '--var name=Ana' });
    if (values.has(key)) throw new MotifError('usage', `--var ${key} is given twice`);
    values.set(key, value);
  }
  return values;
}
