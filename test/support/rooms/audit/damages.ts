import { expect } from 'vitest';
import { type Choose, isSeal, isWhole, numberOf, type WrittenLine } from './written-audit.ts';

/** A change that nobody but an attacker makes; undefined where there is nothing to change. */
type Damage = (files: WrittenLine[][], choose: Choose) => readonly WrittenLine[] | undefined;

function somewhere(files: WrittenLine[][], choose: Choose): { file: WrittenLine[]; at: number } | undefined {
  const places = files.flatMap((file) => file.map((_, at) => ({ file, at })));
  return places.length === 0 ? undefined : places[choose(places.length)];
}

export const damages: Readonly<Record<string, Damage>> = {
  'a removed line': (files, choose) => {
    const place = somewhere(files, choose);
    return place && place.file.splice(place.at, 1);
  },
  'several removed lines': (files, choose) => {
    const place = somewhere(files, choose);
    return place && place.file.splice(place.at, 1 + choose(6));
  },
  'a removed file': (files, choose) => (files.length < 2 ? undefined : files.splice(choose(files.length), 1)[0]),
  'a tail that was cut off': (files, choose) => {
    const place = somewhere(files, choose);
    return place && [...place.file.splice(place.at), ...files.splice(files.indexOf(place.file) + 1).flat()];
  },
  'a head that was cut off': (files, choose) => {
    const place = somewhere(files, choose);
    return place && [...files.splice(0, files.indexOf(place.file)).flat(), ...place.file.splice(0, place.at + 1)];
  },
  'a changed byte': (files, choose) => {
    const place = somewhere(files, choose);
    if (place === undefined) return undefined;
    const line = place.file[place.at]!;
    const at = choose(line.text.length);
    const other = line.text[at] === '1' ? '2' : '1';
    place.file[place.at] = { ...line, text: line.text.slice(0, at) + other + line.text.slice(at + 1) };
    return [line];
  },
  'a changed decision': (files, choose) => {
    const place = somewhere(files, choose);
    const line = place?.file[place.at];
    if (place === undefined || line?.text.includes('"decision":"pass"') !== true) return undefined;
    place.file[place.at] = { ...line, text: line.text.replace('"decision":"pass"', '"decision":"block"') };
    return [line];
  },
  'a line that stands twice': (files, choose) => {
    const [from, to] = [somewhere(files, choose), somewhere(files, choose)];
    if (from === undefined || to === undefined) return undefined;
    const line = from.file[from.at]!;
    // A seal may stand twice, because it is written again where the disk was full behind it.
    if (line.number === undefined) return undefined;
    to.file.splice(to.at, 0, line);
    return [line];
  },
  'a forged line': (files, choose) => {
    const place = somewhere(files, choose);
    const line = place?.file[place.at];
    if (place === undefined || line?.number === undefined) return undefined;
    const forged = line.text.replace('"user":"', '"user":"x').replace(/"line":\d+/, `"line":${1 + choose(20)}`);
    place.file.splice(place.at + choose(2), 0, { ...line, text: forged });
    return [{ ...line, text: forged, number: numberOf(forged) }];
  },
  'two lines of a writer that changed places': (files, choose) => {
    const [one, other] = [somewhere(files, choose), somewhere(files, choose)];
    const [first, second] = [one?.file[one.at], other?.file[other.at]];
    if (one === undefined || other === undefined || first === undefined || second === undefined) return undefined;
    if (first.text === second.text || first.writer !== second.writer) return undefined;
    // Torn lines are told by the command, and have no order.
    if (!isWhole(first) || !isWhole(second)) return undefined;
    one.file[one.at] = second;
    other.file[other.at] = first;
    return [first, second];
  },
  'an older copy in the place of a file': (files, choose) => {
    const [from, to] = [choose(files.length), choose(files.length)];
    const copy = files[from]!.slice(0, choose(files[from]!.length + 1));
    const gone = files.splice(to, 1, copy)[0]!;
    // Whatever else it holds stands twice, and is found where it is covered.
    return gone.filter((line) => !copy.includes(line));
  },
};

/** An audit that was damaged, and the lines that the damage hit. */
interface DamagedAudit {
  readonly name: string;
  readonly files: readonly (readonly WrittenLine[])[];
  readonly hit: readonly WrittenLine[];
}

/** Undefined where the damage found nothing that it could have hit. */
export function damagedBy(
  name: string,
  files: readonly (readonly WrittenLine[])[],
  choose: Choose,
): DamagedAudit | undefined {
  const changed = files.map((file) => [...file]);
  const hit = damages[name]!(changed, choose)?.filter(isWhole) ?? [];
  return hit.length === 0 ? undefined : { name, files: changed, hit };
}

/** True where lines of its writer still stand before this one, and a seal that was written behind it. */
function isCovered(line: WrittenLine, before: readonly WrittenLine[], after: readonly WrittenLine[]): boolean {
  const left = after.filter((each) => each.writer === line.writer && isWhole(each));
  const place = before.indexOf(line);
  const hasHead = left.some((each) => before.indexOf(each) < place);
  return hasHead && left.some((each) => isSeal(each.text) && before.indexOf(each) > place);
}

const notProvenOfWriter =
  /wrote before line|no seal is behind|others sealed behind|others did for longer|did not seal again|never sealed|cut off at its end/;

/** The words of a verification on a damaged audit. */
export interface Verdict {
  /** True where the command ends with 1. */
  readonly isRefused: boolean;
  readonly unproven: readonly string[];
}

/** A damage is found where a seal speaks of the line, and is else within what the verification says it cannot prove. */
export function expectNotProven(
  { name, files, hit, before }: DamagedAudit & { readonly before: readonly WrittenLine[] },
  alone: Verdict,
  withLog: Verdict,
): void {
  const after = files.flat();
  const told = (): string => `${name}\n${JSON.stringify({ hit, before, after, alone, withLog }, null, 1)}`;
  for (const line of hit) {
    const isLeft = after.some((each) => each.writer === line.writer && isWhole(each));
    if (isCovered(line, before, after)) expect(alone.isRefused, told()).toBe(true);
    if (alone.isRefused) continue;
    const ofWriter = ({ unproven }: Verdict): string => unproven.filter((each) => each.includes(line.writer)).join();
    if (isLeft) expect(ofWriter(alone), told()).toMatch(notProvenOfWriter);
    else expect(alone.unproven.join(), told()).toContain('or removed all lines of a process');
    // The log knows all that was sealed.
    const isSealed = before
      .slice(before.indexOf(line))
      .some((each) => isSeal(each.text) && isWhole(each) && each.writer === line.writer);
    if (withLog.isRefused || !isSealed) continue;
    if (isLeft) expect(ofWriter(withLog), told()).toMatch(/wrote before line/);
    expect(withLog.unproven.join(), told()).toMatch(/in the log.* was not given or is gone, or in another audit/);
  }
}
