import { MotifError, MotifUnnamed } from '../../errors.ts';
import { inertLine } from '../../reports/inert.ts';
import { pathWord } from '../../text/defuse.ts';
import { printLines } from '../../terminal/output.ts';
import { configFolder } from '../../settings/paths.ts';
import { listProfiles } from '../../settings/profile-file.ts';
import { FileFault, type World } from '../../world/world.ts';
import { file, type FlagsOf, flags, textFlag, toggle } from '../shared/flags/flags.ts';
import { needFolderOf } from '../shared/output-file.ts';
import type { Run } from '../shared/run.ts';
import { flagWords } from '../shared/flags/typed-command.ts';

export const initFlags = flags(
  {
    attacks: toggle('--attacks', 'attacks on your own policies, and look-alikes that must pass'),
    local: file('--local <file>', 'the gateway file it is made for (default: gateway.yaml, where it is here)'),
    motif: textFlag('--motif <id>', 'of several Motifs in that file, the one to try'),
  },
  { heading: 'Which suite' },
);

const gatewayName = 'gateway.yaml';

/** Writes a first suite; a file that is there already is never touched. */
export async function runInit(run: Run<FlagsOf<typeof initFlags>>, named: string | undefined): Promise<void> {
  const { world, notice, flags: typed } = run;
  const { attackSuiteName, firstSuiteName } = await import('../shared/suite-file.ts');
  const name = named ?? (typed.attacks ? attackSuiteName : firstSuiteName);
  const { files } = world;
  if ((await files.info(name, { follow: false })) !== undefined) {
    throw new MotifError('usage', `${name} is there already, and is never overwritten`, {
      hint: `name another file: ${['motif check init other.motif.yaml', ...flagWords([initFlags], typed)].join(' ')}`,
    });
  }
  await needFolderOf(name, world);
  const { text, words } = typed.attacks ? await attacksOf(run, name) : await firstOf(run, name);
  try {
    await files.writeAtomic(name, text, { mode: 'usual' });
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    throw new MotifError('io', `${name}: ${error.message}`, { cause: error });
  }
  await printLines(name, world);
  for (const line of words) notice(line);
}

interface WrittenSuite {
  readonly text: string;
  readonly words: readonly string[];
}

async function firstOf(run: Run<FlagsOf<typeof initFlags>>, name: string): Promise<WrittenSuite> {
  const gateway = await gatewayOf(run);
  if (gateway === undefined) return plainOf(name, run);
  const { guardedSuite } = await import('./guarded.ts');
  try {
    const { text, open, unjudged, failing, added, unguarded } = await guardedSuite(run, gateway, run.flags.motif);
    const guards = added.length > 0 ? `, and guards of ${added.join(', ')}` : '';
    const blocks = ['no blocks', 'one block', 'two blocks'][2 - open.length - unjudged.length]!;
    return {
      text,
      words: [
        ...(open.length > 0
          ? [`left out, because ${gateway} does not block it${atMotif(run)}: ${open.join(', ')}`]
          : []),
        ...(unjudged.length > 0
          ? [`left out, because a policy of ${gateway} failed on it: ${unjudged.join(', ')}`]
          : []),
        ...failing.map((each) => `a case does not pass on ${gateway}: ${inertLine(each, 200)}`),
        ...(unguarded.length > 0
          ? [
              `no case guards ${unguarded.join(', ')} yet: ${name} says why; what to add: ${checkLine(gateway, name)} --prove`,
            ]
          : []),
        `written for ${gateway}: two controls and ${blocks}${guards}; next: ${checkLine(gateway, name)}`,
      ],
    };
  } catch (error) {
    // A faulty file that was not asked for by name is no reason to write nothing; which Motif is meant can be said.
    if (!(error instanceof MotifError) || error instanceof MotifUnnamed) throw error;
    if (run.flags.local !== undefined || run.flags.motif !== undefined) throw error;
    const { text, words } = await plainOf(name, run);
    const why = [error.message, ...error.hints.slice(0, 1)].join('; ');
    return { text, words: [`not made for ${gateway}: ${why}`, ...words] };
  }
}

/** The Motif of the gateway file that was named, behind what it does; nothing where it has one alone. */
function atMotif({ flags: { motif } }: Run<FlagsOf<typeof initFlags>>): string {
  return motif === undefined ? '' : ` at ${inertLine(motif, 60)}`;
}

/** The command that checks a suite on that gateway file; the suite itself says for which Motif it is. */
function checkLine(gateway: string, name: string): string {
  return `motif check ${pathWord(name)} --local ${pathWord(gateway)}`;
}

async function plainOf(name: string, { world }: Run): Promise<WrittenSuite> {
  const { firstSuite } = await import('../../suites/demo.ts');
  const line = `motif check ${pathWord(name)}`;
  const [next, ...later] = (await hasMotif(world)) ? [line] : [`${line} --demo`, `after motif login: ${line}`];
  return { text: firstSuite(), words: [`written: two controls and two blocks; next: ${next}`, ...later] };
}

/** True where a check without further flags may find a Motif to ask; where that cannot be told, it says why itself. */
async function hasMotif({ env, files, ...world }: World): Promise<boolean> {
  if (env.MOTIF_URL !== undefined && env.MOTIF_URL !== '') return true;
  const names = await listProfiles(files, configFolder({ env, ...world })).catch(() => undefined);
  return names === undefined || names.length > 0;
}

/** The gateway file that a suite is made for; undefined for none. */
async function gatewayOf({ world, flags: { local } }: Run<FlagsOf<typeof initFlags>>): Promise<string | undefined> {
  if (local !== undefined) return local;
  return (await world.files.info(gatewayName)) === undefined ? undefined : gatewayName;
}

async function attacksOf(run: Run<FlagsOf<typeof initFlags>>, name: string): Promise<WrittenSuite> {
  const [{ attackSuite, attacksLeftOut }, { tryAttacks }] = await Promise.all([
    import('../../suites/samples/attacks.ts'),
    import('./attacks.ts'),
  ]);
  const gateway = await gatewayOf(run);
  const options = gateway === undefined ? undefined : await tryAttacks(run, gateway, run.flags.motif);
  const leftOut = (which: 'open' | 'unjudged') => (options === undefined ? [] : attacksLeftOut(which, options));
  const [open, unjudged] = [leftOut('open'), leftOut('unjudged')];
  const made = gateway === undefined ? '' : `for ${gateway}; `;
  const next =
    gateway === undefined
      ? `next, with the name of your gateway file: motif check ${pathWord(name)} --local ${gatewayName}`
      : `next: ${checkLine(gateway, name)}`;
  return {
    text: attackSuite(options),
    words: [
      ...(open.length > 0
        ? [`left out, because ${gateway} lets it pass as it is${atMotif(run)}: ${open.join(', ')}`]
        : []),
      ...(unjudged.length > 0
        ? [`left out, because a policy of ${gateway} failed on it: ${unjudged.join(', ')}; make again when it works`]
        : []),
      ...(name.endsWith('.motif.yaml')
        ? [`motif check runs ${inertLine(name, 120)} too where no suite is named; to leave it out, name the others`]
        : []),
      `written: ${made}it tests the policies of your gateway file alone; ${next}`,
    ],
  };
}
