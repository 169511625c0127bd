import { type Conflict, file, type FlagsOf, flags, textFlag, toggle } from './flags.ts';

const elsewhere = 'do not go together: that gateway is in this process';

/** Flags about a service elsewhere, which a gateway in this process has no use for. */
const notElsewhere: Readonly<Record<string, string | Conflict>> = {
  url: elsewhere,
  profile: elsewhere,
  proxy: elsewhere,
};

const demoHelp = 'ask the demo Motif, on a gateway in this process';

function demoFlag(help: string) {
  return toggle('--demo', help, { not: { local: 'both say which gateway to ask', ...notElsewhere } });
}

/** A gateway inside this process instead of an address: no port, no login. */
export const embeddedFlags = flags(
  {
    demo: demoFlag(demoHelp),
    local: file('--local <file>', 'ask your gateway file, on a gateway in this process', { not: notElsewhere }),
    live: toggle('--live', 'with --local: ask its providers, not a mock', { needs: ['local'] }),
    as: textFlag('--as <user>', 'with --demo or --local: ask as this user', { needs: ['demo', 'local'] }),
  },
  { heading: 'Which Motif' },
);

/** The same flags for `check`, which has suites to choose as well. */
export const embeddedCheckFlags = {
  ...embeddedFlags,
  fields: { ...embeddedFlags.fields, demo: demoFlag(`${demoHelp}; its own suite unless you name one`) },
};

export type EmbeddedFlags = FlagsOf<typeof embeddedFlags>;

/** The Motif that was named of several in a gateway file, which a new suite has to name as well. */
export function namedInside({
  local,
  motif,
}: EmbeddedFlags & { readonly motif?: string | undefined }): string | undefined {
  return local === undefined ? undefined : motif;
}

export function isEmbedded({ demo, local }: EmbeddedFlags): boolean {
  return demo === true || local !== undefined;
}
