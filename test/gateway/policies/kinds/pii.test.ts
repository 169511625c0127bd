import { expect, test } from 'vitest';
import { found, policy } from '../../../support/rooms/policies.ts';

test.each([
  { text: 'listen on 127.0.0.1 or 0.0.0.0, not on 10.1.2.3', hits: ['ip: 10.1.2.3'] },
  { text: 'echo "::add-mask::x" and std::vector', hits: [] },
  { text: 'Write to ana@acme.example.', hits: ['email: ana@acme.example'] },
  { text: 'IBAN DE89 3704 0044 0532 0130 00 on the form', hits: ['iban: DE89 3704 0044 0532 0130 00'] },
  { text: 'should set is404 flag for unmatched paths, see DE12 3456', hits: [] },
  { text: 'call 030 1234567 today', hits: ['phone: 030 1234567'] },
  { text: 'article 030 1234567 today', hits: [] },
  { text: 'social security number 536221234', hits: ['us_ssn: 536221234'] },
  { text: 'account 536221234', hits: [] },
  { text: 'BIC: SBICKENX', hits: ['bic: SBICKENX'] },
  { text: 'SWIFT code ICBKCNBJ110, or SWIFT: SCBLNGLA', hits: ['bic: ICBKCNBJ110', 'bic: SCBLNGLA'] },
  { text: 'SWIFT: PROGRAMM', hits: [] },
])('$text', ({ text, hits }) => {
  expect(found(policy('pii'), text)).toEqual(hits);
});

test.each([
  { text: 'Dutch passport NX1A2B3C4, issued in Utrecht', hits: ['passport: NX1A2B3C4'] },
  { text: 'visa application: document M12345678', hits: ['passport: M12345678'] },
  { text: 'Staatsangehörigkeit DEU, Dokument C01X00T47', hits: ['passport: C01X00T47'] },
  { text: 'order M12345678, nationality KOR', hits: [] },
  { text: 'паспорт 45 10 123456', hits: ['passport: 45 10 123456'] },
  { text: 'паспорт 4510 123456', hits: ['passport: 4510 123456'] },
  { text: 'загранпаспорт, паспорт 75 1234567', hits: ['passport: 75 1234567'] },
  { text: 'passport no. 925 076 473', hits: ['passport: 925 076 473'] },
  { text: 'numéro de passeport : 925 076 473', hits: ['passport: 925 076 473'] },
  { text: 'passeport n° 12 3456789', hits: ['passport: 12 3456789'] },
  { text: 'číslo pasu: 12345678', hits: ['passport: 12345678'] },
  { text: 'Pass Nr. 12345678', hits: ['passport: 12345678'] },
  { text: 'Pass C01X00T47', hits: ['passport: C01X00T47'] },
  { text: 'číslo cestovného pasu: BA1234567', hits: ['passport: BA1234567'] },
  { text: 'broj putovnice: 012345678', hits: ['passport: 012345678'] },
  { text: 'Αριθμός διαβατηρίου: AE1234567', hits: ['passport: AE1234567'] },
  { text: 'پاسپورٹ نمبر: AB1234567', hits: ['passport: AB1234567'] },
  { text: 'পাসপোর্ট নম্বর: A01234567', hits: ['passport: A01234567'] },
  { text: 'see chapter12 of the passport guide', hits: [] },
  { text: 'all tests pass, also the one that counts to 925 076 473', hits: [] },
  { text: 'passport PaS5w0rD2 of the demo', hits: [] },
  { text: "Le budget n'est pas de 250 000 000 euros", hits: [] },
  { text: 'Il ne faut pas dépasser 150 000 000 habitants', hits: [] },
  { text: 'Ce numéro ne marche pas : 12 3456789', hits: [] },
  { text: 'Si pasas de 123 456 789 puntos', hits: [] },
  { text: 'Der Pass über die Berge hat 120 450 300 Besucher', hits: [] },
  { text: 'Ett pass kostade 100 200 300 kr', hits: [] },
  { text: 'Tests pass 250 000 000 iterations', hits: [] },
  { text: 'Tests pass 250000000 iterations', hits: [] },
  { text: 'Passive income of 100 000 000', hits: [] },
  { text: 'Wifi pass ab1cd2ef3', hits: [] },
  { text: 'passport fee total 100 000 000 dong', hits: [] },
  { text: 'passport: 530 123 456', hits: ['passport: 530 123 456'] },
  { text: 'Passport #: 530 123 456', hits: ['passport: 530 123 456'] },
  { text: '"passport": "530 123 456"', hits: ['passport: 530 123 456'] },
  { text: 'my passport is 530123456', hits: ['passport: 530123456'] },
  { text: 'passport number 123456789 expires 2031', hits: ['passport: 123456789'] },
  { text: 'I lost my passport in Lima last week, the number was 123456789', hits: ['passport: 123456789'] },
  { text: 'The passport API handled 987654321 requests', hits: [] },
  { text: 'Le passeport coûte 86 euros, dossier 123456789', hits: [] },
  { text: 'passport fee: 100 000 000 dong', hits: [] },
  { text: 'The passport office processed 12345678 applications', hits: [] },
  { text: 'passport order no. 123456789', hits: [] },
  { text: 'Passport.js returned 123456789', hits: [] },
  { text: 'The passport scanner has 12345678 scans', hits: [] },
  { text: 'My passport no. 533380006 checks out, book it', hits: ['passport: 533380006'] },
  { text: 'passport issue no. C01X00T47', hits: ['passport: C01X00T47'] },
  { text: 'my passport C01X00T47 times out in the form', hits: ['passport: C01X00T47'] },
  { text: 'passport number 533380006 points to Ana Silva', hits: ['passport: 533380006'] },
  { text: 'passport number 533380006 pages 32', hits: ['passport: 533380006'] },
  { text: 'passport file C01X00T47', hits: ['passport: C01X00T47'] },
  { text: 'my passport number is about 533380006', hits: ['passport: 533380006'] },
  { text: 'passport no. 925 076 473 visits Lima', hits: ['passport: 925 076 473'] },
  { text: 'Reisepassnummer 533380006 Personen reisen mit', hits: ['passport: 533380006'] },
  { text: 'Der Reisepass hat die Nummer 533380006 Anfragen bitte an mich', hits: ['passport: 533380006'] },
  { text: 'passaporto n. 533380006 persone in viaggio', hits: ['passport: 533380006'] },
  { text: 'numéro de passeport : 925 076 473 personnes', hits: ['passport: 925 076 473'] },
  { text: 'mi pasaporte es 533380006 personas viajan', hits: ['passport: 533380006'] },
  { text: 'номер паспорта 533380006 EUR 90', hits: ['passport: 533380006'] },
  { text: 'I asked about 533380006, the passport of Ana', hits: ['passport: 533380006'] },
])('by the word for a passport, $text', ({ text, hits }) => {
  expect(found(policy('pii', { entities: ['passport'] }), text)).toEqual(hits);
});

