/**
 * Answers every prompt at once with the same reply, in a process of its own so that its time is not counted. Prints its
 * port, and ends when its stdin does, so that no bench leaves it behind.
 */
import { createServer } from 'node:http';

const answer = JSON.stringify({
  blocked: false,
  finish_reason: 'stop',
  prompt_id: '01JBENCH000000000000000000',
  response: 'Thirty days from delivery, unused.',
  usage: { completion_tokens: 8, prompt_tokens: 1, total_tokens: 9 },
});
const refusal = JSON.stringify({ error: 'messages must not be empty' });

const server = createServer((request, response) => {
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => {
    const { messages } = JSON.parse(Buffer.concat(parts).toString());
    response.writeHead(messages.length > 0 ? 200 : 400, { 'content-type': 'application/json' });
    response.end(messages.length > 0 ? answer : refusal);
  });
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
process.stdin.resume().on('end', () => {
  server.close();
  server.closeAllConnections();
});
