/** Choices that are the same for the same seed. */
export function seeded(seed) {
  let state = seed * 2_654_435_769 + 1;
  const next = () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 12), 0x297a2d39);
    mixed ^= mixed >>> 15;
    return (mixed >>> 0) / 2 ** 32;
  };
  const below = (max) => Math.floor(next() * max);
  return {
    below,
    oneOf: (list) => list[below(list.length)],
    /** So many different ones of a list. */
    someOf(list, count) {
      const left = [...list];
      return Array.from({ length: Math.min(count, left.length) }, () => left.splice(below(left.length), 1)[0]);
    },
  };
}
