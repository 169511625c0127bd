import { expect, test } from 'vitest';
import { counted } from '../../src/text/counts.ts';

test.each([
  { said: counted(0, 'turn'), is: '0 turns' },
  { said: counted(1, 'turn'), is: '1 turn' },
  { said: counted(2, 'turn'), is: '2 turns' },
  { said: counted(1, 'policy', 'policies'), is: '1 policy' },
  { said: counted(3, 'policy', 'policies'), is: '3 policies' },
])('$is', ({ said, is }) => {
  expect(said).toBe(is);
});
