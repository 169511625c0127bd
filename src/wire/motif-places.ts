import { plainWord } from '../text/defuse.ts';
import { isLoopback } from './http.ts';
import type { MotifTarget } from './request.ts';

/** Words for where a person finds address, token and tenant ID of a Motif. */
interface MotifPlaces {
  readonly address: string;
  readonly token: string;
  /** Advice about a token that was not accepted. */
  readonly tokenAgain: string;
  readonly tenant: string;
  /** Lines for somebody who is asked for all of it. */
  readonly guide: readonly string[];
}

/** Names the commands that print a new token. */
const printed = 'printed by motif admin init, motif admin create or motif serve (the demo)';

const definition = 'console > Motifs > three dots > details > API definition';
const inConsole: MotifPlaces = {
  address: definition,
  token: definition,
  tokenAgain: `copy it again: ${definition}`,
  tenant: 'console > settings',
  guide: [`${definition} shows address and token; settings shows the tenant`],
};

/** The console of a service; for a gateway of this machine, which has none, the commands that read its file. */
export function motifPlaces(target?: MotifTarget): MotifPlaces {
  if (target === undefined || !isLoopback(new URL(target.baseUrl).hostname)) return inConsole;
  const id = plainWord(target.motifId);
  const show = `motif admin show ${id}`;
  const another = `another one, with the gateway file: motif admin rotate ${id} --keep`;
  return {
    address: show,
    token: `it was ${printed}; ${another}`,
    tokenAgain: `the right one was ${printed}; ${another}`,
    tenant: `${show}; the demo needs none`,
    guide: [`the token was ${printed}`, another, `address and tenant: ${show}`],
  };
}
