import { expect, test } from 'vitest';
import { found, policy } from '../../../../support/rooms/policies.ts';

const pii = policy('pii');

/** As the tests of other programs have them, with the words of the people who write such numbers. */
test.each([
  ['nl_bsn', 'Mijn burgerservicenummer is', '1112.22.333'],
  ['be_nrn', '"registre_national":', '85073003328'],
  ['dk_cpr', 'Mit CPR-nummer er', '010180-1234'],
  ['no_fodselsnummer', 'fodselsnummer;', '15108695088'],
  ['ch_ahv', 'numéro AVS', '756.9203.3850.60'],
  ['at_svnr', 'Sozialversicherungsnummer:', '1237 010180'],
  ['cz_rc', 'rodne_cislo=', '7103192745'],
  ['pt_nif', 'Contribuinte n.º', '506035220'],
  ['ie_pps', 'PPSN', '6433435OA'],
  ['pl_nip', 'NIP:', '8567346215'],
  ['rs_jmbg', 'EMŠO', '1211981500126'],
  ['ru_inn', 'ИНН:', '366220664163'],
  ['cn_id', '身份证号码：', '360426199101010071'],
  ['mx_curp', 'mi CURP es', 'MASI050805MVZRLRA8'],
  ['mx_rfc', 'RFC', 'GODE561231118'],
  ['cl_rut', 'RUT', '76086428-5'],
  ['hk_id', 'HKID', 'C5678909'],
])('%s is found behind %s, and with another last sign it is not', (entity, label, number) => {
  expect(found(pii, `${label} ${number} `)).toContain(`${entity}: ${number}`);
  const other = number.replace(/.$/, (sign) => (sign === '3' ? '4' : '3'));
  const isChecked = entity !== 'dk_cpr';
  expect(found(pii, `${label} ${other} `).some((hit) => hit.startsWith(entity))).toBe(!isChecked);
});

test.each(['111222333', '1237 010180', '506035220', '7103192745', '8567346215', '366220664163'])(
  '%s is nobody’s where no word says so',
  (number) => {
    expect(found(pii, `the parcel ${number} is here`)).toEqual([]);
  },
);

test.each([
  'RFC (request for change) CHG-240115-001, INC 240116 002',
  'RFC 9110; backups log-231224-124 and tar-231201-003',
  'we looked with cprofile, stamp 1706745600',
])('no number of a person is in "%s"', (text) => {
  expect(found(pii, text)).toEqual([]);
});

test.each([
  'RFC GODE561231GR8',
  'RFC: GODE-561231-GR1',
  'cpr-nr. 0101801234',
  'CPRnr 010180-1234',
  'cprNummer: 0101801234',
])('a person is in "%s"', (text) => {
  expect(found(pii, text).join()).toMatch(/^(?:mx_rfc|.*dk_cpr)/);
});
