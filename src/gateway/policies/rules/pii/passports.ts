import { signs } from '../../readings/character-scan.ts';
import { type Entity, rightBefore, standalone } from './entity.ts';

/** Numbers of passports, of all states. */

/** Letters and figures that are not mistaken for each other, as Germany uses them. */
export const idLetters = 'CFGHJKLMNPRTVWXYZ';

const lettersAndDigits = `[A-Z]{1,3}[ -]?\\d{6,8}|\\d{2}[A-Z]{2}\\d{5}|[A-Z]\\d{2}[A-Z\\d]{6}|[A-Z]\\d{3}[A-Z]\\d{4}|(?=[A-Z]{0,8}\\d)[${idLetters}][\\d${idLetters}]{8}`;

/** A colon right behind the word: large numbers in sentences are grouped like these. */
const passportLabel =
  '(?:passports?|pasaporte|passeport|passaporte|passaporto|paspoort|reisepass|paszport|pasaport|paspor|паспорт)["\'*`]{0,2}\\s?[:=#]{1,2}\\s{0,2}["\'`]?';
/** Names of other numbers, and verbs of what was counted, right before one. */
const otherNumber = rightBefore(
  /\b(?:(?:dossier|docket|case|file|order|invoice|ticket|request|reference|booking|confirmation|tracking|shipment|receipt|build|issue|bestellung|auftrag|rechnung|vorgang|aktenzeichen|commande|facture|pedido|factura|expediente|fatura|processo|ordine|fattura|pratica|bestelling|factuur|zaak)(?:\s?(?:no|nr|num|number|nummer|numéro|número|numero|id|n[°º])\.?)?\s{0,2}[:#=]?|(?:handled|processed|served|received|returned|counted|logged|took|costs?|cost(?:ed|ing)|total(?:s|ed|ling)?)(?:\s(?:over|about|around|nearly|almost|some))?)\s{0,3}/i,
);
/** Nouns of what was counted, right behind one. */
const counted =
  /^\s(?:requests|calls|queries|users|visitors|visits|travell?ers|passengers|people|persons|citizens|holders|applications|applicants|records|rows|entries|scans|checks|times|bytes|pages|tests|iterations|views|downloads|points|million|billion|euros?|dollars?|pounds|yen|pesos|rupees|roubles|kr|eur|usd|personen|anfragen|nutzer|reisende|anträge|aufrufe|requêtes|personnes|voyageurs|demandes|personas|viajeros|solicitudes|pessoas|persone|richieste|mensen|aanvragen)(?![\p{L}\d]|\s(?:out|to)\b)/iu;
/** Signs and words between the word for a passport and its number: "passport no.", "passport number is about". */
const betweenWordAndNumber =
  /(?:[\s"'`*_:#=.|,№()-]|(?<!\p{L})(?:n[°ºo]?|nr|num|numb(?:er)?|nummer|num[ée]ro|n[úu]mero|numer|nomor|номер|番号|号码|번호|id|code|is|was|ist|war|lautet|est|était|es|era|é|è|är|to|this|here|about|around|hat|has|have|with|mit|the|die|der|den|el|le|il|us|usa|uk|eu)(?!\p{L})){0,12}$/iu;

function lettersFault(found: string): string | undefined {
  const isMixed = /[a-z]/.test(found) && /[A-Z]/.test(found);
  if (isMixed && /\d[A-Z]+\d+[A-Z]/i.test(found)) return 'small and capital letters among figures';
  return /^[A-Z] ?\d{6}$/i.test(found) ? 'one digit too few' : undefined;
}

/** Number, state, day of birth, sex, end, and what a state adds. */
const machineLine = /(?<![A-Z\d<])[A-Z\d<]{9}\d[A-Z<]{3}\d{7}[MFX<]\d{7}[A-Z\d<]{14}[\d<]\d(?![A-Z\d<])/;
/** The days of birth and of its end, with the sex between. */
const machineDays = /\d{7}[MFX<]\d{7}/;
const machineFields = [
  [0, 9],
  [13, 19],
  [21, 27],
] as const;

export const passports: readonly Entity[] = [
  {
    name: 'passport',
    sets: ['us', 'uk', 'eu', 'apac'],
    authority: 'by a word beside it; ICAO 9303 for what may stand in it',
    place: 'digits',
    topic: 'passport',
    forms: [
      { pattern: standalone(lettersAndDigits) },
      // Short words, which others begin with: capitals alone.
      { topics: ['passport_weak'], pattern: standalone(lettersAndDigits, 'g') },
      {
        pattern: standalone(
          '\\d{8,9}|[A-NP-Z]{2}(?=[A-Z]{0,3}\\d)(?=(?:[A-Z]{0,5}\\d){3})[A-NP-Z\\d]{6}\\d|\\d{2} ?\\d{2} \\d{6}',
        ),
      },
      { isLabelled: true, runs: /bg/, pattern: standalone('\\d{2} \\d{7}') },
      { isLabelled: true, runs: /ccc/, pattern: standalone(`(?<=${passportLabel})\\d{3} \\d{3} \\d{3}`) },
      // Large numbers are written so too.
      { isLabelled: true, topics: ['passport_number'], runs: /ccc/, pattern: standalone('\\d{3} \\d{3} \\d{3}') },
    ],
    fault: lettersFault,
    notAfter: otherNumber,
    notBefore: counted,
    unless: { form: /[A-Z]|^\S*[a-z]\S*$/, label: betweenWordAndNumber },
    sample: 'passport no. C01X00T47',
    lookAlike: 'reference C01X00T47',
  },
  {
    name: 'passport',
    sets: ['us', 'uk', 'eu', 'apac'],
    authority: 'by a word for what travellers show; ICAO 9303 for what may stand in it',
    place: 'digits',
    topic: 'passport_document',
    forms: [{ pattern: standalone(lettersAndDigits, 'g') }],
    fault: lettersFault,
    notAfter: otherNumber,
    notBefore: counted,
    sample: 'nationality German, document C01X00T47',
    lookAlike: 'order C01X00T47, nationality German',
  },
  {
    name: 'passport',
    sets: ['us', 'uk', 'eu', 'apac'],
    authority: 'ICAO 9303, part 4: the second line for machines, with its check digits',
    signs: signs.digit,
    place: {
      test: (text, digits = '', hasMany) =>
        hasMany && text.includes('<') && machineDays.test(digits) && machineLine.test(text),
    },
    forms: [{ isSure: true, pattern: new RegExp(machineLine, 'g') }],
    fault: (found) =>
      machineFields.every(([start, end]) => hasCheckDigit(found.slice(start, end), found[end]!))
        ? undefined
        : 'a check digit does not fit',
    checksum: 'weights 7, 3, 1 of its number, its day of birth and its end',
    sample: 'L898902C36UTO7408122F1204159ZE184226B<<<<<10',
    lookAlike: 'L898902C35UTO7408122F1204159ZE184226B<<<<<10',
  },
];

/** True where a digit is that of the characters before it: a letter counts from ten on, and a filler nothing. */
function hasCheckDigit(characters: string, digit: string): boolean {
  const values = Array.from(characters, (one) => (one === '<' ? 0 : Number.parseInt(one, 36)));
  return values.reduce((sum, value, index) => sum + value * [7, 3, 1][index % 3]!, 0) % 10 === Number(digit);
}
