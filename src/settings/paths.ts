import { MotifError } from '../errors.ts';
import { quotedLine } from '../text/defuse.ts';
import type { World } from '../world/world.ts';

type PathWorld = Pick<World, 'env' | 'home'>;

/**
 * Folder of profiles and tokens; undefined where there is no home and nothing names a folder. A relative one of ours is
 * refused, because its profiles would seem to be gone; the system's own variables count as absent then.
 */
export function configFolder({ env, home }: PathWorld): string | undefined {
  const { MOTIF_CONFIG_DIR: own = '' } = env;
  if (own !== '' && absolute(own) === undefined) {
    throw new MotifError('usage', `MOTIF_CONFIG_DIR must be an absolute path; found ${quotedLine(own, 200)}`, {
      hint: 'the working directory never decides where a token comes from',
    });
  }
  return absolute(own) ?? inside(absolute(env.XDG_CONFIG_HOME) ?? inside(absolute(home), '.config'), 'motif');
}

/** Folder of conversations and input history; undefined where there is no home and nothing names a folder. */
export function stateFolder({ env, home }: PathWorld): string | undefined {
  return inside(absolute(env.XDG_STATE_HOME) ?? inside(absolute(home), '.local/state'), 'motif');
}

/** Folder of files that nobody needs later. */
export function temporaryFolder({ env }: Pick<World, 'env'>): string {
  return absolute(env.TMPDIR) ?? '/tmp';
}

/** A file each, named after its id. */
export function conversationsFolder(state: string): string {
  return `${state}/conversations`;
}

/** File of texts typed in chats, for Up and Ctrl-R of later ones: a JSON string a line. */
export function inputHistoryPath(state: string): string {
  return `${state}/input-history.jsonl`;
}

export function profilesFolder(config: string): string {
  return `${config}/profiles`;
}

export const profileNameShape = /^[A-Za-z0-9_-]{1,64}$/;

export function profilePath(config: string, name: string): string {
  return `${profilesFolder(config)}/${safeName(name)}.json`;
}

/** The 0600 store of tokens that no keyring holds, a file each. */
export function tokensFolder(config: string): string {
  return `${config}/tokens`;
}

/** The id is new with each login, so that a profile and its token change together: with the profile's file. */
export function tokenPath(config: string, name: string, id: string | undefined): string {
  return `${tokensFolder(config)}/${safeName(name)}${id === undefined ? '' : `.${id}`}.json`;
}

export function currentPath(config: string): string {
  return `${config}/config.json`;
}

/** Names were checked where they were given; one that would leave the folder goes no further, whoever forgot to. */
function safeName(name: string): string {
  if (profileNameShape.test(name)) return name;
  throw new Error('a name that no profile can have became a path');
}

/** A relative path would let the working directory decide where a token is read from, so it counts as absent. */
function absolute(path: string | undefined): string | undefined {
  return path?.startsWith('/') ? path.replace(/\/+$/, '') || '/' : undefined;
}

function inside(folder: string | undefined, name: string): string | undefined {
  return folder === undefined ? undefined : `${folder}/${name}`;
}
