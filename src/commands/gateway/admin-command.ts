import { pathWord, plainWord } from '../../text/defuse.ts';

/** A whole command for the same gateway file, to be typed as it stands. */
export function adminCommand(
  { config }: { readonly config?: string | undefined },
  ...words: readonly string[]
): string {
  const file = config === undefined ? [] : ['-c', pathWord(config)];
  return ['motif admin', ...words.map(plainWord), ...file].join(' ');
}
