/** Crockford's alphabet: no letter that is mistaken for a digit. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const randomBytesEach = 10;
/** Asked of the system at once; one call for each prompt would cost more than all the rest. */
const batchSize = 256;

export interface PromptIdParts {
  readonly now: () => number;
  readonly random: (bytes: number) => Uint8Array;
}

/** Makes ULIDs: 48 bits of time and 80 random ones in 26 characters, which sort by the time they were made. */
export function createPromptIds({ now, random }: PromptIdParts): () => string {
  let bytes: Uint8Array = new Uint8Array();
  let at = 0;
  return function newPromptId() {
    if (at >= bytes.length) {
      bytes = random(randomBytesEach * batchSize);
      at = 0;
    }
    const id = base32(now(), 10) + base32(fiveBytes(bytes, at), 8) + base32(fiveBytes(bytes, at + 5), 8);
    at += randomBytesEach;
    return id;
  };
}

function fiveBytes(bytes: Uint8Array, start: number): number {
  let value = 0;
  for (let index = start; index < start + 5; index++) value = value * 256 + (bytes[index] ?? 0);
  return value;
}

function base32(value: number, characters: number): string {
  let text = '';
  let rest = Math.floor(value);
  for (let count = 0; count < characters; count++) {
    text = alphabet.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}
