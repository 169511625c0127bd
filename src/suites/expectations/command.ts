import { list, text } from '../../documents/shape.ts';
import { type Expectation, met } from './expectation.ts';

/** A program of the person's own that judges the answer; it is run after all else was met, and only if allowed. */
export const command: Expectation<readonly string[]> = {
  about: 'a program and its arguments that judges the result on its stdin; only where commands are allowed',
  shape: list(text(), { least: 1 }),
  judge: () => met,
};
