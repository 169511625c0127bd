/**
 * Loaded before a gateway that writes no audit: it writes a line of usual length to the file of its address before each
 * answer and does nothing else, which is the least that a line costs that is in the file before its answer leaves.
 */
import { openSync, writeSync } from 'node:fs';
import { ServerResponse } from 'node:http';

const file = openSync(new URL(import.meta.url).searchParams.get('file'), 'a');
const line = Buffer.from(`${'x'.repeat(599)}\n`);
const writeHead = Reflect.get(ServerResponse.prototype, 'writeHead');

ServerResponse.prototype.writeHead = function write(...head) {
  writeSync(file, line, 0, line.length, null);
  return writeHead.apply(this, head);
};
