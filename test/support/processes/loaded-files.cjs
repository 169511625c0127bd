/**
 * Preloaded into a run of the built program (`node -r`): writes the files that it loaded, and the modules of Node, one
 * a line, where LOADED_FILES says.
 */
const { writeFileSync } = require('node:fs');

const ofNode = () => process.moduleLoadList.map((name) => name.replace('NativeModule ', 'node:'));
process.on('exit', () => {
  writeFileSync(process.env.LOADED_FILES, [...Object.keys(require.cache), ...ofNode()].join('\n'));
});
