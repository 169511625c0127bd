import type { BatchInput } from '../../batch/contract.ts';
import { type BatchPlan, createPlanner, requestMarks } from '../../batch/plan.ts';
import type { RequestMarks } from '../../batch/row.ts';
import { MotifError } from '../../errors.ts';
import { type NamedText, withoutLastNewline } from '../../messages/compose.ts';
import { parseVariables, unusedWords } from '../../messages/template.ts';
import { formatOfName } from '../../rows/rows.ts';
import { fileSource, type RowSource, stdinSource } from '../../rows/source.ts';
import { parseShard } from '../../runs/shards.ts';
import { type Settings, targetOf } from '../../settings/resolve.ts';
import { motifUrl } from '../../wire/request.ts';
import { readFilesOf } from '../shared/prompt/parts.ts';
import type { Run } from '../shared/run.ts';
import type { BatchFlags } from './flags.ts';

/** The input of a batch, and the marks that its request leaves in every key. */
export interface OpenInput {
  readonly input: BatchInput;
  readonly plan: BatchPlan;
  readonly marks: RequestMarks;
}

/** Reads everything that the flags name but the rows themselves. */
export async function openInput(
  run: Run<BatchFlags>,
  path: string | undefined,
  { settings, signal }: { readonly settings: Settings; readonly signal: AbortSignal },
): Promise<OpenInput> {
  const { world, flags } = run;
  const source = await openSource(run, path, signal);
  const format = flags.format ?? formatOfName(source.name);
  const template = flags.template === undefined ? undefined : await readTemplate(run, flags.template);
  const variables = parseVariables(flags.var ?? []);
  if (template !== undefined)
    for (const words of unusedWords(template.text, variables, template.name)) run.notice(words);
  const plan: BatchPlan = {
    inputName: source.name,
    motif: motifOf(flags, settings),
    system: flags.systemFile === undefined ? flags.system : await readOne(run, flags.systemFile, '-S'),
    template,
    variables,
    files: (await Promise.all((flags.file ?? []).map((name) => readFilesOf(name, '-f', world, run.notice)))).flat(),
    column: flags.column,
    table: format === 'csv' || format === 'tsv' ? format : undefined,
  };
  const input: BatchInput = {
    source,
    format,
    plan: createPlanner(plan),
    limit: flags.limit,
    shard: flags.shard === undefined ? undefined : parseShard(flags.shard, world.env),
    isRereadable: source.name !== 'stdin' && (await world.files.info(source.name))?.type === 'file',
  };
  return { input, plan, marks: requestMarks(plan, (text) => world.redactor.redact(text) !== text) };
}

async function openSource({ world, flags }: Run<BatchFlags>, path = '-', signal: AbortSignal): Promise<RowSource> {
  if (path !== '-') return fileSource(world.files, path, signal);
  if (world.stdin.kind === 'pipe' || world.stdin.kind === 'file') return stdinSource(world.stdin, signal);
  throw new MotifError('usage', 'there are no rows to send: name a file, or pipe them in', {
    hint: [
      ...(flags.file === undefined ? [] : ['-f adds a file to every row; the file of the rows stands without a flag']),
      'motif batch prompts.txt -o out.jsonl',
      'motif help batch',
    ],
  });
}

async function readTemplate(run: Run<BatchFlags>, path: string): Promise<NamedText> {
  return { name: path, text: await readOne(run, path, '-t') };
}

async function readOne({ world, notice }: Run, path: string, flag: string): Promise<string> {
  const [file] = await readFilesOf(path, flag, world, notice);
  return withoutLastNewline(file?.text ?? '');
}

/** The same Motif under another profile is the same; a gateway in this process is its file. */
function motifOf(flags: BatchFlags, settings: Settings): string {
  const { motifId } = settings;
  if (flags.demo) return `demo ${motifId?.value}`;
  if (flags.local !== undefined) return `local ${flags.local} ${motifId?.value}`;
  const target = targetOf(settings);
  return target === undefined ? '' : motifUrl(target);
}
