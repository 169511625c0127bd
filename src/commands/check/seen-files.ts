import { createHash } from 'node:crypto';
import type { FileInfo, Files } from '../../world/world.ts';

/** Larger files are compared by their marks alone. */
const textBytesMax = 1024 * 1024;

/** Files that a run looked at, each with a mark of how it was then, so that a change while it is read is noticed. */
export class SeenFiles {
  readonly #files: Files;
  readonly #marks = new Map<string, string>();
  readonly #digests = new Map<string, string>();
  readonly #matches = new Map<string, string>();

  constructor(files: Files) {
    this.#files = files;
  }

  /** The same files; whatever is read through them is noted. */
  noting(): Files {
    const files = this.#files;
    const note = async (path: string): Promise<void> => {
      if (!this.#marks.has(path)) this.#marks.set(path, markOf(await files.info(path)));
    };
    const noting: Pick<Files, 'read' | 'info' | 'chunks' | 'glob'> = {
      read: async (path, options) => {
        await note(path);
        const content = await files.read(path, options);
        if (content.bytes.length <= textBytesMax) this.#digests.set(path, digestOf(content.bytes));
        return content;
      },
      info: async (path, options) => {
        await note(path);
        return await files.info(path, options);
      },
      async *chunks(path, signal) {
        await note(path);
        yield* files.chunks(path, signal);
      },
      glob: async (pattern, options) => {
        const names = await files.glob(pattern, options);
        this.#matches.set(pattern, names.join('\n'));
        return names;
      },
    };
    return Object.assign(Object.create(files) as Files, noting);
  }

  /** True where a file was changed, made or removed. */
  async hasChanged(): Promise<boolean> {
    return (await this.state()) !== [...this.#marks.values()].join('\n');
  }

  /** The marks of all files as they are now. */
  async state(): Promise<string> {
    const now = await Promise.all([...this.#marks.keys()].map((path) => this.#files.info(path)));
    return now.map(markOf).join('\n');
  }

  /** True where a small file has another text than was read, whatever its mark says. */
  async hasOtherTexts(): Promise<boolean> {
    for (const [path, digest] of this.#digests) {
      const now = await this.#files.read(path, { bytesMax: textBytesMax }).catch(() => undefined);
      if (now === undefined || digestOf(now.bytes) !== digest) return true;
    }
    return false;
  }

  /** True where a pattern matches other files than it did. */
  async hasOtherMatches(): Promise<boolean> {
    for (const [pattern, names] of this.#matches) {
      if ((await this.#files.glob(pattern)).join('\n') !== names) return true;
    }
    return false;
  }
}

function markOf(info: FileInfo | undefined): string {
  return `${info?.identity} ${info?.size} ${info?.modifiedAt}`;
}

function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64');
}
