const alphabets: Readonly<Record<string, string>> = {
  w: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789',
  a: 'abcdefghijklmnopqrstuvwxyz0123456789',
  u: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789',
  l: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz',
  d: '0123456789',
  h: '0123456789abcdef',
  x: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567',
};

/** A sample of a rule of secrets with each `{w20}` filled with characters of its alphabet, the same each time. */
export function filled(sample: string): string {
  let seed = 20_261_122;
  const next = (below: number) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return (seed >>> 16) % below;
  };
  return sample.replace(/\{([a-z])(\d+)\}/g, (_, name: string, length: string) => {
    const alphabet = alphabets[name] ?? alphabets['w']!;
    return Array.from({ length: Number(length) }, () => alphabet[next(alphabet.length)]).join('');
  });
}
