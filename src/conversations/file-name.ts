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
