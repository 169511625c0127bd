import { entropy, isCounted, sameness, standsIn } from './rule.ts';

/** Judges of what is given to a name that says it is secret: by the value alone, never by what is around it. */

export const notRandom = 'too little entropy: not random enough for a secret';
const named = 'a word, a name or a path';
const described = 'a size, or what such a value is like';
/** Marks of bcrypt, argon2, scrypt and those of crypt(3), as they are kept in the place of a password. */
const hashOfPassword =
  /^\$(?:2[abxy]?|argon2\w{1,2}|scrypt|pbkdf2[\w-]{0,12}|y|7|[156])\$|^(?:pbkdf2|scrypt|bcrypt|argon2)[\w:-]{0,24}\$/;

/** Values that a program, a shell or a file fills in: `$TOKEN`, `%TOKEN%`, `%s`, `{token}`, `process.env.TOKEN`. */
const filledIn =
  /^(?:\$[A-Za-z_{(][\w.:[\](){}'"|/>-]*$|%\w+%|%[sdvq](?![\w%])|\{|<|\[|#\{|env[.:(]|process\.|os\.|secrets?[.:/]|vault:|ref[+:]|var\.|local\.|data\.|module\.|[!@&][A-Za-z]+(?:$|[/\s.({]))|\$\{|\{\$|\{\{|<\w[^<>]*>|_env\b/i;
/** Values that say that they only stand in: `your_api_key`, `changeme`, `insert_key_here`, dots and stars. */
const saysSo =
  /^(?:.{0,8}(?:…|\.\.\.)|\*+$|\.+$|x+$|-+$|(?:your|my|the|some|new|old|test|user|db|admin|insert|enter|put|a|an)?[_-]?(?:your|api|db|access|secret|auth|client|user|private|app)?[_-]?(?:pass(?:word|phrase|wd)?|pwd|secret|token|key|user(?:name)?|changeme|change[_-]me|redacted|hidden|null|nil|none|undefined|true|false|required|optional|example|placeholder|string|value|here|foo(?:bar)?|todo)s?(?:[_-]?(?:here|goes[_-]here|value|placeholder))?$)|\.\.\.|…|\*{4}|x{6}|#{12}|_here\b|-here\b|\bhere_|your[_-]|insert[_-]|redacted|changeme|replace[_-]?(?:with|me|this)|not[_-]a[_-](?:real|valid)|placeholder|example\.com|dummy|\bfake/i;

function saysItStandsIn(found: string): boolean {
  return filledIn.test(found) || saysSo.test(found) || isRedacted(found);
}

/** A mark that a redaction put in the place of what was found. */
const mark = /\[[A-Z][A-Z\d_]{2,40}\]/g;
const escape = /%[\dA-F]{2}|\\u[\dA-F]{4}/gi;

/** True of marks with nothing but names around them; what else is left of a secret is still one. */
function isRedacted(found: string): boolean {
  const rest = found.replace(mark, ' ');
  return rest !== found && partsOf(rest.replace(escape, ' ')).every(isNamePart);
}

/** More than a mask leaves to be read of a key, and of a password. */
const keyBesideStars = 16;
const passwordBesideStars = 8;

/** A value without the stars behind it, where more of it is left than a mask shows. */
function beforeStars(found: string, atLeast: number): string {
  const bare = found.replace(/\*{4,}$/, '');
  return bare.length >= atLeast ? bare : found;
}

/** Of a password that stands in its usual place, as in an address. */
export function passwordFault(found: string): string | undefined {
  if (saysItStandsIn(beforeStars(found, passwordBesideStars))) return standsIn;
  return new Set(found).size > 2 ? undefined : 'only two different characters';
}

const classes = [/\p{Ll}/u, /\p{Lu}/u, /\d/, /[^\p{L}\d]/u];

function classesOf(found: string): number {
  return classes.filter((one) => one.test(found)).length;
}

/** Names, versions and calls as they stand in programs, in logs and in lists of packages. */
const nameForms: readonly RegExp[] = [
  /^[a-z]+(?:[A-Z][a-z]+)*$/,
  /^(?:[A-Z][a-z]+)+\d?$/,
  /^[A-Z_]+\d?$/,
  /^[a-z]+(?:[-_.][a-z]+)*\d?$/,
  /^[A-Z][a-z]+(?:[ _-][a-z]+)*$/,
  // A version, an address, a network.
  /^[\^~v=<>]{0,2}\d{1,8}(?:\.\d{1,8})+(?:-(?:a|b|alpha|beta|rc|pre|preview|dev|next|canary|nightly|snapshot)[.\d]{0,8})?(?:\/\d{1,3})?$/i,
  // A number.
  /^[+-]?\d{0,6}(?:\.\d{1,8})?e[+-]?\d{1,3}$/i,
  /^[a-z]\w{0,20}:(?:[A-Z][a-z]+){2,}$/,
  // A colour.
  /^#(?:[\da-f]{6}|[\da-f]{8})$/i,
  // An owner and a repository, with a version or an issue.
  /^(?:@?[\w.-]{1,40}\/){1,3}[\w.-]{1,60}(?:@v?\d[\w.]{0,12}|#(?:\d{1,6}|[a-z]{2,20}(?:-[a-z\d]{1,20}){0,4}))$/,
  // A ticket.
  /^[A-Z]{2,5}-[1-9]\d{0,4}$/,
  /^urn:uuid:[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i,
  /^(?!(?=.{30})(?:\D*\d){4})(?:https?|file|ssh|git|s3|arn|urn|data):/,
];
const path = /^[\w.@~-]*(?:\/[\w.@~-]*)+$/;
const dotted = /^[A-Za-z_]\w*(?:(?:\??\.|::|->)[A-Za-z_]\w*)+(?:\(.*)?$/;
/** An object as Java prints it: its class and where it is kept. */
const object = /^[\w$-]+(?:\.[\w$-]+)+@[\da-f]{1,8}$/;
const fileEnding =
  /\.(?:[cm]?[jt]sx?|py|rb|go|rs|java|json|ya?ml|toml|xml|txt|pem|key|crt|cfg|conf|env|md|html?|php|css|svg|png|jpe?g|gif|ico|woff2?|pdf|zip|gz)(?:[?#][\w=&.-]*)?$/;
/** As long as what builders put once into the name of a file, so that browsers notice when it changes. */
const fileHashMax = 12;

/** A name of a person's making: letters, then a few figures, and rarely from small to capital and back. */
export function isNamePart(part: string): boolean {
  if (!/^(?:[A-Za-z]*\d{0,4})$/.test(part)) return false;
  const turns = part.match(/[a-z](?=[A-Z\d])|[A-Z](?=\d)|[A-Z](?=[A-Z][a-z])/g)?.length ?? 0;
  return turns <= 1 + part.length / 4;
}

function areNameParts(found: string): boolean {
  return partsOf(found).every(isNamePart);
}

function partsOf(found: string): string[] {
  return found.split(/[^A-Za-z0-9]/);
}

/** Names, paths, versions and calls, with what is in their brackets; what is random has no such parts. */
function isName(found: string): boolean {
  if (nameForms.some((form) => form.test(found))) return true;
  if (fileEnding.test(found) && /^[\w./@~?#=&-]+$/.test(found)) {
    const odd = partsOf(found).filter((part) => !isNamePart(part));
    return odd.length < 2 && odd.every(({ length }) => length <= fileHashMax);
  }
  // The name behind the star of a pointer; a path into which a program fills something.
  const bare = found.replace(/^\*(?=[a-z]\w*$)/i, '').replace(/(?<=\/)%[sdv]/g, '');
  if (bare !== found || path.test(found) || dotted.test(found)) return areNameParts(bare);
  return object.test(found) && areNameParts(found.replace(/@.*/, ''));
}

/**
 * Names that have a sign in them: a version and an image (`setup@v3`, `app@sha256:9f`), an issue and an anchor
 * (`api#482`, `ACME-1#comment-4`), a user and a host, a commit (`HEAD~3`), a variable, and figures with a unit.
 */
export const signedName =
  /^(?:[\w./-]+@(?:v?\d[\w.-]*|[a-f\d]{7,40}|sha\d.*|(?:latest|main|master|next|beta|stable|edge)\d?)|(?:\w+:)?[a-z][\w.-]{2,}@[a-z][a-z\d.:-]*|(?:[\w.]+:)?[\w.-]+@(?:v\d|sha256).*|[a-z\d:._-]+#[a-z\d_-]+|[A-Z]{2,10}-\d+#[\w-]+|(?:[a-z]+:)?(?:HEAD|ORIG_HEAD|FETCH_HEAD|main|master|v?\d+(?:\.\d+)+)[~^@#*+].{0,16}|\$[\w{}]+|[A-Z]{1,3}[$&][A-Z]?\d+|\d+(?:[.,]\d+)?%\w{0,8}|[a-z_-]+\d{0,4}\*|~\w+)$/;

const moment = /^\d{4}-\d\d-\d\d(?:T[\d:.]{5,15}(?:Z|[+-]\d\d:?\d\d)?)?$/;
/** `auth.acme.example:8443`, and `acme.cmd.auth:run` as lists of commands have it. */
const addressOrEntry = /^[a-z][a-z-]*(?:\.[a-z][a-z-]*){2,}:\d{2,5}$|^[a-z_]+(?:\.[a-z_]+)+:[a-z]+(?:_[a-z]+)+$/;
/** Algorithms and models: `AES-256-GCM`, `scram-sha-256`, `gpt-4o-mini-2024-07-18`. */
const algorithm =
  /^(?:aes|rsa|ecdsa|ecdh|eddsa|hmac|sha|scram|pbkdf|chacha|xchacha|poly|blake|ed25519|x25519|secp|gpt|claude|llama|qwen|gemini|gemma|mistral|mixtral|deepseek)\d{0,4}[a-z]?$/i;
const cipher =
  /^(?:aes|rsa|ecdsa|hmac|sha|scram|pbkdf|md|base|utf|bcrypt|scrypt|argon|ntlm|jwt|uuid|oauth|totp|tls|wpa|wep|[ehpr]s(?=\d))\d{0,4}[a-z]{0,2}$/i;
const cipherPart =
  /^(?:[1-8]|16|32|58|64|128|160|192|224|256|384|512|1024|2048|4096|v\d{1,2}|(?:hash|encrypt|encod|salt|protect|deriv|sign|bas)ed|hash|digest|psk|[gc][cb][mc]|bearer|sae|personal|enterprise)$/i;
const algorithmPart = /^(?:[a-z]{1,10}|[A-Z]{1,8}|\d{1,4}|[A-Za-z]{1,4}\d{1,4}[A-Za-z]{0,3}|\d{1,4}[A-Za-z]{1,2})$/;
/** Words of which one in a value says that it is the name of something: `test-access-key-id-2`, `ec2_region_name`. */
const namingPart = /^(?:id|key|name|token|secret)$/;
const lowerPart = /^[a-z]{1,12}\d?$/;

const units =
  '(?:px|pt|r?em|v[hw]|dp|fr|deg|[mcdk]m|in|ft|nm|[mµun]s|secs?|mins?|hrs?|(?:second|minute|hour|day|week|month|year|bit|byte|char|token)s?|[kmgt]i?b|[kmgt]bps|[kmg]?hz|fps|rpm|dpi|kg|mg|lbs?|ml|[km]w|kwh|mah|%|[a-z](?<=\\.\\d{1,3}[a-z]))';
/** A number and its unit: `120px`, `3.2x`, `1920x1080`, `12.5kW/day`. */
const measure = new RegExp(
  `^[~<>±]?\\d{1,4}(?:\\.\\d{1,3})?(?:x\\d{3,4}|(?:[-–]\\d{1,4})?${units}(?:\\/[a-z]{1,6})?)$`,
  'i',
);
/** The form of a value, told in its place: `32-char-hex`, `8-16-characters`, `2-factor-login`. */
const description =
  /^(?:min-?|max-?)?\d{1,4}(?:-\d{1,4})?[-+]?(?:chars?|characters?|digits?|letters?|bits?|bytes?|hex|words?|days?|hours?|minutes?|months?|factor|step|legged)(?:-[a-z]{2,12})*$/i;

function isDescribed(found: string): boolean {
  if (measure.test(found) || description.test(found)) return true;
  const [first = '', ...others] = partsOf(found);
  return cipher.test(first) && others.every((part) => cipherPart.test(part) || cipher.test(part));
}

/** Names with a figure in them that people gave to algorithms, models, places and secrets; no phrase that is chosen. */
function isNameWithFigures(found: string): boolean {
  if (moment.test(found) || addressOrEntry.test(found)) return true;
  const parts = partsOf(found);
  if (parts.length < 2) return false;
  if (algorithm.test(parts[0] ?? '')) return parts.every((part) => algorithm.test(part) || algorithmPart.test(part));
  const isNumbered = /^\d$/.test(parts.at(-1) ?? '');
  const words = isNumbered ? parts.slice(0, -1) : parts;
  return namingPart.test(words.at(-1) ?? '') && words.every((part) => lowerPart.test(part));
}

/** Lists of names, with short numbers among them; figures alone may be codes. */
function isListOfNames(found: string): boolean {
  if (/^(?:[A-Za-z]+:){2,}$/.test(found)) return true;
  const parts = found.split(/[,;|]/);
  return parts.length > 1 && /[a-z]/i.test(found) && parts.every((part) => /^\d{0,5}$/.test(part) || isName(part));
}

const articlePart = /^(?:[A-Z]?[a-z]{2,}|[A-Z]{1,3}|\d{1,4})$/;

/** Words, short figures and abbreviations in capitals: `SKU-7781-XL-Blue`; a licence has groups of capitals instead. */
export function isArticle(found: string): boolean {
  const parts = partsOf(found);
  const has = (form: RegExp) => parts.some((part) => form.test(part));
  return has(/^[A-Z]{2,3}$/) && has(/^[A-Z]?[a-z]{2,}$/) && parts.every((part) => articlePart.test(part));
}

/** Words beside a value that say that it shows the form alone: `example-9f8a7b3c`, `mock_token_a8f3`. */
const showsForm = /^(?:example|sample|mock(?:ed)?|foobar)[_.-]|[_.-](?:example|sample|mock)$/i;
/** Sums that programs print for a file of nothing: MD5, SHA-1, SHA-256. */
const sumsOfNothing =
  /^(?:d41d8cd98f00b204e9800998ecf8427e|da39a3ee5e6b4b0d3255bfef95601890afd80709|e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855)$/i;

/** Letters alone that nobody can speak, in both cases: `OZKxkfeyNHRJNj`, and not `HTTPSConnectionPool`. */
function isScrambled(found: string): boolean {
  if (!/^[A-Za-z]{10,64}$/.test(found)) return false;
  const runs = found.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? [];
  const odd = runs.filter((run) => run.length < 3 || !/[aeiouy]/i.test(run) || /[^aeiouy]{4}/i.test(run));
  return runs.length > 3 && 2 * odd.join('').length >= found.length;
}

const countedMin = 16;

/** Words and sentences are no secrets, and nor are names with dots in them as they stand in programs. */
export function randomFault(given: string): string | undefined {
  const found = beforeStars(given, keyBesideStars).replace(/^base64:/, '');
  if (saysItStandsIn(found) || saysItStandsIn(found.replace(/\d{1,4}$/, ''))) return standsIn;
  if (isName(found) || isListOfNames(found) || isNameWithFigures(found)) return named;
  if (isDescribed(found)) return described;
  if (/[a-z]{3}%20[a-z]{3}/i.test(found)) return 'words';
  if (/^\d+$/.test(found)) return found.length >= 15 && new Set(found).size > 4 ? undefined : 'a plain number';
  if (classesOf(found) < 2 || !/\d/.test(found)) {
    const isDense =
      found.length >= 16 && classesOf(found) > 1 && entropy(found) > 3.8 && !/[ _-][a-z]{3,}[ _-]/.test(found);
    if (!isDense && !isScrambled(found)) return 'characters of one sort alone';
  }
  if (entropy(found) < (found.length >= 20 ? 3.0 : 2.5)) return sameness(found) ?? notRandom;
  if (showsForm.test(found) || sumsOfNothing.test(found)) return standsIn;
  // A long one that counts up is what people type first to see whether it is found.
  return sameness(found) ?? (found.length < countedMin && isCounted(found) ? standsIn : undefined);
}

/** A password is chosen by a person: short, and with a figure or a sign in it more often than not. */
export function chosenFault(given: string): string | undefined {
  const found = beforeStars(given, passwordBesideStars);
  if (saysItStandsIn(found) || saysItStandsIn(found.replace(/[.,:;!?]+$/, ''))) return standsIn;
  if (hashOfPassword.test(found)) return 'the hash of a password';
  // A word with a figure at its end is what many choose.
  if (isName(found) && (!/\d/.test(found) || /[./:(]/.test(found))) return named;
  if (isDescribed(found)) return described;
  if (/[()[\]{}]|=>|->|^\W|::/.test(found) && !/\d/.test(found)) return 'a piece of a program';
  if (new Set(found).size < 4 || /(.)\1{5}/.test(found)) return 'too few different characters';
  return /\d/.test(found) || classesOf(found) > 2 || isScrambled(found) ? undefined : 'a word';
}

/** Stand-ins that manuals write for a name and its password. */
const manualPassword =
  /^(?:pass(?:word|wd)?|pwd|pw|secret|token|test|yyy+|bar|api[_-]?key|\$.*|\[.*|<.*|\{\{.*)[>)\]]?$/i;

/** Of a password that is handed to a command or a function. */
export function commandFault(found: string): string | undefined {
  const bare = beforeStars(found.replace(/\\n.*$/, '').replace(/^\{(.*)\}$/, '$1'), passwordBesideStars);
  if (manualPassword.test(bare) || saysItStandsIn(bare)) return standsIn;
  return new Set(bare).size > 3 ? undefined : 'too few different characters';
}
