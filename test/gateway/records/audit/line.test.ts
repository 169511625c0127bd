import { expect, test } from 'vitest';
import { createAuditLine } from '../../../../src/gateway/records/audit/line.ts';
import { auditEntry } from '../../../support/rooms/audit/memory-audit.ts';

const shown = { tokenId: 'token_id', modelAnswered: 'model_answered', isEmpty: 'empty' } as Record<
  string,
  string | undefined
>;

test.each([
  { fact: 'team', values: ['support', null, 'a "b"'] },
  { fact: 'tokenId', values: ['t1', 't2'] },
  { fact: 'user', values: ['ana', 'bo', null] },
  { fact: 'tenant', values: [null, 'acme'] },
  { fact: 'provider', values: [undefined, 'openai', null] },
  { fact: 'model', values: ['m-1', 'm-2'] },
  { fact: 'modelAnswered', values: [null, 'm-1-2026'] },
  { fact: 'motif', values: ['bot', 'other', 'bot'] },
  { fact: 'decision', values: ['pass', 'warn', 'refused', 'failed'] },
  { fact: 'status', values: [200, 429, 502] },
  { fact: 'reason', values: [null, 'provider 401', 'provider "x"'] },
  { fact: 'refused', values: [undefined, 2, 3] },
  { fact: 'isEmpty', values: [undefined, true] },
  { fact: 'traceparent', values: [undefined, '00-a-b-01', '00-a-c-01'] },
  { fact: 'config', values: ['abc', 'def'] },
])('a line has the $fact of its own prompt, whichever came before', ({ fact, values }) => {
  const auditLine = createAuditLine();
  for (const value of [...values, ...values, values[0]]) {
    const line = JSON.parse(`${auditLine({ ...auditEntry, [fact]: value }, 'now')}}`) as Record<string, unknown>;
    expect(line[shown[fact] ?? fact] ?? null).toBe(value ?? null);
  }
});

test('a line has the findings of its own prompt, whichever came before', () => {
  const auditLine = createAuditLine();
  const hit = { policy: 'p', rule: 'r', on: 'prompt', action: 'warn', message: 0, start: 0, length: 1 } as const;
  const facts = [
    { hits: [], excepted: [], rules: [], action: null },
    { hits: [hit], excepted: [], rules: [{ ...hit, place: null }], action: 'warn' },
    { hits: [], excepted: [hit], rules: [], action: null },
  ];
  for (const { hits, excepted, rules, action } of [...facts, ...facts]) {
    const line = JSON.parse(`${auditLine({ ...auditEntry, hits, excepted }, 'now')}}`) as Record<string, unknown>;
    expect(line).toMatchObject({ rules, action });
    expect(line.excepted).toEqual(excepted.length === 0 ? undefined : [{ ...hit, place: null }]);
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
