import { connect } from 'node:net';

/**
 * Sends one request again and again over so many connections and reads each reply to its end. Plain sockets, because an
 * HTTP client in this process would cost more than the gateway that is measured. Any reply but a 200 is a failure.
 */
export async function load({ port, path, headers, body, connections, forMs = Infinity, count = Infinity, warmUp = 0 }) {
  const request = toBytes(port, path, headers, body);
  const latencies = [];
  const state = { sent: 0, failed: 0, measured: 0, startedAt: 0, sample: '' };
  const endsAt = performance.now() + forMs;
  const goesOn = () => state.sent < count + warmUp && performance.now() < endsAt;
  await Promise.all(
    Array.from({ length: connections }, () => converse(port, request, { state, latencies, goesOn, warmUp })),
  );
  const seconds = (performance.now() - state.startedAt) / 1000;
  return { perSecond: state.measured / seconds, failed: state.failed, sample: state.sample, ...percentiles(latencies) };
}

function toBytes(port, path, headers, body) {
  const all = {
    host: `127.0.0.1:${port}`,
    ...headers,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
}

function converse(port, request, { state, latencies, goesOn, warmUp }) {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let sentAt = 0;
    let parts = [];
    let length = 0;
    let expected;
    const send = () => {
      if (!goesOn()) return socket.end(resolve);
      state.sent += 1;
      if (state.sent === warmUp + 1 || state.startedAt === 0) state.startedAt = performance.now();
      parts = [];
      length = 0;
      expected = undefined;
      sentAt = performance.now();
      socket.write(request);
    };
    socket.on('data', (part) => {
      parts.push(part);
      length += part.length;
      expected ??= expectedOf(parts.length === 1 ? part : Buffer.concat(parts));
      const isWhole = expected === 'chunked' ? part.toString('latin1').endsWith('0\r\n\r\n') : length >= expected;
      if (!isWhole) return;
      if (state.sent > warmUp) {
        latencies.push(performance.now() - sentAt);
        state.measured += 1;
      }
      const head = parts[0].toString('latin1', 0, 15);
      if (!head.startsWith('HTTP/1.1 200')) {
        state.failed += 1;
        state.sample ||= Buffer.concat(parts).toString();
      }
      send();
    });
    socket.on('connect', send).on('error', reject);
  });
}

/** The length of the whole reply, once its headers are there. */
function expectedOf(bytes) {
  const end = bytes.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const head = bytes.toString('latin1', 0, end);
  const length = /content-length: *(\d+)/i.exec(head)?.[1];
  return length === undefined ? 'chunked' : end + 4 + Number(length);
}

/** Of a hundred, the 99th: the slowest, which is mostly the first of its connection, is the hundredth. */
function percentiles(latencies) {
  const sorted = Float64Array.from(latencies).sort();
  const at = (share) => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? NaN;
  return { p50: at(0.5), p99: at(0.99) };
}