test('only the entities that are asked for are looked for', () => {
  const text = 'ana@acme.example, 4111 1111 1111 1111';
  expect(found(policy('pii', { entities: ['card'] }), text)).toEqual(['card: 4111 1111 1111 1111']);
  expect(found(policy('pii', { entities: 'all' }), text)).toHaveLength(2);
});

test('a word that says what a number is may stand outside of the base64 that holds it', () => {
  const number = Buffer.from('C01X00T478').toString('base64');
  expect(found(policy('pii'), `my passport: ${number}`)).toEqual([]);
  const real = Buffer.from('C01X00T47').toString('base64');
  expect(found(policy('pii'), `my passport: ${real}`)).toEqual([`passport: ${real}`]);
});

test.each([
  { name: 'a path of SVG', text: '<path d="M1202.18 196.02C1090.87 206.212 1094.12 214.081 1099.74 219.445"/>' },
  { name: 'its view box', text: '<svg viewBox="0 0 1240.298 811.376" class="phone">' },
  { name: 'a letter between coordinates', text: 'C 657.750366 87.391968 653.403442 85.210693 C 649.056519 83.029419' },
  { name: 'coordinates that satisfy a checksum', text: 'C 247.663 31.876 248.072 31.9462' },
  { name: 'a colour beside the word ring', text: '--ring: oklch(0.556 0 0); --chart: oklch(27.9% .077 45.635)' },
  { name: 'a point in time in a log of a phone', text: '03-17 16:13:38.875  2227  2227 I PhoneStatusBar: done' },
  { name: 'two years run together', text: 'The Kings called the Forum home until the 19992000 season.' },
  { name: 'the version of a browser', text: 'Mozilla/5.0 Chrome/120.0.0.0 Safari/537.36 Edg/120.0.0.0' },
  { name: 'a pinned version', text: 'billiard==3.6.4.0' },
  { name: 'a matrix', text: '[[0,0,3,0,2,0,6,0,0],[9,0,0,3,0,5,0,0,1],[0,0,1,8,0,6,4,0,0]]' },
  { name: 'a row of figures apart by blanks', text: '0 0 1 8 0 6 4 0 2' },
  { name: 'a number with zeros before it', text: 'customer 0012345678 has paid' },
  { name: 'a section in German', text: 'nach den Unterabschnitten 1.18.3.3 der Anlage' },
  { name: 'a section in Spanish', text: 'en la sección 4.1.12.3 del manual' },
  { name: 'sections near each other', text: 'Nummern 8.1.1 bis 8.1.4, 8.2.1 bis 8\\.3.2.3 sowie 8.4.1 bis 8.5.2.2' },
  { name: 'sections of four parts', text: '* 5.1.2.2 *  für die Prüfung\n* 5.1.2.3 *  für jede andere' },
  { name: 'a class of goods', text: '* 35.02.01.03 * Bewirtschaftet' },
  { name: 'a log of calls', text: 'timeout while calling the bank, retry 1\n2026-11-25 10:00:33 ERROR no answer' },
  {
    name: 'a table of measurements',
    text: 'seria,-9.389918,10.081175\ncalls,10.13567,-7.3529954\nring,-1.0270141,1.2508985',
  },
  { name: 'a share before a year', text: '2011,USA,8079.467,78.7\n2012,AUS,3854.19,82.1' },
  { name: 'the first group of a UUID', text: '{"Guid": "5770385F-C22A-43E0-BF4C-06F5698FFBD9"}' },
  { name: 'the same with slashes', text: 'calling, retry 1\r\n2026/11/25 10:00:33 no answer' },
])('$name holds nothing of a person', ({ text }) => {
  expect(found(policy('pii'), text)).toEqual([]);
});

