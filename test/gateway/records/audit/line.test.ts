import { expect, test } from 'vitest';
import { createAuditLine } from '../../../../src/gateway/records/audit/line.ts';
import { auditEntry } from '../../../support/rooms/audit/memory-audit.ts';

const shown = { tokenId: 'token_id', modelAnswered: 'model_answered' } as Record<string, string | undefined>;

test.each([
  { fact: 'team', values: ['support', null, 'a "b"'] },
  { fact: 'tokenId', values: ['t1', 't2'] },
  { fact: 'user', values: ['ana', 'bo', null] },
  { fact: 'tenant', values: [null, 'acme'] },
  { fact: 'provider', values: [undefined, 'openai', null] },
  { fact: 'model', values: ['m-1', 'm-2'] },
  { fact: 'modelAnswered', values: [null, 'm-1-2026'] },
  { fact: 'motif', values: ['bot', 'other', 'bot'] },
])('a line has the $fact of its own prompt, whichever came before', ({ fact, values }) => {
  const auditLine = createAuditLine();
  for (const value of [...values, ...values, values[0]]) {
    const line = JSON.parse(`${auditLine({ ...auditEntry, [fact]: value }, 'now')}}`) as Record<string, unknown>;
    expect(line[shown[fact] ?? fact]).toBe(value ?? null);
  }
});

test('lines of more Motifs than are remembered are their own', () => {
  const auditLine = createAuditLine();
  for (let round = 0; round < 2; round++) {
    for (let index = 0; index < 1100; index++) {
      expect(auditLine({ ...auditEntry, motif: `bot${index}` }, 'now')).toContain(`"motif":"bot${index}","team"`);
    }
  }
});
