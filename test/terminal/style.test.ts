import { describe, expect, test } from 'vitest';
import { type ColourChoice, colourIsOn, createStyle } from '../../src/terminal/style.ts';

interface Row {
  readonly choice?: ColourChoice;
  readonly env: Record<string, string>;
  /** In a pipe, then on a terminal. */
  readonly on: readonly [boolean, boolean];
}

const always = [true, true] as const;
const never = [false, false] as const;
const onTerminal = [false, true] as const;

const rows: readonly Row[] = [
  { env: {}, on: onTerminal },
  { choice: 'auto', env: {}, on: onTerminal },
  { choice: 'always', env: {}, on: always },
  { choice: 'never', env: {}, on: never },
  { env: { NO_COLOR: '1' }, on: never },
  { env: { NO_COLOR: '0' }, on: never },
  { env: { NO_COLOR: '' }, on: onTerminal },
  { env: { FORCE_COLOR: '1' }, on: always },
  { env: { FORCE_COLOR: 'true' }, on: always },
  { env: { FORCE_COLOR: '0' }, on: never },
  { env: { FORCE_COLOR: 'false' }, on: never },
  { env: { FORCE_COLOR: '' }, on: onTerminal },
  { env: { CLICOLOR_FORCE: '1' }, on: always },
  { env: { CLICOLOR_FORCE: '0' }, on: onTerminal },
  { env: { CLICOLOR_FORCE: '' }, on: onTerminal },
  { env: { CLICOLOR: '0' }, on: never },
  { env: { CLICOLOR: '1' }, on: onTerminal },
  { env: { TERM: 'dumb' }, on: never },
  { env: { TERM: 'xterm-256color' }, on: onTerminal },
  { env: { TERM: '' }, on: onTerminal },
  // Each level against the next one below it.
  { choice: 'always', env: { NO_COLOR: '1' }, on: always },
  { choice: 'never', env: { FORCE_COLOR: '1' }, on: never },
  { choice: 'auto', env: { NO_COLOR: '1' }, on: never },
  { env: { NO_COLOR: '1', FORCE_COLOR: '1' }, on: never },
  { env: { FORCE_COLOR: '0', CLICOLOR_FORCE: '1' }, on: never },
  { env: { FORCE_COLOR: '1', CLICOLOR_FORCE: '0' }, on: always },
  { env: { CLICOLOR_FORCE: '1', CLICOLOR: '0' }, on: always },
  { env: { CLICOLOR: '0', TERM: 'xterm' }, on: never },
  { env: { FORCE_COLOR: '1', TERM: 'dumb' }, on: always },
  { env: { CLICOLOR: '1', TERM: 'dumb' }, on: never },
];

describe('whether a stream gets colour', () => {
  test.each(rows.map((row) => ({ ...row, title: JSON.stringify({ color: row.choice, ...row.env }) })))(
    '$title: in a pipe and on a terminal $on',
    ({ choice, env, on }) => {
      expect([colourIsOn(choice, env, false), colourIsOn(choice, env, true)]).toEqual(on);
    },
  );
});

const names = ['bold', 'dim', 'italic', 'underline', 'red', 'green', 'yellow', 'cyan'] as const;

describe('a style', () => {
  test.each(names)('%s leaves text as it is when off', async (name) => {
    const style = await createStyle(false);
    expect(style.on).toBe(false);
    expect(style[name]('text')).toBe('text');
  });

  test.each(names)('%s puts codes of 16 colours around it when on, whatever this process is told', async (name) => {
    const style = await createStyle(true);
    expect(style.on).toBe(true);
    expect(style[name]('text')).toMatch(/^\u001b\[\d{1,2}mtext\u001b\[\d{1,2}m$/);
  });

  test.each(names)('%s given straight to map paints each text alone', async (name) => {
    const style = await createStyle(true);
    expect(['one', 'two'].map(style[name])).toEqual([style[name]('one'), style[name]('two')]);
  });
});
