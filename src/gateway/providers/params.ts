import { foundAnyWords } from '../../text/secret.ts';
import type { ParamNames } from './format.ts';

/** A parameter of a Motif that cannot be sent; `expected` follows "params.NAME ". */
export interface ParamFault {
  readonly name: string;
  readonly expected: string;
}

interface Rule {
  readonly expected: string;
  accepts(value: unknown): boolean;
}

/** The neutral parameters. Each format has its own names for them, or does without. */
const rules: Readonly<Record<string, Rule>> = {
  max_tokens: whole(1),
  temperature: between(0, 2),
  top_p: between(0, 1),
  top_k: whole(1),
  stop: { expected: 'must be a text or a list of texts', accepts: isStop },
  seed: whole(Number.MIN_SAFE_INTEGER),
  frequency_penalty: between(-2, 2),
  presence_penalty: between(-2, 2),
};

/** The faults of parameters; those in `reserved` are the gateway's to set, whatever names a format knows. */
export function paramFaults(
  params: Readonly<Record<string, unknown>>,
  names: ParamNames,
  reserved: readonly string[],
): ParamFault[] {
  return Object.entries(params).flatMap(([name, value]) => {
    const expected = reserved.includes(name) ? 'is set by the gateway itself' : faultOf(name, value, names);
    return expected === undefined ? [] : [{ name, expected }];
  });
}

function faultOf(name: string, value: unknown, names: ParamNames): string | undefined {
  if (names !== 'any' && !Object.hasOwn(names, name)) {
    return `is no parameter of this kind of provider, which knows ${Object.keys(names).join(', ')}`;
  }
  const rule = Object.hasOwn(rules, name) ? rules[name]! : undefined;
  return rule === undefined || rule.accepts(value) ? undefined : `${rule.expected}${foundAnyWords(value)}`;
}

/**
 * Parameters under a format's own names. One that it does not know is left out: it was meant for the provider whose
 * fallback this one is.
 */
export function toParams(
  params: Readonly<Record<string, unknown>>,
  names: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const known = Object.entries(params).filter(([name]) => Object.hasOwn(names, name));
  return Object.fromEntries(known.map(([name, value]) => [names[name], name === 'stop' ? [value].flat() : value]));
}

function whole(min: number): Rule {
  return {
    expected: min > 0 ? `must be a whole number from ${min}` : 'must be a whole number',
    accepts: (value) => Number.isSafeInteger(value) && (value as number) >= min,
  };
}

function between(min: number, max: number): Rule {
  return {
    expected: `must be a number from ${min} to ${max}`,
    accepts: (value) => typeof value === 'number' && value >= min && value <= max,
  };
}

function isStop(value: unknown): boolean {
  const texts = [value].flat();
  return texts.length > 0 && texts.every((text) => typeof text === 'string' && text !== '');
}
