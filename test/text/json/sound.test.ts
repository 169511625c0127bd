import { expect, test } from 'vitest';
import { parseSoundJson } from '../../../src/text/json/sound.ts';

test.each([10, 20_000])(
  'a text of %i keys of which the last stands twice is refused, and read without that one',
  (count) => {
    const members = Array.from({ length: count }, (_, at) => `"k${at}":{"a":${at}}`).join(',');
    expect(parseSoundJson(`{${members}}`)).toEqual(JSON.parse(`{${members}}`));
    expect(() => parseSoundJson(`{${members},"k1":0}`)).toThrow('twice');
    expect(() => parseSoundJson(`{${members},"b":{"a":1,"a":1}}`)).toThrow('twice');
  },
);
