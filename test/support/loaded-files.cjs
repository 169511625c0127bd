/**
 * Preloaded into a run of the built program (`node -r`): writes the files it loaded, one a line, where LOADED_FILES says.
 */
const { writeFileSync } = require('node:fs');

process.on('exit', () => writeFileSync(process.env.LOADED_FILES, Object.keys(require.cache).join('\n')));
