import type { Files, GrowingFile } from '../../../src/world/world.ts';
import type { FakeWorld } from '../world.ts';

/** A death of the process: from then on it changes no file. */
export interface Death {
  readonly isDead: boolean;
}

/**
 * Lets a process die at its change number `at` to a file, as kill -9 does: that change is not made, or half of it where
 * it is a write, and none that follows. A lock goes with the process, whose number the tests cannot give to another.
 */
export function dieAt(world: FakeWorld, at: number): Death {
  const death = { isDead: false };
  let left = at;
  const changed = <Result>(change: () => Result, half: () => void = () => undefined): Result => {
    if (!death.isDead && left-- > 0) return change();
    if (!death.isDead) half();
    death.isDead = true;
    throw new Error('killed');
  };
  const { files } = world;
  const dying = (file: GrowingFile): GrowingFile => ({
    get size() {
      return file.size;
    },
    read: (start, into) => file.read(start, into),
    close: () => file.close(),
    cut: (length) => changed(() => file.cut(length)),
    sync: async () => changed(() => file.sync()),
    write(content) {
      const bytes = Buffer.from(content);
      changed(
        () => file.write(bytes),
        () => file.write(bytes.subarray(0, bytes.length / 2)),
      );
    },
  });
  const deadly: Pick<Files, 'openGrowing' | 'rename' | 'remove' | 'setMode'> = {
    openGrowing: (path) => changed(() => files.openGrowing(path).then(dying)),
    rename: async (from, to) => changed(() => files.rename(from, to)),
    remove: async (path, options) => changed(() => files.remove(path, options)),
    setMode: async (path, mode) => changed(() => files.setMode(path, mode)),
  };
  Object.assign(world, { files: { ...files, ...deadly } });
  return death;
}
