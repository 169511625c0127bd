import { foreignLinks, foreignNotes, foreignWord, foreignWords, passwordWords } from './password-words.ts';
import { type SecretRule, standsIn } from './rule.ts';
import { bareFault } from './told-keys.ts';
import { chosenFault, signedName } from './values.ts';

/** Passwords that a sentence tells. */

/** Words that a name and its password stand behind. */
const pairNames = [
  'log-?ins?|logon|logins?|(?:log|sign)(?:ged|ing)? ?in (?:with|as|using)|credentials?|creds?',
  'user(?:name)?s? ?(?:/|and|&) ?pass(?:word|wd)?s?|zugang(?:sdaten)?|anmeldedaten|identifiants?|credenciales|credenziali|inloggegevens',
].join('|');

export const toldRules: readonly SecretRule[] = [
  {
    name: 'told_password',
    sample: 'my password is hunter2!x',
    lookAlike: 'my password is secret',
    isNearKey: true,
    keys: ['password', 'passcode', 'passphrase', 'pwd ', 'pw is', 'pwd', ' pass ->', ' pass is'],
    beginsWith: ['pass', 'pw'],
    pattern:
      /(?:(?:passwords?|passcode|passphrase|pass\s?word|p(?<=(?:^|[^a-z])(?<!(?:boarding|bus|train|rail|tram|metro|travel|day|week|month|year|season|ski|lift|park|parking|museum|press|visitor|guest|event|festival|gate)[ -])p)(?:wd?|ass))(?:\s(?:for|of|on|to)\s[^\n.!?:;]{1,40}?|\s\([\w .,-]{1,30}\))?(?:\s{1,3}(?:(?:changed|reset|set|updated) to|is|was|will be|has been|have been|to|è|é|ist|lautet|est|es|jest|je|—|–)|['’]s(?=\s)|\s{0,3}(?:->|=>|→|⇒|➜))(?:\s(?:now|currently|still|set|reset|changed|updated|rotated)){0,2}(?:\sto)?:?\s{1,3}(?:is\s)?)(?:\*{1,3}|<(?:b|strong|i|em|code|span|kbd|tt)\b[^<>\n]{0,80}>)?["'`“«「]?([^\s"'`”»」<>]{4,64})/giu,
    fault: toldFault,
  },
  {
    name: 'told_password',
    sample: 'Mot de passe provisoire : hunter2!x',
    lookAlike: 'Mot de passe provisoire : oui',
    isNearKey: true,
    keys: foreignWords,
    pattern: new RegExp(
      `${foreignWord}\\p{L}{0,6}?${foreignNotes}[ \\t\\u00a0\\u3000]{0,3}(?:${foreignLinks}[ \\t\\u00a0\\u3000]{0,3}){1,2}["'\`“«「„]?([^\\s"'\`”»」<>，。；、！？]{4,64})`,
      'giu',
    ),
    fault: toldFault,
  },
  {
    name: 'told_password',
    sample: 'the wifi pw hunter2!x',
    lookAlike: 'the wifi password WPA2-PSK',
    isNearKey: true,
    keys: [
      ' pw ',
      ' pwd ',
      'fi pass',
      'wlan pass',
      'router pass',
      'hotspot pass',
      'wlan-pass',
      'wlan kenn',
      'fi key ',
      'wlan key ',
    ],
    pattern:
      /(?:(?:wi-?fi|wlan|router|hotspot)[ -](?:(?:network|guest|home|office)\s)?(?:pw|pwd|pass(?:word|code|phrase|wort|wd)?|kennwort|key)|(?:admin|root|guest|login|vpn|ssh|ftp|rdp|database|db|server|e-?mail|account|default|temporary|initial|my|new|our|the)\s(?:pw|pwd))\s(?:is\s|ist\s)?["'`“]?([^\s"'`”<>]{6,64})/gi,
    fault: (found) => {
      const bare = withoutEnd(found);
      if (/^[a-z]+[-_]\d{1,3}$|^802\.11|^\w+\(/.test(bare) || ofPasswords.test(bare)) return 'a name with a figure';
      if (/^[a-z]:[\\/]/i.test(bare)) return 'a path';
      return chosenFault(bare) ?? (/[a-z].*\d|\d.*[a-z]|[!#$%&*@^~]/i.test(bare) ? undefined : 'a number');
    },
  },
  {
    // Without a sign between, as on slips and in tables with a row for each fact.
    name: 'told_password',
    sample: '| Password | hunter2!x |',
    lookAlike: '| Password | varchar(255) |',
    isNearKey: true,
    keys: [...new Set([...passwordWords, 'passcode', ' pw ', '(pw ', ...foreignWords])],
    pattern: new RegExp(
      `(?:(?<![\\p{L}\\d-])(?:password|passwd|passcode|pwd|pw)|${foreignWord}\\p{L}{0,6})["'\`*]{0,3}(?:[ \\t]{1,4}(?:[-–—|][ \\t]{1,20})?|[ \\t]{0,20}\\|[ \\t]{0,20}|[ \\t]?\\r?\\n[ \\t]{0,4}|:?\\s{0,40}<\\/(?:t[hd]|dt)>\\s{0,40}<(?:td|dd)\\b[^<>]{0,80}>\\s{0,20}(?:<(?:code|b|strong|span|kbd|tt|pre|p)\\b[^<>]{0,80}>)?)["'\`]?([\\p{L}\\d][^\\s"'\`|<>()[\\]{},;=&?/%]{7,63})(?=["'\`]?(?:[.:!?]?[\\s|,;)<]|[.:!?]?$))`,
      'giu',
    ),
    fault: (found) => {
      const bare = withoutEnd(found);
      return isStrong(found) ? chosenFault(bare) : bareFault(bare, 10);
    },
  },
  {
    name: 'told_password',
    sample: "logged in with password 'AtomicBomb9'",
    lookAlike: "the field 'password' and the field 'user9'",
    isNearKey: true,
    keys: ['password ', 'passwort ', 'passcode ', 'pwd '],
    pattern:
      /(?<![\p{L}\d'"`-])(?:password|passwort|passcode|pwd)\s(?:'([^\s'"`(){}<>]{6,64})'|"([^\s'"`(){}<>]{6,64})"|`([^\s'"`(){}<>]{6,64})`)/giu,
    fault: (found) => {
      if (ofPasswords.test(found)) return 'a name with a figure';
      return /[a-z].*\d|\d.*[a-z]|[!#$%&*@^~]/i.test(found) ? toldFault(found) : 'a word';
    },
  },
  {
    name: 'told_password',
    sample: 'my passphrase is "correct horse battery staple"',
    lookAlike: 'my passphrase is stored in this file',
    isNearKey: true,
    keys: ['phrase', 'mnemonic', 'seed words', 'my password', 'our password'],
    pattern:
      /(?:(?:(?:my|our|your|his|her|their|the|this|new|old)\s(?:[a-z]{2,12}\s){0,2}?(?:pass\s?phrase|(?:seed|recovery|backup|secret)\sphrase|seed\swords|mnemonic(?=(?:\sis:?|\s?[:=])\s(?:[a-z]{3,14} ){11}))|(?:my|our)\spassword)(?:\s(?:is|was|will\sbe|are):?|\s?[:=])\s{1,3}|pass\s?phrase\sis:?\s(?=["'`“])|(?:pass[ _-]?phrase|(?:seed|recovery|backup|secret)[ _-]?phrase|seed[ _]?words|mnemonic(?:[ _]phrase)?(?=[^a-z]{1,8}(?:[a-z]{3,14} ){11}))["'`*]{0,2}\s{0,3}[:=]\s{0,3})["'`“]?((?:[a-z]{3,14}[ -]){3,23}[a-z]{3,14})(?=["'`”’.,!?)|<]|\s{0,3}(?:\r?\n|$))/giu,
    fault: (found) => {
      const words = found.split(/[ -]/);
      // Twelve words that are one and the same are what tools begin with.
      if (new Set(words).size * 2 <= words.length) return 'the same words again and again';
      // A capital at its beginning alone is how a text on a screen is written, in any language.
      if (/^[A-Z][^A-Z]*$/.test(found) && words.length < 12) return sentence;
      const ordinary = words.filter((word) => ordinaryWords.test(word));
      return ordinary.length * ordinaryShare > words.length ? sentence : undefined;
    },
  },
  {
    // A name and what opens it, side by side: "login ana / hunter2!x", "credentials: ana:hunter2!x". Not an owner and
    // a repository with its version or an issue: "login: acme/tool@v3", "login acme/tool#482".
    name: 'told_password',
    sample: 'login ana / hunter2!x',
    lookAlike: 'login form / step2!',
    isNearKey: true,
    keys: [
      'login',
      'log in ',
      'logon',
      'sign in ',
      'signin',
      'credentials',
      'creds',
      'zugang',
      'zugangsdaten',
      'anmeldedaten',
      'identifiant',
      'credenciales',
      'credenziali',
      'inloggegevens',
      'user/pass',
      'username/password',
      'user / pass',
      'username / password',
      'user and pass',
      'username and password',
    ],
    pattern: new RegExp(
      `(?<![\\p{L}\\d/.-])(?:${pairNames})(?:\\s(?:is|are|ist|sind|was))?\\s?[:=-]?\\s{1,3}["'\`]?(?!https?:|(?:fail(?:ed|ures?)|denied|rejected|refused|errors?|issues?|attempts?)(?!\\w))[\\p{L}\\d._@+-]{2,64}["'\`]?(?:\\s/\\s?|/\\s|/(?![\\w.-]{1,60}(?:@v?\\d|@[a-f\\d]{7,40}(?!\\w)|#(?:\\d{1,6}|[a-z]{2,20}(?:-\\w{1,20})?)(?!\\w)))|\\s[|:]\\s|:)["'\`]?([\\p{L}\\d!#$%&*^~][^\\s"'\`|<>()[\\]{},;=?/]{5,63})(?=["'\`]?(?:[\\s|,;)]|$))`,
      'giu',
    ),
    fault: (found) => (isOdd(withoutEnd(found)) ? chosenFault(withoutEnd(found)) : 'not as odd as a password'),
  },
];

/** Letters and figures with a sign in it that no address, path or name has. */
function isOdd(found: string): boolean {
  return (
    !signedName.test(found) &&
    !/@[\w-]+\.\w|%[\da-f]{2}/i.test(found) &&
    /[a-z]/i.test(found) &&
    /\d/.test(found) &&
    /[!^*~$&#@%]/.test(found)
  );
}

/** Letters and figures with a sign that no address, path or name has. */
function isStrong(found: string): boolean {
  if (/@[\w-]+\.\w/.test(found) || signedName.test(found)) return false;
  return /[a-z]/i.test(found) && /\d/.test(found) && /[!^*~$]|(?=.*[a-z])(?=.*[A-Z]).*[@#]/.test(found);
}

/** A thing that passwords have or need, with its number or year: "our new pw policy2024 applies". */
const ofPasswords =
  /^(?:polic(?:y|ies)|managers?|rules?|resets?|changes?|lists?|files?|hints?|expiry|updates?|prompts?|fields?|forms?|pages?|checks?|groups?|guidelines?|requests?|rotation|vaults?|stores?|safe|generator|audit|ticket|version)[-_]?v?\d{1,4}$/i;

const sentence = 'words of a sentence';
/** Words that a sentence about a passphrase has and one that was drawn has not. */
const ordinaryWords =
  /^(?:the|an?|to|of|in|on|at|by|for|and|or|nor|but|if|so|as|be|is|are|was|were|been|it|its|this|that|these|those|your?|our|my|his|her|their|with|from|into|via|not|no|never|always|only|also|too|very|than|then|when|where|which|who|how|what|must|should|may|might|can|will|would|could|has|have|had|used?|using|needs?|required|optional|set|stored?|sent|shown?|least|more|most|less|here|there|same|another|each|every|any|some|all|enter|type|wrong|correctly|passphrase|password|mnemonic|phrase|words?|random|char(?:acter)?s?|letters?|digits?|numbers?|symbols?|keys?|private|per|just|kept|lost|see|below|above|inside|during|until|after|before|since|within|about|between|mandatory|valid|safe|long|choose|expires?|version|strong|secret|please|change|confirm|repeat|show|hide|forgot|bitte|geben|sie|ihren?|der|die|das|den|dem|und|oder|eine?[nrms]?|ist|nicht|zur|zum|mit|neue[sn]?|passwort|kennwort|frase|contrasena|del|los|las|una|con|para|por|les|des|une|votre|pour|avec|entrez|saisissez|introduzca|ingrese|digite|inserisci|della|per|voer|het|een|van|voor|och|att|som|ange|skriv|wachtwoord|\w{3,}(?:ed|ly|ing))$/i;

/** One of so many may be drawn as well. */
const ordinaryShare = 6;

function withoutEnd(found: string): string {
  return found.replace(/[.,;:!?)]+$/, '');
}

function toldFault(found: string): string | undefined {
  if (/\.\.\.|…/.test(found)) return standsIn;
  const bare = found.replace(/[.,;:!?]+$/, '');
  if (/^\p{L}+(?::\p{L}+)+$|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Thai}]{4}|^[A-Z]{2,6}#\d{1,4}$/u.test(bare))
    return 'words';
  return (
    chosenFault(bare) ??
    (/^\d{1,3}$|^\d{1,2}-\d{1,3}$|^https?:|^\d{1,4}[.,]\d{1,3}[a-zµ]{1,3}\d?[a-z]?$/i.test(bare)
      ? 'a number or an address'
      : undefined)
  );
}
