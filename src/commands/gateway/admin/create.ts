import { faultLine } from '../../../documents/fault.ts';
import { suggestion } from '../../../documents/spot.ts';
import { parseYaml } from '../../../documents/yaml.ts';
import { editYaml } from '../../../documents/editing/yaml-edit.ts';
import { MotifError } from '../../../errors.ts';
import { gatewayFileBytesMax } from '../../../gateway/file/parse.ts';
import { motifIdRule } from '../../../gateway/file/shape.ts';
import { defuseLine } from '../../../text/defuse.ts';
import type { Run } from '../../shared/run.ts';
import { adminCommand } from '../admin-command.ts';
import { isWithin } from '../part-keeper.ts';
import { editGateway, refuseFileNames, sourceOf } from './file.ts';
import type { CreateFlags } from './flags.ts';
import { endOf, handOver, makeToken } from './handover.ts';
import { giveToken, openTokenFile, refuseHeldToken } from './token-file.ts';
import { refuseWholeTokens } from './whole-token.ts';

/** Adds a Motif with its first token; a user of the token is added to the Motif, and so needs no tenant ID. */
export async function runAdminCreate(run: Run<CreateFlags>, id: string): Promise<void> {
  const { world, flags } = run;
  refuseWholeTokens([id]);
  refuseFileNames('create ID', [id]);
  if (!motifIdRule.pattern.test(id)) throw new MotifError('usage', `a Motif ID is ${motifIdRule.expected}`);
  const { model, policy: policies = [], user } = flags;
  const tokenFile = await openTokenFile(run, sourceOf(flags, world).name);
  const token = makeToken(world, { user, endsAt: endOf(flags.expires, world) });
  const { config, warnings, before } = await editGateway(
    run,
    (before, edit, at) => {
      for (const policy of policies) refuseUnknown('policy', policy, [...before.policies.keys()]);
      const existing = before.motifs.get(id);
      if (existing !== undefined) {
        const wanted = new Set([...existing.policies, ...policies]);
        throw new MotifError('usage', `there is a Motif ${id} already`, {
          hint: [
            ...(wanted.size > existing.policies.length
              ? [`for its policies write at ${at(['motifs', id])}: policies: [${[...wanted].join(', ')}]`]
              : []),
            `one more token for it: ${adminCommand(flags, 'rotate', id, '--keep', ...(user === undefined ? [] : ['--user', user]))}`,
          ],
        });
      }
      refuseHeldToken(tokenFile, run, { config: before });
      const provider = chosenProvider(flags.provider, [...before.providers.keys()]);
      edit.set(['motifs', id], {
        provider,
        ...(model !== undefined && { model }),
        ...(user !== undefined && { users: [user] }),
        ...(policies.length > 0 && { policies }),
        tokens: [token.record],
      });
    },
    {
      prepare: withMotifs,
      around: (_, change) => giveToken({ token, motifId: id }, tokenFile, run, change),
    },
  );
  for (const each of warnings) {
    if (isWithin(each.path, ['motifs', id])) run.notice(`warning: ${faultLine(each)}`);
  }
  const known = [...config.policies.keys()].slice(0, policiesShownMax);
  if (policies.length === 0 && known.length > 0) {
    run.notice(`policies: [${defuseLine(known.join(', '), 200)}] written there under ${id} has them checked`);
  }
  await handOver(token, id, config, { run, served: { notes: [], before } });
}

/** The most policies that are named to a person who has chosen none. */
const policiesShownMax = 4;

/** The file with a place for its first Motif, where it has none yet. */
function withMotifs(text: string): string {
  const { value } = parseYaml(text, '', { bytesMax: gatewayFileBytesMax });
  if (typeof value !== 'object' || value === null) return text;
  if ('motifs' in value && value.motifs !== null) return text;
  // A comment may stand in the place of the first one.
  const filled = text.replace(/^motifs:(?:[ \t]+(?:~|null))?(?=\s)/m, 'motifs: {}');
  return filled === text ? editYaml(text, gatewayFileBytesMax, (edit) => edit.set(['motifs'], {})) : filled;
}

/** The provider that was named, or the only one. */
function chosenProvider(typed: string | undefined, known: readonly string[]): string {
  if (typed === undefined && known.length === 1) return known[0]!;
  if (known.length === 0) {
    throw new MotifError('usage', 'the gateway file has no provider', { hint: 'add one to it: motif help gateway' });
  }
  if (typed === undefined) {
    throw new MotifError('usage', `the file has ${known.length} providers: name one`, {
      hint: `--provider NAME; ${suggestion('', known)}`,
    });
  }
  refuseUnknown('provider', typed, known);
  return typed;
}

function refuseUnknown(what: string, name: string, known: readonly string[]): void {
  if (known.includes(name)) return;
  throw new MotifError('usage', `there is no ${what} ${defuseLine(name, 60)} in the file`, {
    hint:
      what === 'policy' && name.includes(',')
        ? '--policy once for each: --policy NAME --policy NAME'
        : [
            suggestion(name, known),
            `one more is a line under ${what === 'policy' ? 'policies' : 'providers'} of the file: motif help gateway`,
          ],
  });
}
