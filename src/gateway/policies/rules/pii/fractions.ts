import { putTogether } from '../../readings/letters.ts';
import type { Span, View } from '../../readings/view.ts';
import type { Entity } from './entity.ts';

const fraction = '(?:0|[1-9]\\d{0,3})?\\.\\d+';
/** Coordinates of a picture and the like: two numbers, each with a point in it. */
const fractions = new RegExp(`(?<![\\d.])${fraction}[ ,\\t]{1,2}-?(?=\\d)${fraction}`);
/** One that no phone is written like, as a column of measurements has it. */
const measured = /^\d{1,2}\.\d{5,}$/;
/** So many that arithmetic which two of them satisfy says nothing. */
const manyFractions = /(?:(?<![\d.])\d{1,3}\.\d+[ ,]{1,2}){2}-?\d{1,3}\.\d/;
const fractionCharacters = 14;

/** True for numbers with points that stand in a row, as those of a picture do. */
export function isRowOfFractions({ place, checksum }: Entity, text: string, { start, end }: Span): boolean {
  const found = text.slice(start, end);
  if (place !== 'digits' || (text[start - 1] !== '.' && /^[+(]|^0\d/.test(found))) return false;
  const around = (distance: number) => text.slice(Math.max(0, start - distance), end + distance);
  if (checksum === undefined) return fractions.test(around(2));
  return !manyFractions.test(found) && manyFractions.test(around(fractionCharacters)) && fractions.test(found);
}

/** True for a number of a table of measurements, whatever the word at the head of its row. */
export function isMeasurement({ place, checksum }: Entity, text: string, { start, end }: Span): boolean {
  if (place !== 'digits' || checksum !== undefined || !measured.test(text.slice(start, end))) return false;
  return fractions.test(text.slice(Math.max(0, start - fractionCharacters), end + fractionCharacters));
}

/** True for figures apart from each other, as those of a matrix are: zeros in front make a row of them no phone. */
export function isRowOfFigures({ checksum }: Entity, { text, seen }: View, { start, end }: Span): boolean {
  return checksum === undefined && seen.endsWith(putTogether) && /^\d+$/.test(text.slice(start, end));
}
