/**
 * Thins a source map out to the lines of the sources, which tell where a fault is. Columns and names would be a third of
 * the package.
 */
export function linesOnly(map) {
  const read = [0, 0, 0, 0];
  const written = [0, 0, 0, 0];
  /** The line that is written last; none where a place without a source ended it. */
  let here = '';
  const thinned = (place) => {
    const fields = decoded(place).slice(0, read.length);
    for (const [at, field] of fields.entries()) read[at] += field;
    const line = fields.length === 1 ? 'none' : `${read[1]}:${read[2]}`;
    if (line === here) return [];
    here = line;
    const text = fields.map((_, at) => encoded(read[at] - written[at])).join('');
    for (const at of fields.keys()) written[at] = read[at];
    return [text];
  };
  const mappings = map.mappings.split(';').map((generated) => {
    read[0] = written[0] = 0;
    here = '';
    return generated === '' ? '' : generated.split(',').flatMap(thinned).join(',');
  });
  return { ...map, names: [], mappings: mappings.join(';') };
}

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Numbers in base 64, five bits of a number a digit, the low ones first; its lowest bit is the sign. */
function decoded(text) {
  const numbers = [];
  let [value, shift] = [0, 0];
  for (const digit of text) {
    const bits = digits.indexOf(digit);
    value |= (bits & 31) << shift;
    shift += 5;
    if (bits >= 32) continue;
    numbers.push(value & 1 ? -(value >> 1) : value >> 1);
    [value, shift] = [0, 0];
  }
  return numbers;
}

function encoded(number) {
  let rest = number < 0 ? (-number << 1) | 1 : number << 1;
  let text = '';
  do {
    const bits = rest & 31;
    rest >>= 5;
    text += digits[rest > 0 ? bits | 32 : bits];
  } while (rest > 0);
  return text;
}
