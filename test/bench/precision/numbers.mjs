/**
 * Made-up numbers of persons and of money, written from the documents of those who give them out and without a line of
 * the program: what a rule gets wrong, this must not get wrong in the same way.
 */

import { again, day, digit1110, digitsOf, grouped, luhnDigit, month, rest97, verhoeff, weigh } from './arithmetic.mjs';

/** `strong`: a form of its own, which needs no word. `label`: the words that a form or a file has for it. */
export const numbers = {
  card: {
    strong: true,
    label: ['credit card', 'credit_card', 'creditCard'],
    make(chance) {
      const [prefix, length] = chance.pick([
        ['4', 16],
        ['51', 16],
        ['2223', 16],
        ['37', 15],
        ['6011', 16],
        ['3530', 16],
        ['36', 14],
      ]);
      const body = prefix + chance.digits(length - 1 - prefix.length);
      const whole = body + luhnDigit(body);
      if (length !== 16) return whole;
      return chance.pick([whole, grouped(whole, 4, 4, 4, 4).join(' '), grouped(whole, 4, 4, 4, 4).join('-')]);
    },
  },
  iban: {
    strong: true,
    label: ['IBAN', 'iban', 'ibanNumber'],
    make(chance) {
      const [country, body] = chance.pick([
        ['DE', chance.digits(18)],
        ['FR', chance.digits(23)],
        ['NL', chance.of('ABCDEFGHIJ', 4) + chance.digits(10)],
        ['GB', chance.of('ABCDEFGHIJ', 4) + chance.digits(14)],
        ['ES', chance.digits(20)],
      ]);
      const whole = country + String(98 - rest97(`${body}${country}00`)).padStart(2, '0') + body;
      return chance.pick([whole, whole.match(/.{1,4}/g).join(' ')]);
    },
  },
  email: {
    strong: true,
    label: ['email', 'e_mail', 'emailAddress'],
    make: (chance) =>
      `${chance.pick(['ana', 'j.smith', 'li-wei', 'o_brien', 'info+x'])}${chance.below(900)}@${chance.pick(['acme.example', 'mail.example.org', 'firma.example.de'])}`,
  },
  ip: {
    strong: true,
    label: ['IP address', 'client_ip', 'remoteAddr'],
    make: (chance) =>
      chance.pick([
        `${11 + chance.below(100)}.${chance.below(256)}.${chance.below(256)}.${1 + chance.below(254)}`,
        `2001:db8:${chance.of('123456789abcdef', 4)}::${chance.of('123456789abcdef', 4)}`,
      ]),
  },
  us_ssn: {
    strong: true,
    label: ['SSN', 'social_security_number', 'ssn'],
    make: (chance) =>
      `${chance.pick(['1', '2', '3', '4', '5'])}${chance.two(1, 99)}-${chance.two(1, 99)}-${chance.pick(['1', '4', '7'])}${chance.digits(3)}`,
  },
  phone: {
    label: ['phone', 'phone_number', 'mobilePhone'],
    make: (chance) =>
      chance.pick([
        `+49 30 ${2 + chance.below(8)}${chance.digits(6)}`,
        `+1 212 555 0${chance.digits(3)}`,
        `(415) 555-2${chance.digits(3)}`,
        `+33 6 ${grouped(chance.digits(8), 2, 2, 2, 2).join(' ')}`,
        `0${chance.pick(['171', '160', '151'])} ${2 + chance.below(7)}${chance.digits(6)}`,
        `5${chance.digits(9)}`,
      ]),
  },
  de_steuer_id: {
    label: ['Steuer-ID', 'steuer_id', 'steuerId'],
    make: (chance) =>
      again(() => {
        const order = Array.from('0123456789').sort(() => chance.below(3) - 1);
        order[9] = order[chance.below(9)];
        const body = order.sort(() => chance.below(3) - 1).join('');
        return body.startsWith('0') ? undefined : body + digit1110(body);
      }),
  },
  fr_nir: {
    strong: true,
    label: ['numéro de sécu', 'numero_secu', 'nir'],
    make(chance) {
      const body = `${chance.pick(['1', '2'])}${chance.digits(2)}${month(chance)}${chance.two(1, 95)}${chance.digits(6)}`;
      return body + String(97 - (Number(body) % 97)).padStart(2, '0');
    },
  },
  es_dni: {
    strong: true,
    label: ['DNI', 'dni', 'numeroDni'],
    make: (chance) => {
      const body = `${1 + chance.below(9)}${chance.digits(7)}`;
      return body + 'TRWAGMYFPDXBNJZSQVHLCKE'[Number(body) % 23];
    },
  },
  it_fiscal_code: {
    strong: true,
    label: ['codice fiscale', 'codice_fiscale', 'codiceFiscale'],
    make(chance) {
      const body = `${chance.of('BCDFGLMNPRST', 6)}${chance.digits(2)}${chance.pick(Array.from('ABCDEHLMPRST'))}${day(chance)}${chance.pick(Array.from('ABCDEFGHIL'))}${chance.digits(3)}`;
      const odd = '1 0 5 7 9 13 15 17 19 21'.split(' ').map(Number);
      const oddLetters = '1 0 5 7 9 13 15 17 19 21 2 4 18 20 11 3 6 8 12 14 16 10 22 25 24 23'.split(' ').map(Number);
      let sum = 0;
      Array.from(body).forEach((sign, at) => {
        const isDigit = sign >= '0' && sign <= '9';
        const value = isDigit ? Number(sign) : sign.charCodeAt(0) - 65;
        sum += at % 2 === 1 ? value : isDigit ? odd[value] : oddLetters[value];
      });
      return body + String.fromCharCode(65 + (sum % 26));
    },
  },
  pl_pesel: {
    strong: true,
    label: ['PESEL', 'pesel', 'peselNumber'],
    make(chance) {
      const body = chance.digits(2) + month(chance) + day(chance) + chance.digits(4);
      return body + String((10 - (weigh(body, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3]) % 10)) % 10);
    },
  },
  fi_hetu: {
    strong: true,
    label: ['henkilötunnus', 'hetu', 'henkiloTunnus'],
    make(chance) {
      const date = day(chance) + month(chance) + chance.digits(2);
      const serial = String(2 + chance.below(890)).padStart(3, '0');
      return `${date}-${serial}${'0123456789ABCDEFHJKLMNPRSTUVWXY'[Number(date + serial) % 31]}`;
    },
  },
  se_personnummer: {
    strong: true,
    label: ['personnummer', 'person_nummer', 'personNummer'],
    make(chance) {
      const body = chance.digits(2) + month(chance) + day(chance) + chance.digits(3);
      return `${body.slice(0, 6)}-${body.slice(6)}${luhnDigit(body)}`;
    },
  },
  tr_tckn: {
    strong: true,
    label: ['TC kimlik no', 'tc_kimlik_no', 'tcKimlikNo'],
    make(chance) {
      const d = digitsOf(`${1 + chance.below(9)}${chance.digits(8)}`);
      const tenth = ((((d[0] + d[2] + d[4] + d[6] + d[8]) * 7 - (d[1] + d[3] + d[5] + d[7])) % 10) + 10) % 10;
      return `${d.join('')}${tenth}${(d.reduce((sum, one) => sum + one, 0) + tenth) % 10}`;
    },
  },
  br_cpf: {
    strong: true,
    label: ['CPF', 'cpf', 'numeroCpf'],
    make(chance) {
      let body = `${1 + chance.below(8)}${chance.digits(8)}`;
      for (const first of [10, 11]) {
        const rest = digitsOf(body).reduce((sum, digit, at) => sum + digit * (first - at), 0) % 11;
        body += rest < 2 ? '0' : String(11 - rest);
      }
      return `${body.slice(0, 3)}.${body.slice(3, 6)}.${body.slice(6, 9)}-${body.slice(9)}`;
    },
  },
  in_aadhaar: {
    label: ['Aadhaar', 'aadhaar_number', 'aadhaarNumber'],
    make: (chance) =>
      again(() => {
        const made = `${2 + chance.below(8)}${chance.digits(11)}`;
        return verhoeff(made) ? grouped(made, 4, 4, 4).join(chance.pick([' ', ''])) : undefined;
      }),
  },
  in_gstin: {
    strong: true,
    label: ['GSTIN', 'gstin', 'gstNumber'],
    // Checked against another program that tells valid ones from others, as are the digits of most others here.
    make: (chance) => {
      const body = `${chance.two(1, 37)}${chance.of('ABCDE', 3)}P${chance.of('ABCDE', 1)}${chance.digits(4)}${chance.of('FGHJK', 1)}1Z`;
      let sum = 0;
      Array.from(body).forEach((sign, at) => {
        const weighed = Number.parseInt(sign, 36) * (at % 2 === 1 ? 2 : 1);
        sum += (weighed % 36) + (weighed - (weighed % 36)) / 36;
      });
      return body + ((36 - (sum % 36)) % 36).toString(36).toUpperCase();
    },
  },
  kr_rrn: {
    strong: true,
    label: ['주민등록번호', 'resident_registration_number', 'rrn'],
    make: (chance) => `${chance.digits(2)}${month(chance)}${day(chance)}-${1 + chance.below(4)}${chance.digits(6)}`,
  },
  sg_nric: {
    strong: true,
    label: ['NRIC', 'nric', 'nricNumber'],
    make(chance) {
      const first = chance.pick(['S', 'T']);
      const body = chance.digits(7);
      return first + body + 'JZIHGFEDCBA'[(weigh(body, [2, 7, 6, 5, 4, 3, 2]) + (first === 'T' ? 4 : 0)) % 11];
    },
  },
  au_tfn: {
    label: ['TFN', 'tax_file_number', 'taxFileNumber'],
    make: (chance) =>
      again(() => {
        const made = `${1 + chance.below(9)}${chance.digits(8)}`;
        return weigh(made, [1, 4, 3, 7, 5, 8, 6, 9, 10]) % 11 === 0 ? made : undefined;
      }),
  },
  au_abn: {
    strong: true,
    label: ['ABN', 'abn', 'abnNumber'],
    make: (chance) =>
      again(() => {
        const made = `${1 + chance.below(9)}${chance.digits(10)}`;
        const moved = String(Number(made[0]) - 1) + made.slice(1);
        // The register prefixes 11 to 99.
        return !made.startsWith('10') && weigh(moved, [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19]) % 89 === 0
          ? grouped(made, 2, 3, 3, 3).join(' ')
          : undefined;
      }),
  },
  th_nid: {
    label: ['Thai ID', 'national_id', 'nationalId'],
    make(chance) {
      const body = `${1 + chance.below(8)}${chance.pick(['10', '11', '30', '50', '83'])}${chance.digits(9)}`;
      return body + String((11 - (weigh(body, [13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11)) % 10);
    },
  },
  za_id: {
    strong: true,
    label: ['South African ID', 'id_number', 'idNumber'],
    make(chance) {
      const body = `${chance.digits(2)}${month(chance)}${day(chance)}${chance.digits(4)}${chance.below(2)}8`;
      return body + luhnDigit(body);
    },
  },
  uk_nino: {
    strong: true,
    label: ['National Insurance', 'national_insurance', 'niNumber'],
    make: (chance) => `${chance.pick(['AB', 'CE', 'JG', 'PA', 'WM'])}${chance.digits(6)}${chance.of('ABCD', 1)}`,
  },
  uk_nhs: {
    label: ['NHS number', 'nhs_number', 'nhsNumber'],
    make: (chance) =>
      again(() => {
        const body = `${4 + chance.below(3)}${chance.digits(8)}`;
        const check = 11 - (weigh(body, [10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11);
        return check === 10 ? undefined : body + String(check % 11);
      }),
  },
  ca_sin: {
    label: ['SIN', 'social_insurance_number', 'sin'],
    make(chance) {
      const body = `${chance.pick(['1', '2', '4', '5', '7'])}${chance.digits(7)}`;
      return grouped(body + luhnDigit(body), 3, 3, 3).join(chance.pick(['-', ' ']));
    },
  },
  us_npi: {
    label: ['NPI', 'npi_number', 'npiNumber'],
    make(chance) {
      const body = `1${chance.digits(8)}`;
      return body + luhnDigit(`80840${body}`);
    },
  },
  us_aba: {
    label: ['routing number', 'routing_number', 'routingNumber'],
    make: (chance) =>
      again(() => {
        const made = `0${1 + chance.below(9)}${chance.digits(7)}`;
        return weigh(made, [3, 7, 1, 3, 7, 1, 3, 7, 1]) % 10 === 0 ? made : undefined;
      }),
  },
  passport: {
    label: ['passport number', 'passport_no', 'passportNumber'],
    make: (chance) =>
      chance.pick([
        `${chance.of('CFGHJK', 1)}${chance.digits(8)}`,
        `${chance.of('ABXYZ', 2)}${chance.digits(7)}`,
        chance.digits(9),
      ]),
  },
};
