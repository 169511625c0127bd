/** Tries of a property: all in `npm run faults`, a fifth in `npm test`, with other values each time. */
export function runs(count: number): { readonly numRuns: number } {
  return { numRuns: process.env.MOTIF_TEST_DEEP === '1' ? count : Math.ceil(count / 5) };
}
