/** Writes the blocks of the README that start with `$ motif ... --help` or `$ motif help ...` as they are printed. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const readme = fileURLToPath(new URL('../README.md', import.meta.url));
const motif = fileURLToPath(new URL('../bin/motif.js', import.meta.url));
const block = /^```console\n\$ motif ((?:[a-z ]*--help)|(?:help [a-z-]+))\n[\s\S]*?^```$/gm;

const text = readFileSync(readme, 'utf8');
const fresh = text.replace(block, (_whole, command) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [motif, ...command.split(' ')], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`motif ${command}: ${stderr}`);
  return `\`\`\`console\n$ motif ${command}\n${stdout}\`\`\``;
});
if (fresh !== text) writeFileSync(readme, fresh);
