/** The least that a batch in Node can do: a line in, a request over an undici Pool, the reply parsed. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { Pool } from 'undici';

const [url, file, connections] = process.argv.slice(2);
const { origin, pathname } = new URL(url);
const pool = new Pool(origin, { connections: Number(connections) });
const lines = createInterface({ input: createReadStream(file) })[Symbol.asyncIterator]();
const headers = { 'content-type': 'application/json', authorization: 'Bearer mtf_bench' };

await Promise.all(
  Array.from({ length: Number(connections) }, async () => {
    for (let next = await lines.next(); !next.done; next = await lines.next()) {
      const { prompt } = JSON.parse(next.value);
      const body = JSON.stringify({ messages: [{ role: 'user', content: prompt }] });
      const reply = await pool.request({ method: 'POST', path: `${pathname}/prompts`, headers, body });
      const { blocked } = await reply.body.json();
      if (blocked !== false) throw new Error('not answered');
    }
  }),
);
await pool.close();