test.each([
  { name: 'a card in two halves with points', text: '4111.1111 1111.1111', hits: ['card: 4111.1111 1111.1111'] },
  { name: 'such a card with zeros', text: 'use 5500.0000 0000.0004', hits: ['card: 5500.0000 0000.0004'] },
  {
    name: 'such a card behind a label',
    text: 'credit card number: 4111.1111 1111.1111',
    hits: ['card: 4111.1111 1111.1111'],
  },
  { name: 'a social security number with points', text: 'ssn 536.22 .8720', hits: ['us_ssn: 536.22 .8720'] },
  { name: 'a phone number with points', text: 'phone 030.123 456.789', hits: ['phone: 030.123 456.789'] },
  { name: 'such a number without a label', text: 'it is 030.123 456.789', hits: ['phone: 030.123 456.789'] },
  { name: 'a labelled number without a zero', text: 'phone 30.123 456.789', hits: ['phone: 30.123 456.789'] },
  {
    name: 'a health number with points',
    text: 'NHS 943.476 .5919',
    hits: ['phone: 943.476 .5919', 'uk_nhs: 943.476 .5919'],
  },
  { name: 'a tax number with points', text: 'steuer id 86.095 742.719', hits: ['de_steuer_id: 86.095 742.719'] },
  {
    name: 'a labelled number with its figures apart',
    text: 'phone 0 0 3 0 2 0 6 0 1',
    hits: ['phone: 0 0 3 0 2 0 6 0 1'],
  },
  { name: 'a country with figures apart', text: '+ 4 9 1 7 1 2 3 4 5 6 7', hits: ['phone: + 4 9 1 7 1 2 3 4 5 6 7'] },
  { name: 'a labelled number with zeros', text: 'tel 0012345678', hits: ['phone: 0012345678'] },
  { name: 'a whole number with zeros', text: 'it is 00491711234567', hits: ['phone: 00491711234567'] },
  { name: 'a table of routes', text: 'route table 203.0.113.7', hits: ['ip: 203.0.113.7'] },
  { name: 'a table of addresses', text: 'Table: 10.0.4.12', hits: ['ip: 10.0.4.12'] },
  { name: 'a numbered machine', text: 'Server Nr. 192.168.1.20', hits: ['ip: 192.168.1.20'] },
  { name: 'two servers of names', text: 'use 8.8.8.8 or 8.8.4.4', hits: ['ip: 8.8.8.8', 'ip: 8.8.4.4'] },
  { name: 'a port behind a number', text: 'sip:+14155552671:5060', hits: ['phone: +14155552671'] },
  { name: 'a colon behind a number', text: 'call +49 171 5551234:8', hits: ['phone: +49 171 5551234'] },
  { name: 'an ordinal behind a number', text: 'call 0171 5551234.2nd floor', hits: ['phone: 0171 5551234'] },
  { name: 'an hour behind a number', text: '+4917155512345:00', hits: ['phone: +4917155512345'] },
  { name: 'a country right before the area', text: 'OFFICE - 1(516)733-3989', hits: ['phone: 1(516)733-3989'] },
  {
    name: 'an account in New Caledonia',
    text: 'pay NC1729434258559239166499130 soon',
    hits: ['iban: NC1729434258559239166499130'],
  },
  { name: 'a line before a number', text: 'line 2:415-555-2671', hits: ['phone: 415-555-2671'] },
  { name: 'a labelled number like two years', text: 'phone: 20451987', hits: ['phone: 20451987'] },
  { name: 'a labelled number like two years apart', text: 'phone 2045 1987', hits: ['phone: 2045 1987'] },
  { name: 'a labelled number like a season', text: 'phone: 20192020', hits: ['phone: 20192020'] },
  { name: 'a labelled number like a day and an hour', text: 'phone 20101231 4567', hits: ['phone: 20101231 4567'] },
  { name: 'a labelled number like a share', text: 'phone 0.4155552671', hits: ['phone: 0.4155552671'] },
  {
    name: 'a spoken number with many an oh',
    text: 'phone oh one six one oh oh oh oh oh oh oh',
    hits: ['phone: oh one six one oh oh oh oh oh oh oh'],
  },
  {
    name: 'a spoken card with many an oh',
    text: 'four oh oh oh oh oh oh oh oh oh oh oh oh oh oh two',
    hits: ['card: four oh oh oh oh oh oh oh oh oh oh oh oh oh oh two'],
  },
])('$name is found', ({ text, hits }) => {
  expect(found(policy('pii'), text)).toEqual(hits);
});

