import { isLuhn, digitsOf } from '../checksums.ts';
import {
  isChinese,
  isCnpj,
  isCuit,
  isCurp,
  isHongKong,
  isMyNumber,
  isRfc,
  isRut,
  isTaiwanese,
} from '../national-sums.ts';
import { type Entity, between, standalone } from './entity.ts';
import { digitGroups, national } from './national.ts';

/** The same of states of Asia and Latin America. */

const gap = `${between}?`;
const month = '(?:0[1-9]|1[0-2])';
const day = '(?:0[1-9]|[12]\\d|3[01])';

export const farEntities: readonly Entity[] = [
  national(isCnpj, {
    name: 'br_cnpj',
    sets: ['latam'],
    authority: 'Receita Federal: instrução normativa 2119/2022',
    topic: 'cnpj',
    forms: [
      { isSure: true, runs: /bccdb/, pattern: standalone('\\d{2}\\.\\d{3}\\.\\d{3}/\\d{4}-\\d{2}') },
      digitGroups(2, 3, 3, 4, 2),
    ],
    checksum: 'mod 11',
    sample: '16.727.230/0001-97',
    lookAlike: '16.727.230/0001-98',
  }),
  national(isCurp, {
    name: 'mx_curp',
    sets: ['latam'],
    authority: 'RENAPO: instructivo normativo para la asignación de la CURP',
    topic: 'curp',
    forms: [
      {
        isSure: true,
        shape: /[DZ]f/,
        pattern: standalone(`[A-Z][AEIOUX][A-Z]{2}\\d{2}${month}${day}[HMX][A-Z]{2}[B-DF-HJ-NP-TV-ZÑ]{3}[A-Z\\d]\\d`),
      },
    ],
    checksum: 'weights by 10',
    sample: 'BOXW310820HNERXN09',
    lookAlike: 'BOXW310820HNERXN08',
  }),
  national(isRfc, {
    name: 'mx_rfc',
    sets: ['latam'],
    authority: 'SAT: código fiscal de la federación, art. 27',
    topic: 'rfc',
    forms: [
      { shape: /[CDZ][f-i]/, pattern: standalone(`[A-ZÑ&]{3,4}[ -]?\\d{2}${month}${day}[ -]?[A-Z\\d]{2}[A\\d]`) },
    ],
    sample: 'RFC GODE561231GR8',
    lookAlike: 'RFC GODE569931GR8',
  }),
  national(isCuit, {
    name: 'ar_cuit',
    sets: ['latam'],
    authority: 'AFIP, ANSES: CUIT y CUIL',
    topic: 'cuit',
    forms: [digitGroups(2, 8, 1)],
    checksum: 'weights by 11',
    sample: 'CUIT 20-05536168-2',
    lookAlike: 'CUIT 20-05536168-3',
  }),
  national(isRut, {
    name: 'cl_rut',
    sets: ['latam'],
    authority: 'Servicio de Registro Civil: rol único nacional y tributario',
    topic: 'rut',
    forms: [
      { isSure: true, runs: /[ab]cc/, pattern: standalone('\\d{1,2}\\.\\d{3}\\.\\d{3}-[\\dK]') },
      { runs: /[ghi]/, pattern: standalone(`\\d{7,8}${gap}[\\dK]`) },
    ],
    checksum: 'weights by 11',
    sample: '12.531.909-2',
    lookAlike: '12.531.909-3',
  }),
  national(isChinese, {
    name: 'cn_id',
    sets: ['apac'],
    authority: 'GB 11643: 公民身份号码',
    topic: 'shenfen',
    forms: [
      {
        isSure: true,
        runs: /[qr]/,
        pattern: standalone(`[1-8]\\d{5}(?:19|20)\\d{2}${month}${day}\\d{3}[\\dX]`),
      },
    ],
    checksum: 'mod 11,2',
    sample: '11010519491231002X',
    lookAlike: '110105194912310021',
  }),
  national(isMyNumber, {
    name: 'jp_my_number',
    sets: ['apac'],
    authority: '総務省令第85号: 個人番号',
    topic: 'mynumber',
    forms: [digitGroups(4, 4, 4)],
    checksum: 'weights by 11',
    sample: 'マイナンバー 1234 5678 9018',
    lookAlike: 'マイナンバー 1234 5678 9017',
  }),
  national(isTaiwanese, {
    name: 'tw_id',
    sets: ['apac'],
    authority: '內政部: 國民身分證統一編號',
    topic: 'shenfen',
    forms: [{ shape: /[AZ]i/, pattern: standalone('[A-Z][1289]\\d{8}') }],
    checksum: 'weights by 10',
    sample: '身分證字號 A200501505',
    lookAlike: '身分證字號 A200501504',
  }),
  national(isHongKong, {
    name: 'hk_id',
    sets: ['apac'],
    authority: 'Immigration Department: Hong Kong identity card',
    topic: 'hkid',
    forms: [{ shape: /[ABZ][fg]/, pattern: standalone('[A-Z]{1,2}\\d{6} ?(?:\\([\\dA]\\)|[\\dA])', 'gi') }],
    checksum: 'weights by 11',
    sample: 'HKID G123456(A)',
    lookAlike: 'HKID G123456(9)',
  }),
  national((found) => isLuhn(digitsOf(found)) && new Set(found).size > 2, {
    name: 'il_id',
    sets: ['apac'],
    authority: 'רשות האוכלוסין: מספר זהות',
    topic: 'zehut',
    forms: [digitGroups(8, 1), digitGroups(7, 1)],
    checksum: 'Luhn',
    sample: 'ת.ז 039337423',
    lookAlike: 'ת.ז 039337424',
  }),
];
