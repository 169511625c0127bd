export type ColourChoice = 'always' | 'never' | 'auto';

type Paint = (text: string) => string;

export interface Style {
  /** False: every function below returns its text unchanged. */
  readonly on: boolean;
  readonly bold: Paint;
  readonly dim: Paint;
  readonly italic: Paint;
  readonly underline: Paint;
  readonly red: Paint;
  readonly green: Paint;
  readonly yellow: Paint;
  readonly cyan: Paint;
}

type PaintName = Exclude<keyof Style, 'on'>;

/**
 * True if one stream gets colour. Highest first: --color, NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE, CLICOLOR, TERM, and
 * last whether the stream is a terminal. An empty variable counts as unset; `auto` leaves the choice to the
 * environment.
 */
export function colourIsOn(
  choice: ColourChoice | undefined,
  env: Readonly<Record<string, string | undefined>>,
  isTerminal: boolean,
): boolean {
  if (choice === 'always') return true;
  if (choice === 'never' || env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false';
  if (env.CLICOLOR_FORCE && env.CLICOLOR_FORCE !== '0') return true;
  if (env.CLICOLOR === '0' || env.TERM === 'dumb') return false;
  return isTerminal;
}

/**
 * chalk's own judgement reads argv and part of the environment, so that a prompt word could switch colours: it is given
 * the level instead, and loaded only where there is something to colour.
 */
export async function createStyle(on: boolean): Promise<Style> {
  if (!on) return plainStyle;
  const { Chalk } = await import('chalk');
  const chalk = new Chalk({ level: 1 });
  // chalk joins all its arguments: given straight to `map`, it would print the index and the array too.
  const paint =
    (name: PaintName): Paint =>
    (text) =>
      chalk[name](text);
  return {
    on,
    bold: paint('bold'),
    dim: paint('dim'),
    italic: paint('italic'),
    underline: paint('underline'),
    red: paint('red'),
    green: paint('green'),
    yellow: paint('yellow'),
    cyan: paint('cyan'),
  };
}

const unchanged: Paint = (text) => text;

const plainStyle: Style = {
  on: false,
  bold: unchanged,
  dim: unchanged,
  italic: unchanged,
  underline: unchanged,
  red: unchanged,
  green: unchanged,
  yellow: unchanged,
  cyan: unchanged,
};
