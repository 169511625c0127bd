import { MotifError } from '../../../../errors.ts';
import { toPromptFacts } from '../../../../gateway/records/audit/prompt-facts.ts';
import { decisions } from '../../../../gateway/records/audit/line.ts';
import {
  type AuditRecord,
  type RawLine,
  readRawLines,
  toAuditLines,
} from '../../../../gateway/records/audit/reading.ts';
import { refusedLinesMax } from '../../../../gateway/records/audit/refused-lines.ts';
import type { RowSource } from '../../../../rows/source.ts';
import { printDocument, printLines } from '../../../../terminal/output.ts';
import { defuseLine } from '../../../../text/defuse.ts';
import { dayMs } from '../../../../text/durations.ts';
import { closest } from '../../../../text/similar.ts';
import { isFields } from '../../../../text/json/json.ts';
import { grouped } from '../../../../text/sizes.ts';
import type { JsonFlags } from '../../../shared/flags/options.ts';
import type { Run } from '../../../shared/run.ts';
import { bold, type Column, factColumns, outcome, printTable } from '../../../shared/table.ts';
import { adminCommand } from '../../admin-command.ts';
import type { AdminFlags } from '../flags.ts';
import { countOf, parsePlace, placeWords } from '../places.ts';
import { spanFlags } from './flags.ts';
import { auditInputs, type AuditInputs } from './inputs.ts';

/** Verbs for one prompt, which the ID alone shows; before few letters they may be a part of it that is read aloud. */
const otherVerbs = /^(?:show|get|find|see|look)$/i;
const auditVerbs = ['list', 'stats', 'verify'];
const lettersMin = 6;
const lettersWhole = 26;
/** The most prompts that are named where several begin or end alike. */
const namesMax = 5;

/** From a complaint to the rule: finds the decision on a prompt by its ID, or by a unique end or beginning of it. */
export async function runAdminAudit(
  run: Run<AdminFlags & JsonFlags>,
  typed: string | undefined,
  operands: readonly string[],
): Promise<void> {
  const { flags } = run;
  if (otherVerbs.test(typed ?? '') && (operands[0] ?? '').length >= lettersMin)
    throw new MotifError('usage', `motif admin audit has no ${typed}`, {
      hint: `the prompt of an ID: ${adminCommand(flags, 'audit', ...operands)}`,
    });
  const [words, files] = joinWords(typed ?? '', operands);
  const instead = listInstead(words, run);
  const wanted = parseWanted(words, instead);
  const audit = await auditInputs(files, run);
  await showPrompt(wanted, { run, files, instead, ...audit }).finally(audit.close);
}

interface Search extends AuditInputs {
  readonly run: Run<AdminFlags & JsonFlags>;
  readonly files: readonly string[];
  readonly instead: readonly string[];
}

async function showPrompt(wanted: WantedPrompt, { run, files, instead, inputs, config }: Search): Promise<void> {
  const { flags, world, notice } = run;
  const entries = await findEntries(wanted, inputs);
  const [entry] = entries.values();
  const names = inputs.map(({ name }) => name).join(', ');
  if (entry === undefined) {
    throw new MotifError('usage', `${names} ${inputs.length === 1 ? 'has' : 'have'} no prompt ${wanted.shown}`, {
      notes: files.includes('-') ? [] : (await findNear(wanted, inputs)).map((each) => `near it: ${rowOf(each)}`),
      hint: [
        ...instead,
        'the file may have been rotated, or another gateway may have answered',
        'or the gateway knew no caller (401), or no such address (404): those leave no line',
        `or it was refused after ${refusedLinesMax} others of its token within a minute: such ones are counted, and leave no line`,
      ],
    });
  }
  if (entries.size > 1) throw toAmbiguous(wanted, [...entries.values()]);
  const isChanged = config === undefined ? null : entry.config !== config.hash;
  if (flags.json) return await printDocument({ ok: true, entry, config_changed: isChanged, error: null }, flags, world);
  await showEntry(entry, run);
  if (isChanged === true) notice(`${flags.config ?? 'gateway.yaml'} has changed since that prompt`);
}

/** The prompt that is looked for, as far as its ID was told. */
interface WantedPrompt {
  /** The words as they were typed. */
  readonly shown: string;
  /** The longest run of its letters. */
  readonly letters: string;
  isIn(id: string): boolean;
}

