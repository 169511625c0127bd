import { suggestion } from '../../documents/spot.ts';
import { MotifError, MotifUnnamed } from '../../errors.ts';
import type { GatewayConfig, MotifConfig } from '../../gateway/config.ts';
import { defuseLine } from '../../text/defuse.ts';
import { closest } from '../../text/similar.ts';

const namesShownMax = 8;

/** The Motif that was named; the only one needs no name. `flag`: the one that names it, where no operand does. */
export function needMotif({ motifs }: GatewayConfig, id: string | undefined, flag?: '--motif'): MotifConfig {
  const ids = [...motifs.keys()];
  const found = motifs.get(id ?? (ids.length === 1 ? ids[0]! : ''));
  if (found !== undefined) return found;
  if (ids.length === 0) {
    throw new MotifError('usage', 'the gateway file has no Motif', {
      hint: 'motif admin create ID --provider NAME makes one',
    });
  }
  const hint = flag === undefined ? suggestion(id ?? '', ids) : flagHints(flag, id, ids);
  if (id === undefined) throw new MotifUnnamed('usage', 'the gateway file has several Motifs: name one', { hint });
  throw new MotifError('usage', `there is no Motif ${defuseLine(id, 60)}`, { hint });
}

function flagHints(flag: string, id: string | undefined, ids: readonly string[]): readonly string[] {
  const near = id === undefined ? undefined : closest(id, ids);
  const taken = `${flag} takes one of ${ids.slice(0, namesShownMax).join(', ')}`;
  return near === undefined ? [taken] : [`did you mean ${near}?`, taken];
}
