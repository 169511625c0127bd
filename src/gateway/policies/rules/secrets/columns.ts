import type { SecretRule } from './rule.ts';
import { foreignWords, passwordWords } from './password-words.ts';
import { chosenFault, randomFault } from './values.ts';
import { cellEnd } from '../../readings/tables/markup-tables.ts';

/** Values below a head of a table that says that they are secret: in Markdown, HTML, CSV, or aligned by blanks. */

const passwordHeads = [
  ...new Set([...passwordWords, 'passcode', 'passphrase', 'userpass', 'user_pass', ...foreignWords]),
];
const secretHeads = [
  'token',
  'secret',
  'api key',
  'api_key',
  'apikey',
  'access key',
  'access_key',
  'secret key',
  'secret_key',
  'private key',
  'private_key',
  'privatekey',
  'encryption key',
  'encryption_key',
  'encryptionkey',
  'deploy key',
  'deploy_key',
  'deploykey',
  'signing_key',
  'signingkey',
  'secretkey',
  'accesskey',
  'credential',
  'credentials',
];
const behind = `["'\`*]{0,3}(?: \\([\\p{L} .]{1,20}\\))?(?: {0,40}[|,;\\t)]| {2}| ?\\r?\\n|${cellEnd})`;
/** Signs right behind a head: quotation marks, a note in brackets, then what parts it from the next one. */
export const behindHead = new RegExp(behind, 'iyu');

function headOf(heads: readonly string[]): RegExp {
  return new RegExp(`(?:${heads.join('|')})(?=${behind})`, 'giu');
}

/** Other cells of such columns: hashes, sums, days, types with a length, rules, tickets, names with a number. */
const otherCell =
  /^(?:[\da-f]{8}){4,16}$|^[-+]?(?=[\d.,:/-]*[.,:/-])[\d.,:/-]+$|^\d{1,3}$|^\w+\([^)]*\)$|^[a-z]+:[\w:|/.-]+$|^#\d+$|^(?:[A-Z]{2,5}|Q\d)-\d+$|^(?=.{1,12}$)[a-z]+(?:[-_][a-z]+)*[-_]\d$|^(?:in)?valid_[a-z_]{1,16}\d{0,2}$|^[a-z]{2,8}_user\d{1,2}$/;
/** Addresses, versions and UUIDs, which stand below such names and in notes more often than secrets do. */
export const ordinary = /["'`]?(?:[a-z]+:\/\/|0x|v?\d+\.\d+\.\d|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?![\w-]))/;
/** A value with a long part that nobody would name anything: figures with letters behind them. */
export const oddValue = /["'`]?[^\s"'`|]{0,60}?(?<![A-Za-z\d])(?=[A-Za-z\d]{0,40}\d[A-Za-z])[A-Za-z\d]{12}/;
const oddCell = new RegExp(`^(?=.{16})(?!${ordinary.source})${oddValue.source}`, 'i');

export const columnRules: readonly SecretRule[] = [
  {
    name: 'assigned_password',
    sample: '\nuser,password,host\nana,{w8}9!,db1\n',
    lookAlike: '\nuser,password,host\nana,$PASSWORD,db1\n',
    keys: passwordHeads,
    isHead: true,
    isNearKey: true,
    pattern: headOf(passwordHeads),
    fault: (found) => (otherCell.test(found) ? 'an amount, a rule or a name' : chosenFault(found)),
  },
  {
    name: 'assigned_secret',
    sample: '\n| Name | API key |\n| --- | --- |\n| shop | {w32}7 |\n',
    lookAlike: '\n| Name | API key |\n| --- | --- |\n| shop | settings.shop.key2 |\n',
    keys: secretHeads,
    isHead: true,
    isNearKey: true,
    pattern: headOf(secretHeads),
    fault: (found) => randomFault(found) ?? (oddCell.test(found) ? undefined : 'a name, an address or a number'),
  },
];