/** Digits that count on, in the grouping of a number, with the label that people write before it. */
const countedSamples = [
  { entity: 'in_aadhaar', label: 'Aadhaar', number: '1234 5678 9012' },
  { entity: 'br_cpf', label: 'CPF', number: '123.456.789-00' },
  { entity: 'au_tfn', label: 'TFN', number: '123 456 789' },
  { entity: 'uk_nhs', label: 'NHS number', number: '123 456 7890' },
  { entity: 'ca_sin', label: 'SIN', number: '123 456 789' },
  { entity: 'de_steuer_id', label: 'Steuer-ID', number: '12 345 678 901' },
  { entity: 'es_dni', label: 'DNI', number: '12345678A' },
  { entity: 'es_dni', label: 'NIE', number: 'X1234567A' },
  { entity: 'pl_pesel', label: 'PESEL', number: '12345678901' },
  { entity: 'us_npi', label: 'NPI', number: '1234567890' },
  { entity: 'card', label: 'card number', number: '1234567890123456' },
  { entity: 'card', label: 'credit card', number: '1234 5678 9012 3456' },
  { entity: 'iban', label: 'IBAN', number: 'DE12345678901234567890' },
  { entity: 'us_itin', label: 'ITIN', number: '912-34-5678' },
  { entity: 'us_aba', label: 'routing number', number: '123456789' },
  { entity: 'au_tfn', label: 'TFN', number: '987 654 321' },
  { entity: 'au_medicare', label: 'Medicare', number: '1234 56789 1' },
  { entity: 'fi_hetu', label: 'hetu', number: '010180-123A' },
  { entity: 'se_personnummer', label: 'personnummer', number: '800101-1234' },
  { entity: 'fr_nir', label: 'NIR', number: '1 80 01 75 123 456 78' },
  { entity: 'th_nid', label: 'Thai ID', number: '1-2345-67890-12-3' },
  { entity: 'za_id', label: 'South African ID', number: '8001011234567' },
  { entity: 'de_social_security', label: 'RVNR', number: '12 345678 A 123' },
  { entity: 'iban', label: 'IBAN', number: 'GB12 ABCD 1234 5678 9012 34' },
  { entity: 'uk_nino', label: 'NINO', number: 'QQ123456C' },
];

test.each(countedSamples)('$label $number is found as $entity behind its label alone', ({ entity, label, number }) => {
  const only = policy('pii', { entities: [entity] });
  const labelled = [`${label} ${number}`, `my ${label} is ${number}.`, `${label}: ${number}\n`];
  expect(labelled.map((text) => found(only, text))).toEqual(labelled.map(() => [`${entity}: ${number}`]));
  const others = [number, `order ${number}`, `serial no. ${number}, in stock`, `f(${number})`];
  expect(others.filter((text) => found(only, text).length > 0)).toEqual([]);
});