/** The ID and the files: words that follow too few letters are of an ID with blanks, as it is read aloud. */
function joinWords(typed: string, operands: readonly string[]): [words: string, files: readonly string[]] {
  const [next, ...files] = operands;
  const isPart = /^[0-9A-Za-z-]+$/.test(typed) && typed.replaceAll('-', '').length < lettersMin;
  if (!isPart || next === undefined || !/^[0-9A-Za-z-]+$/.test(next)) return [typed, operands];
  return closest(typed, auditVerbs) === undefined ? joinWords(`${typed}${next}`, files) : [typed, operands];
}

/**
 * An ID as typed, told by phone, or shortened as reports do (`01JD8Y…8W2Q4X`, `...8W2Q4X`), in the letters that prompt
 * IDs have: an O is a 0, an I or L a 1. Blanks and hyphens between them, as they are read aloud, do not count.
 */
function parseWanted(typed: string, instead: readonly string[]): WantedPrompt {
  const shown = typed.trim();
  const read = shown.replace(/[\s-]/g, '').toUpperCase().replaceAll('O', '0').replace(/[IL]/g, '1');
  const parts = read.split(/…|\.{2,}/);
  const [head = '', tail = ''] = parts;
  const count = head.length + tail.length;
  if (!idLetters.test(head + tail) || parts.length > 2 || count < lettersMin || count > lettersWhole) {
    throw notAnId(typed, instead);
  }
  if (parts.length === 1) return { shown, letters: head, isIn: (id) => id.startsWith(head) || id.endsWith(head) };
  const letters = tail.length >= head.length ? tail : head;
  return { shown, letters, isIn: (id) => id.startsWith(head) && id.endsWith(tail) };
}

/** The list that a word asks for which is a decision or a day, as `blocked`, `today`, `7d`; most words are neither. */
function listInstead(typed: string, { flags, world }: Run<AdminFlags>): readonly string[] {
  const list = (...words: readonly string[]): readonly string[] => [
    `those prompts: ${adminCommand(flags, 'audit', 'list', ...words)}`,
  ];
  const decision = /^[a-z]+$/.test(typed) ? closest(typed, decisions) : undefined;
  if (decision !== undefined) return list('--decision', decision);
  const day = (agoMs: number): string => new Date(world.now() - agoMs).toISOString().slice(0, 10);
  if (typed === 'today') return list('--since', day(0));
  if (typed === 'yesterday') return list('--since', day(dayMs), '--until', day(0));
  return spanFlags.fields.since.read(typed) === undefined ? [] : list('--since', typed);
}

const idLetters = /^[0-9A-HJKMNP-TV-Z]+$/;

function notAnId(typed: string, instead: readonly string[]): MotifError {
  const verb = closest(typed, auditVerbs);
  const isMisheard = verb === undefined && instead.length === 0 && /u/i.test(typed);
  const message = `a prompt ID has ${lettersWhole} letters and digits; its last ${lettersMin} are enough`;
  return new MotifError('usage', message, {
    hint: [
      ...(verb === undefined ? [] : [`did you mean motif admin audit ${verb}?`]),
      ...(verb === undefined ? instead : []),
      ...(isMisheard ? ['no ID has a U: was it a V?'] : []),
      'motif prints it with each block and failure, and --json has it as prompt_id',
      'motif admin audit list shows those of the audit',
    ],
  });
}

/** The beginning of an ID is its time, which prompts of the same minutes share. */
function toAmbiguous({ shown }: WantedPrompt, entries: readonly AuditRecord[]): MotifError {
  const more = entries.length > namesMax ? ' or more' : '';
  return new MotifError('usage', `${shown} is a part of ${Math.min(entries.length, namesMax)}${more} prompt IDs`, {
    notes: entries.slice(0, namesMax).map(rowOf),
    hint: `give more letters, or the last ${lettersMin}: an ID begins with its time`,
  });
}

function rowOf({ prompt_id: id, time, motif, decision }: AuditRecord): string {
  return [id, time, motif, decision].map((fact) => defuseLine(String(fact), 60)).join('  ');
}

/** The newest prompts whose last six letters differ from those in one, as a letter that was misheard does. */
async function findNear({ letters }: WantedPrompt, inputs: readonly RowSource[]): Promise<readonly AuditRecord[]> {
  if (letters.length !== lettersMin) return [];
  let near: RawLine[] = [];
  for (const input of inputs) {
    for await (const lines of readRawLines(input.chunks())) {
      const found = lines.filter(({ bytes }) => isOneLetterAway(endOfId(bytes), letters));
      near = [...near, ...found].slice(-namesMax);
    }
  }
  return toAuditLines(near).flatMap(({ kind, record }) => (kind === 'prompt' ? [record] : []));
}

const idKey = '"prompt_id":"';

