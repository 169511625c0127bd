import { tokenCharactersMax } from './limits.ts';
import { Secret } from './secret.ts';
import { formatSize } from './sizes.ts';

/** A token that cannot be sent, in words that follow its source and never hold any part of its value. */
export class TokenFault extends Error {
  override readonly name = 'TokenFault';
}

/** A whole token as the gateway of motif makes it, wherever it stands in a text. */
export const ownTokenForm = /mtf_\w{40,}/;

/** Blanks around a pasted token are dropped; all inside must be fit to stand in a header as it is. */
export function parseToken(text: string): Secret {
  const token = text.trim();
  if (token === '') throw new TokenFault('is empty');
  if (token.length > tokenCharactersMax) {
    throw new TokenFault(`is longer than ${formatSize(tokenCharactersMax)}`);
  }
  if (/[\r\n]/.test(token)) throw new TokenFault('holds a line break');
  if (/^bearer\s/i.test(token)) throw new TokenFault('must come without "Bearer " before it');
  if (/^(["'])[^]*\1$/.test(token)) throw new TokenFault('stands in quotes: take them off');
  // An own token is known within a text; of any other nobody can tell where it begins.
  if (ownTokenForm.test(token) && ownTokenForm.exec(token)?.[0] !== token)
    throw new TokenFault('has other text beside it, such as NAME= before it: give the token alone');
  const badAt = token.search(/[^\x21-\x7e]/);
  if (badAt === -1) return new Secret(token);
  const what = token[badAt] === ' ' ? 'a space' : 'a character outside printable ASCII';
  throw new TokenFault(`holds ${what} at position ${badAt + 1}`);
}
