/** Callers of another Motif than those that are flooded, and what each of their waits cost the gateway. */
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';

/** Longer than this nobody waits. */
const waitMsMax = 20_000;

const prompt = (bytes) =>
  JSON.stringify({ messages: [{ role: 'user', content: 'How long can I return a kettle? '.repeat(bytes / 32) }] });

export function callersOf(token) {
  const post = (body) =>
    `POST /api/v1/apps/bot/prompts HTTP/1.1\r\nHost: gw\r\nAuthorization: Bearer ${token}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const [small, large] = [post(prompt(320)), post(prompt(30_000))];
  return [
    { name: 'kept, small', request: small, everyMs: 20, isKept: true },
    { name: 'kept, 30 kB', request: large, everyMs: 150, isKept: true },
    { name: 'new, small', request: small, everyMs: 40, isKept: false },
    { name: 'new, 30 kB', request: large, everyMs: 250, isKept: false },
    {
      name: '/livez',
      request: 'GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n',
      everyMs: 50,
      isKept: false,
      isAdmin: true,
    },
  ];
}

/** CPU time in milliseconds: of the event loop, and of the whole process with its threads of judging. */
function cpuOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1].split(' ');
  const loopNs = Number(readFileSync(`/proc/${pid}/schedstat`, 'latin1').split(' ')[0]);
  return { loop: loopNs / 1e6, all: (Number(fields[11]) + Number(fields[12])) * 10 };
}

/** Asks again and again until `isOver`, and resolves with each wait: its status, and its milliseconds by three clocks. */
export async function callAgain({ request, everyMs, isKept, isAdmin = false }, { ports, pid, isTls, isOver }) {
  const waits = [];
  let socket;
  while (!isOver()) {
    const nextAt = performance.now() + everyMs;
    const [startedAt, before] = [performance.now(), cpuOf(pid)];
    if (socket === undefined || socket.destroyed)
      socket = isAdmin ? open(ports.admin, false) : open(ports.gateway, isTls);
    const status = await askOver(socket, request);
    const after = cpuOf(pid);
    waits.push({
      status,
      wall: performance.now() - startedAt,
      loop: after.loop - before.loop,
      all: after.all - before.all,
    });
    if (!isKept || status === 'none') socket.destroy();
    await wait(Math.max(0, nextAt - performance.now()));
  }
  socket?.destroy();
  return waits;
}

function open(port, isTls) {
  const to = { host: '127.0.0.1', port, localAddress: '127.0.9.9', rejectUnauthorized: false };
  return (isTls ? connectTls(to) : connect(to)).setEncoding('latin1').on('error', () => undefined);
}

/** The status, or why there is none. */
function askOver(socket, request) {
  return new Promise((resolve) => {
    let text = '';
    const timer = setTimeout(() => end('none'), waitMsMax);
    const gone = () => end('closed');
    const end = (status) => {
      clearTimeout(timer);
      socket.off('data', hear).off('close', gone);
      resolve(status);
    };
    const hear = (part) => {
      text += part;
      const head = text.indexOf('\r\n\r\n');
      if (head === -1) return;
      const length = Number(/content-length: *(\d+)/i.exec(text.slice(0, head))?.[1] ?? 0);
      if (text.length >= head + 4 + length) end(text.slice(9, 12));
    };
    socket.on('data', hear).on('close', gone);
    socket.write(request);
  });
}