/** The last letters of the ID in a line; empty where it has none. */
function endOfId(bytes: Buffer): string {
  const at = bytes.indexOf(idKey);
  const end = at + idKey.length + lettersWhole;
  return at === -1 ? '' : bytes.toString('latin1', end - lettersMin, end);
}

function isOneLetterAway(one: string, other: string): boolean {
  return one.length === other.length && one.split('').filter((letter, at) => letter !== other[at]).length === 1;
}

/** The newest line of each prompt whose ID begins or ends like this; only lines that hold the letters are parsed. */
async function findEntries(
  wanted: WantedPrompt,
  inputs: readonly RowSource[],
): Promise<ReadonlyMap<string, AuditRecord>> {
  const entries = new Map<string, AuditRecord>();
  const needle = Buffer.from(wanted.letters);
  const take = (line: RawLine): void => {
    if (!line.bytes.includes(needle)) return;
    for (const { kind, record } of toAuditLines([line])) {
      const id = kind === 'prompt' ? String(record.prompt_id) : '';
      if (id !== '' && wanted.isIn(id)) entries.set(id, record);
    }
  };
  for (const input of inputs) {
    for await (const lines of readRawLines(input.chunks())) {
      for (const line of lines) take(line);
      if (entries.size > namesMax) return entries;
    }
  }
  return entries;
}

const facts: readonly Column[] = [
  factColumns[0]!,
  { paint: (style, cell, [name]) => (name === 'decision' ? outcome(style, cell) : cell) },
];

async function showEntry(entry: AuditRecord, run: Pick<Run, 'world' | 'flags'>): Promise<void> {
  const usage = entry.usage as { readonly total_tokens?: number } | null | undefined;
  const { model, model_answered: answered } = entry;
  const rows = [
    ['time', entry.time],
    ['prompt', entry.prompt_id],
    ['Motif', entry.motif],
    ['team', entry.team],
    ['token', entry.token_id],
    ['user', entry.user],
    ['tenant', entry.tenant],
    ['status', entry.status],
    ['decision', toPromptFacts(entry).decision],
    ['reason', entry.reason],
    ['refused', typeof entry.refused === 'number' ? `${grouped(entry.refused)} prompts in this one line` : undefined],
    ['provider', entry.fallback === true ? `${String(entry.provider)} (the fallback)` : entry.provider],
    ['model', typeof answered === 'string' && answered !== model ? `${answered} (asked: ${String(model)})` : model],
    ['request', entry.provider_request_id],
    ['sent', entry.resent === true ? 'twice, because the connection had closed' : undefined],
    ['trace', entry.traceparent],
    ['tokens', usage?.total_tokens],
  ];
  await printTable(
    run,
    facts,
    rows.flatMap(([name, value]) =>
      typeof value === 'string' || typeof value === 'number' ? [[String(name), String(value)]] : [],
    ),
  );
  const listed = (value: unknown): readonly AuditRecord[] => (Array.isArray(value) ? value.filter(isFields) : []);
  const excepted = listed(entry.excepted).map((each) => ({ ...each, action: 'excepted' }));
  // Lines of earlier versions have an action alone, and none by rule.
  const found = listed(entry.rules).map((each) => ({ ...each, action: each.action ?? entry.action ?? 'found' }));
  const rules = [...found, ...excepted];
  const advice = adviceByReason.get(String(entry.reason));
  const words = [nothingFound(entry), ...(advice === undefined ? [] : [advice])].join('\n');
  await printLines(rules.length === 0 ? `\n${words}` : '\n', run.world);
  await printTable(run, [{ paint: outcome }, { paint: bold }, {}], rules.map(ruleRow));
}

/** Advice for a caller who was refused, by the reason in the audit. */
const adviceByReason: ReadonlyMap<string, string> = new Map([
  [
    'tenant_missing',
    'its caller has to send the tenant ID (--tenant), or needs a token of a user of the Motif: motif help tokens',
  ],
  ['tenant_wrong', 'motif admin show tells the tenant ID that its caller has to send (--tenant): motif help tokens'],
]);

/** Words for a prompt without findings; one that was refused before it was read was never judged. */
function nothingFound({ decision, provider }: AuditRecord): string {
  const isUnread = decision === 'refused' && typeof provider !== 'string';
  return isUnread ? 'it was refused before any policy judged it' : 'no policy found anything';
}

function ruleRow({ action, policy, rule, on, message, start, length, place }: AuditRecord): string[] {
  const words = placeWords({
    on: String(on),
    message: countOf(message) ?? null,
    place: parsePlace(place),
    start: countOf(start) ?? 0,
    length: countOf(length) ?? 0,
  });
  return [String(action), `${String(policy)} / ${String(rule)}`, words];
}