test.each([
  { text: '%B4539148803436467^DOE/JOHN^27121010000000000000?', hit: 'card: 4539148803436467' },
  { text: 'ip:2a02:8071:1:2::5', hit: 'ip: 2a02:8071:1:2::5' },
  { text: 'GET / client:2a02:8071:1:2::5 200', hit: 'ip: 2a02:8071:1:2::5' },
])('in $text, $hit is found', ({ text, hit }) => {
  expect(found(policy('pii'), text)).toContain(hit);
});

test('a phone number whose blanks are written as a plus is found in a query', () => {
  expect(found(policy('pii'), 'name=ana&phone_number=%2B91+94403+69999&x=1').join(' ')).toMatch(/^phone: .*69999$/);
});

test.each(['%B4539148803436468^DOE/JOHN^2712', 'std::vector::1a2b', 'at 10:20:30:40:50', 'x=+1+22+33', 'host:10:20'])(
  'no personal data is found in %s',
  (text) => {
    expect(found(policy('pii'), text)).toEqual([]);
  },
);

test.each([
  { name: 'numbers of known faults', text: 'CVE-2026-9358 / CWE-674, please call' },
  { name: 'the clause of a law', text: 'as in DFARS 202.227-7015' },
  { name: 'a sum', text: '0xeffe0000 + 19970605' },
  { name: 'a year and a time zone', text: 'Date: Sat Nov 19 11:33:30 2011 -0800, call of free' },
  { name: 'a point in time in seconds', text: '{"calls": 12, "model": "small", "created": 1770933883}' },
  { name: 'code points', text: 'YEH WITH HAMZA;0399 0308 0301' },
])('$name are no phone number', ({ text }) => {
  expect(found(policy('pii'), text)).toEqual([]);
});

test.each([
  'phone: 1 2026-11-25 10',
  '+1 2026-11-25 10',
  '+49 171 5551234',
  'tel. + 49 171 5551234',
  '(+49) 171 5551234',
  'phone 1770933883',
])('a phone number is found in %s', (text) => {
  expect(found(policy('pii'), text)).toHaveLength(1);
});

test.each([
  { text: 'банкова сметка 1234567890', hit: 'bank_account: 1234567890' },
  { text: 'অ্যাকাউন্ট নম্বর 1234567890', hit: 'bank_account: 1234567890' },
  { text: 'شماره حساب 1234567890', hit: 'bank_account: 1234567890' },
  { text: 'broj računa 1234567890', hit: 'bank_account: 1234567890' },
  { text: 'bankszámlaszám: 1177301611', hit: 'bank_account: 1177301611' },
  { text: 'nombor akaun 1234567890', hit: 'bank_account: 1234567890' },
  { text: 'număr de cont 1234567890', hit: 'bank_account: 1234567890' },
  { text: 'a/c no 55779911', hit: 'bank_account: 55779911' },
  { text: 'дата на раждане: 14.03.1987', hit: 'date_of_birth: 14.03.1987' },
  { text: 'জন্ম তারিখ: 14.03.1987', hit: 'date_of_birth: 14.03.1987' },
  { text: 'datum rođenja: 14.03.1987', hit: 'date_of_birth: 14.03.1987' },
  { text: 'gimimo data: 1987-03-14', hit: 'date_of_birth: 1987-03-14' },
  { text: 'dátum narodenia: 14.03.1987', hit: 'date_of_birth: 14.03.1987' },
  { text: 'datum rojstva: 14.03.1987', hit: 'date_of_birth: 14.03.1987' },
  { text: 'பிறந்த தேதி: 14.03.1987', hit: 'date_of_birth: 14.03.1987' },
  { text: 'تاریخ پیدائش: 14.03.1987', hit: 'date_of_birth: 14.03.1987' },
  { text: 'geboren am 14. März 1987', hit: 'date_of_birth: 14. März 1987' },
  { text: 'загранпаспорт 75 1234567', hit: 'passport: 75 1234567' },
  { text: 'cvc2 = 9911', hit: 'card_cvv: 9911' },
  { text: 'the code on the back of my card is 552', hit: 'card_cvv: 552' },
  { text: 'Meine PIN lautet 4821', hit: 'pin: 4821' },
  { text: 'ПИН-код 4821', hit: 'pin: 4821' },
  { text: 'permis de conduire 12AB34567', hit: 'driver_licence: 12AB34567' },
  { text: 'Benutzername: jnovak84', hit: 'username: jnovak84' },
  { text: 'Identifiant : jnovak84', hit: 'username: jnovak84' },
])('by the words of $text, $hit is found', ({ text, hit }) => {
  expect(found(policy('pii'), text)).toContain(hit);
});

test('a name of a curve is no code of a card', () => {
  expect(found(policy('pii'), 'gpg: allow cv25519 as a short name')).toEqual([]);
});
