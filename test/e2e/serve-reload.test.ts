import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newToken } from '../../src/gateway/access/token.ts';
import { ask, fileOf, gatewayProcess, token } from '../support/gateway-process.ts';

const patient = { timeout: 15_000 };
const utf16 = Uint8Array.of(0xff, 0xfe, 0x41, 0x00);

/** The file with another token, or with none. */
const withTokens = (text: string) => fileOf().replace(`[{ id: t1, sha256: ${token.sha256} }]`, text);

test('a token that was just made is accepted at once, and a revoked one ends although a document cannot be read', async () => {
  const other = newToken();
  const gateway = await gatewayProcess(withTokens(`[{ id: t2, sha256: ${other.sha256} }]`));
  expect((await ask(gateway.port)).status).toBe(401);
  gateway.write(fileOf());
  // The watch would need longer than this.
  expect((await ask(gateway.port)).status).toBe(200);
  writeFileSync(join(gateway.folder, 'bad.md'), utf16);
  const broken = `knowledge: { notes: { files: bad.md } }\n${withTokens('[]')}  second: { provider: mock, knowledge: [notes] }\n`;
  gateway.write(broken);
  await expect.poll(async () => (await ask(gateway.port)).status, patient).toBe(401);
  expect(String((await gateway.logged('a part of the gateway file is faulty')).part)).toBe('knowledge.notes');
});
