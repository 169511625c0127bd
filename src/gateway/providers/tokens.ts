/**
 * Four bytes of UTF-8 are taken for one token, which needs no vocabulary: for English that is about what tokenizers
 * count, for most other languages more than they do.
 */
const bytesPerToken = 4;

/** An estimate for what a provider does not count; 0 only for an empty text. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / bytesPerToken);
}
