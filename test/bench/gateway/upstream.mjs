/**
 * A provider that has always the same answer ready, and costs as little as a server in Node can. Its third word is the
 * milliseconds that it waits before each answer.
 */
import { createServer } from 'node:net';

const [port, answerBytes, waitMs = 0] = process.argv.slice(2).map(Number);
const words = 'The kettle boils within three minutes and can be returned with its receipt. ';
const content = words.repeat(Math.ceil(answerBytes / words.length)).slice(0, answerBytes);
const body = JSON.stringify({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'bench',
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 250, completion_tokens: 500, total_tokens: 750 },
});
const reply = Buffer.from(
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
);

const server = createServer({ noDelay: true }, (socket) => {
  let text = '';
  socket.on('error', () => {});
  socket.on('data', (part) => {
    text += part.toString('latin1');
    for (;;) {
      const head = text.indexOf('\r\n\r\n');
      if (head === -1) return;
      const end = head + 4 + Number(/content-length: *(\d+)/i.exec(text.slice(0, head))?.[1] ?? 0);
      if (text.length < end) return;
      text = text.slice(end);
      if (waitMs === 0) socket.write(reply);
      else setTimeout(() => socket.write(reply), waitMs);
    }
  });
});
server.listen(port, '127.0.0.1');
