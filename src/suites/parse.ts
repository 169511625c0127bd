import { type DocumentFault, faultsMax } from '../documents/fault.ts';
import { Spot } from '../documents/spot.ts';
import { loadYaml } from '../documents/load-yaml.ts';
import type { Yaml } from '../documents/quick-yaml.ts';
import { MotifError } from '../errors.ts';
import { fillTemplate, MissingValue } from '../messages/template.ts';
import { isFields } from '../text/json/json.ts';
import type { Case } from './case.ts';
import { type CaseDefaults, isBelow, toCase } from './cases.ts';
import { casesMax, noteId, type ParsedSuite, suiteBytesMax, type SuiteFiles, tooMany, toOutcome } from './parsing.ts';
import { caseShape, suiteShape, type WrittenCase, type WrittenEntry } from './suite-shape.ts';

/** Reads a suite whole: everything that is wrong with it is found at once, and nothing of it is asked before. */
export async function parseSuite(text: string, file: string, files: SuiteFiles): Promise<ParsedSuite> {
  const yaml = await loadYaml(text, file, { bytesMax: suiteBytesMax });
  const { spot, faults } = Spot.top({ file, at: yaml.at });
  const written = yaml.value === undefined || yaml.value === null ? undefined : suiteShape.read(yaml.value, spot);
  if (written === undefined) return { suite: undefined, faults: faultsOf(file, yaml, faults) };
  const defaults = { ...written.defaults, ...(written.motif !== undefined && { motif: written.motif }) };
  const reader = new CaseReader(file, files, defaults, yaml);
  for (const entry of written.cases) await reader.add(entry, spot.at('cases', entry.index));
  if (reader.cases.length + faults.length + reader.faults.length === 0) spot.fault('has no cases');
  const all = [...yaml.faults, ...faults, ...reader.faults].sort((one, other) => one.line - other.line);
  const suite = { name: written.name ?? file, file, cases: reader.cases };
  return all.length > 0 ? { suite: undefined, faults: all.slice(0, faultsMax) } : { suite, faults: [] };
}

function faultsOf(file: string, { faults }: Yaml, found: readonly DocumentFault[]): readonly DocumentFault[] {
  const all = [...faults, ...found];
  const empty = { file, line: 1, column: 1, path: '', expected: 'the file is empty: it needs cases' };
  return all.length > 0 ? all : [empty];
}

/** Collects the cases of a suite, those of rows among them. */
class CaseReader {
  readonly cases: Case[] = [];
  readonly faults: DocumentFault[] = [];
  readonly #ids = new Map<string, number>();
  readonly #file: string;
  readonly #files: SuiteFiles;
  readonly #defaults: Partial<CaseDefaults>;
  readonly #yaml: Yaml;

  constructor(file: string, files: SuiteFiles, defaults: Partial<CaseDefaults>, yaml: Yaml) {
    this.#file = file;
    this.#files = files;
    this.#defaults = defaults;
    this.#yaml = yaml;
  }

  async add(entry: WrittenEntry, spot: Spot): Promise<void> {
    if (this.cases.length >= casesMax) throw tooMany(this.#file);
    const { line } = this.#yaml.at(['cases', entry.index]);
    if (entry.each === undefined) await this.#addCase(entry.written, { file: this.#file, line }, spot);
    else await this.#addRows(entry, spot);
  }

  async #addCase(written: WrittenCase, place: { file: string; line: number }, spot: Spot): Promise<void> {
    const parts = { spot, files: this.#files };
    const named = { ...place, number: this.cases.length + 1, motifAt: this.#motifAt(written, spot) };
    const made = await toCase(written, this.#defaults, named, parts);
    if (made === undefined) return;
    noteId(made, this.#ids, spot);
    this.cases.push(made);
  }

  /** The line of the case or of the suite that names the Motif. */
  #motifAt({ motif }: WrittenCase, spot: Spot): Case['motifAt'] {
    if (motif === undefined && this.#defaults.motif === undefined) return undefined;
    const { line } = this.#yaml.at(motif === undefined ? ['motif'] : [...spot.path, 'motif']);
    return { file: this.#file, line };
  }

  /** The faults of the first row that has some are told: those of the others would be the same. */
  async #addRows({ each, template, index }: WrittenEntry & { each: string }, spot: Spot): Promise<void> {
    if (!isBelow(each)) return spot.at('each').fault("must stay below the suite's folder");
    if (isFields(template.answer) && template.answer.command !== undefined)
      return spot.at('answer', 'command').fault('is not run for cases that are made of rows');
    const file = this.#files.shownName(each);
    for await (const { line, values } of this.#files.readRows(each)) {
      const at = this.#yaml.at(['cases', index]);
      const row = Spot.top({ file: this.#file, at: () => at });
      const inRow = row.spot.at('cases', index);
      const filled = fillRow(template, values, inRow);
      const written = filled && caseShape.read(filled, inRow);
      if (written !== undefined && row.faults.length === 0) await this.#addCase(written, { file, line }, inRow);
      if (this.cases.length >= casesMax) throw tooMany(this.#file);
      if (row.faults.length === 0) continue;
      this.faults.push(
        ...row.faults.map((fault) => ({ ...fault, expected: `${fault.expected} (row ${file}:${line})` })),
      );
      return;
    }
  }
}

/** Every text of a case with the values of a row in place of its holes. */
function fillRow(
  template: Readonly<Record<string, unknown>>,
  values: Readonly<Record<string, unknown>>,
  spot: Spot,
): Readonly<Record<string, unknown>> | undefined {
  const texts = new Map(
    Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
  try {
    const filled = fill(template, texts) as Readonly<Record<string, unknown>>;
    return 'expect' in filled ? { ...filled, expect: toOutcome(filled.expect) } : filled;
  } catch (error) {
    if (!(error instanceof MotifError)) throw error;
    return spot.fault(error instanceof MissingValue ? error.words : error.message);
  }
}

function fill(value: unknown, texts: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return fillTemplate(value, texts, 'the case').text;
  if (Array.isArray(value)) return value.map((entry) => fill(entry, texts));
  if (!isFields(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, fill(inner, texts)]));
}
