/** Makes a text module of each file with one of these endings; the bundler and the test runner share it. */
import { readFileSync } from 'node:fs';

const isText = /\.(?:md|txt)$/;

export const textFiles = {
  name: 'text-files',
  enforce: 'pre',
  load(id) {
    if (!isText.test(id)) return null;
    return { code: `export default ${JSON.stringify(readFileSync(id, 'utf8'))};`, moduleType: 'js' };
  },
};
