import { createSend } from '../../../src/transport/send.ts';
import { Secret } from '../../../src/text/secret.ts';

/** Sends one request to the address that it is given, and says what came of it; ends when nothing is left to do. */
const send = createSend({ now: () => Date.now() });
const token = new Secret(process.argv[3] ?? '');

send(
  {
    method: 'POST',
    url: process.argv[2] ?? '',
    headers: { authorization: { scheme: 'Bearer', token } },
    body: '{}'.padStart(Number(process.argv[4] ?? 2)),
  },
  { connection: { connectTimeoutMs: 5000 }, deadlineAt: Date.now() + 60_000, bodyBytesMax: 1000 },
).then(
  ({ status }) => process.stdout.write(`${status}\n`),
  (error: unknown) => process.stdout.write(`${String(error)}\n`),
);
