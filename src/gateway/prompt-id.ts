/** Crockford's alphabet: no letter that is mistaken for a digit. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const randomBytesEach = 10;
/** Asked of the system at once; one call for each prompt would cost more than all the rest. */
const batchSize = 1024;

interface PromptIdParts {
  readonly now: () => number;
  readonly random: (bytes: number) => Uint8Array;
}

/** Makes ULIDs: 48 bits of time and 80 random ones in 26 characters, which sort by the time they were made. */
export function createPromptIds({ now, random }: PromptIdParts): () => string {
  let bytes: Uint8Array = new Uint8Array();
  let at = 0;
  let moment = NaN;
  let time = '';
  return function newPromptId() {
    if (at >= bytes.length) {
      bytes = random(randomBytesEach * batchSize);
      at = 0;
    }
    const current = now();
    if (current !== moment) {
      moment = current;
      time = base32(current, 10);
    }
    const id = time + eightLetters(bytes, at) + eightLetters(bytes, at + 5);
    at += randomBytesEach;
    return id;
  };
}

/** Of five bytes. */
function eightLetters(bytes: Uint8Array, start: number): string {
  // Numbers of 20 bits, which the processor takes apart by itself, as it does not with 40.
  const high = (bytes[start]! << 12) | (bytes[start + 1]! << 4) | (bytes[start + 2]! >> 4);
  const low = ((bytes[start + 2]! & 15) << 16) | (bytes[start + 3]! << 8) | bytes[start + 4]!;
  return fourLetters(high) + fourLetters(low);
}

/** All pairs of letters in order, made when the first ID is. */
let pairs: readonly string[] = [];

function fourLetters(bits: number): string {
  if (pairs.length === 0) pairs = allPairs();
  return pairs[bits >> 10]! + pairs[bits & 1023]!;
}

function allPairs(): readonly string[] {
  const letters = alphabet.split('');
  return letters.flatMap((first) => letters.map((second) => first + second));
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
