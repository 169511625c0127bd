import { dirname } from 'node:path';
import { shellWord } from '../text/defuse.ts';
import { fileRemedy, openFilesHint } from '../text/file-remedies.ts';

/** A file's name without its end; short, for people type the beginning of it. */
const idShape = /^[a-z0-9]{1,32}$/;
const ending = '.jsonl';

export function isId(text: string): boolean {
  return idShape.test(text);
}

/** An id was checked where it was typed; one that would leave the folder goes no further, whoever forgot to. */
export function fileName(id: string): string {
  if (isId(id)) return `${id}${ending}`;
  throw new Error('an id that no conversation can have became a path');
}

export function conversationPath(folder: string, id: string): string {
  return `${folder}/${fileName(id)}`;
}

/** The id that a file's name says; undefined for other files in the folder. */
export function idOf(name: string): string | undefined {
  const id = name.endsWith(ending) ? name.slice(0, -ending.length) : '';
  return isId(id) ? id : undefined;
}

/** Ways out where conversations cannot be read or kept in their folder; none where the fault's words say it all. */
export function otherStateHints(folder: string, code: string): readonly string[] {
  const remedy = fileRemedy(code);
  if (remedy === undefined) return [];
  if (remedy === 'open files') return [openFilesHint];
  const owned = `was motif run with sudo? sudo chown -R "$(id -un)" ${shellWord(dirname(folder))}`;
  return [
    ...(remedy === 'owner' ? [owned] : []),
    ...(remedy === 'room' ? ['make room'] : []),
    'another folder to keep conversations in: XDG_STATE_HOME',
  ];
}
