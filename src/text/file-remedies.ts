/**
 * The way out of a fault of the system: `owner`, the file is another user's; `rules`, this process was started with
 * rules against it; `place`, nothing can be made there; `room`, the disk is full; `open files`, too many are open.
 */
type FileRemedy = 'owner' | 'rules' | 'place' | 'room' | 'open files';

const remedies: Readonly<Record<string, FileRemedy>> = {
  EACCES: 'owner',
  EPERM: 'owner',
  ERR_ACCESS_DENIED: 'rules',
  EEXIST: 'place',
  ELOOP: 'place',
  ENOTDIR: 'place',
  EROFS: 'place',
  EDQUOT: 'room',
  ENOSPC: 'room',
  EMFILE: 'open files',
  ENFILE: 'open files',
};

/** The way out of the fault with this error name; undefined where its words are all there is to say. */
export function fileRemedy(code: string): FileRemedy | undefined {
  return remedies[code];
}

/** Advice where too many files are open. */
export const openFilesHint = 'end what has many files open, or allow more: ulimit -n';
