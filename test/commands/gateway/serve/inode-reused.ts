import type { World } from '../../../../src/world/world.ts';

/** Files of a file system that gives the inode of a removed file to the next one at once. */
export function withInodeReused(files: World['files']): World['files'] {
  const info: World['files']['info'] = async (path) => {
    const found = await files.info(path);
    return found && { ...found, identity: '1:1', bornAt: found.identity };
  };
  return Object.assign(Object.create(files) as World['files'], { info });
}
