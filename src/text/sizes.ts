const unitBytes: Record<string, number> = {
  b: 1,
  kb: 1000,
  mb: 1000 ** 2,
  gb: 1000 ** 3,
  kib: 1024,
  mib: 1024 ** 2,
  gib: 1024 ** 3,
};

/** Bytes of `64KiB`, `1.5MiB`, `10MB` or a bare number of bytes, in any case; undefined for anything else. */
export function parseSize(text: string): number | undefined {
  const parts = /^(\d+(?:\.\d+)?)(b|[kmg]i?b)?$/i.exec(text);
  if (parts === null) return undefined;
  const bytes = Math.round(Number(parts[1]) * unitBytes[(parts[2] ?? 'b').toLowerCase()]!);
  return Number.isSafeInteger(bytes) ? bytes : undefined;
}

/**
 * Four bytes of UTF-8 are taken for one token, which needs no vocabulary: for English that is about what tokenizers
 * count, for most other languages more than they do.
 */
const bytesPerToken = 4;

/** An estimate for what no provider has counted; 0 only for an empty text. */
export function estimateTokens(text: string): number {
  return tokensOfBytes(Buffer.byteLength(text));
}

/** The same for the messages of a prompt. */
export function estimatePrompt(messages: readonly { readonly content: string }[]): number {
  return messages.reduce((sum, { content }) => sum + estimateTokens(content), 0);
}

/** The same estimate for texts that are counted already. */
export function tokensOfBytes(bytes: number): number {
  return Math.ceil(bytes / bytesPerToken);
}

/** A size for people: `512 bytes`, `64 KiB`, `1.5 MiB`. */
export function formatSize(bytes: number): string {
  if (bytes < 1024) return counted(bytes, 'byte');
  const units = ['KiB', 'MiB', 'GiB', 'TiB'];
  let tenths = Math.round((bytes * 10) / 1024);
  while (tenths >= 10_240 && units.length > 1) {
    tenths = Math.round(tenths / 1024);
    units.shift();
  }
  return `${tenths / 10} ${units[0]}`;
}

/** A count with its noun: `1 turn`, `2,000 turns`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}

/** `12345` as `12,345`. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}
