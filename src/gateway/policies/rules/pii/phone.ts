import { noEscape } from '../../readings/escapes.ts';
import { type Entity, rightBefore, wordLetters } from './entity.ts';

/** Numbers of phones, by the plans of those who give them out. */

/** Numbers of seven digits upwards; one written without a country needs a word that says what it is. */
function phoneFault(found: string, hasContext: boolean, isLabelled = () => false): string | undefined {
  const digits = found.replace(/(?:x|ext\.?|#).*$/i, '').replace(/\D/g, '');
  if (digits.length < 7 || digits.length > 15) return 'a phone number has 7 to 15 digits';
  if (new Set(digits).size <= 2) return 'only two different digits';
  if (!hasContext && /^00\d{7,9}$/.test(found)) return 'zeros before a short number, and no word for a phone near it';
  const isDate = /^(?:\d{4}[-/.]\d\d?[-/.]\d\d?|\d\d?[-/.]\d\d?[-/.]\d{4})(?:\D.*)?$/.test(found);
  if (/^\d{3}([-. ])\d{2}\1\d{4}$/.test(found)) return 'it is written like a social security number';
  if (isDate || /^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])$/.test(found)) return 'it is written like a date';
  if (found.includes('\n') && datedLine.test(found)) return 'a line that begins with a date stands in it';
  if (/^(?:1[5-9]|20)\d\d ?[-–/] ?(?:1[5-9]|20)\d\d$/.test(found)) return 'it is written like a date';
  if (/^\d+\.\d{1,2}$|^0\.\d{1,7}$|^[1-9]\d?\.\d{9,}$|^(?:\d+[/-])?\d{1,3}(?:\.\d{1,3}){3}$/.test(found))
    return 'it is written like a fraction or an address';
  if (/^\d{1,3}\.\d{1,3}\s+(?:19|20)\d\d$/.test(found)) return 'a fraction and a year';
  if (/^(?:19|20)\d\d [-+](?:0\d|1[0-4])(?:00|30|45)$/.test(found)) return 'a year and a time zone';
  const isLike =
    isSeason(found) ||
    (datedLine.test(found) && !/^(?:\+|00)/.test(found)) ||
    /^1\d{9}$|^0\d{2,3}(?:[\s/-]0\d{2,3})+$/.test(found) ||
    /^\d+\.\d+$|^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])[-T_ ]\d{2,6}$/.test(found);
  return isLike && !isLabelled() ? 'it is written like a date or a fraction, and no label stands before it' : undefined;
}

/** A date at the head of a line of a log, before which a number at the end of another line or message may stand. */
const datedLine = /(?<!\d)(?:19|20)\d\d([-/.])(?:0[1-9]|1[0-2])\1(?:0[1-9]|[12]\d|3[01])(?!\d)/;

/** Two years in a row whose sign between them was lost. */
function isSeason(found: string): boolean {
  const [, one, next] = /^((?:19|20)\d\d) ?((?:19|20)\d\d)$/.exec(found) ?? [];
  return one !== undefined && Number(next) === Number(one) + 1;
}

/** Inside a phone number: a sign, a bracket, or two blanks. */
const step = '(?:[ ./]|\\)[ .-]?|[ -]?\\(| ?[-–] ?| {2}|(?:\\t|\\r?\\n)(?!\\d+\\.\\d)|_)';
const extension = '(?:[ ,;]{0,2}(?:x|ext\\.?|extension|#)[ .:]?\\d{1,6})?';

/** Words behind which a number is one of a phone, in names that programs give. */
const named =
  '(?<!phone|tel|telefono?|handy|mobile?|cell|fax|sms|whatsapp|contact|call|home|work|office|number|num|_nr|_no)';
/** The end of a name such as `container_0042_` or `session_`, of which a number behind it is a part. */
const identifier = `(?:\\d_|[a-z]{3}${named}_)(?=[\\d(])`;
/** The same of `host2-10-105-`. */
const hostname = `[a-z]{3}${named}\\d{0,2}-(?:\\d{1,3}-){0,2}`;
/** Moments, fractions such as `.0053`, and amounts. */
const otherFigures =
  '\\d:\\d\\d:(?=[0-5]\\d(?!\\d))|:\\d\\d[.,]\\d{3,6}\\s{1,2}|(?:\\d|[^A-Za-z\\s.])\\.|[$€£]|(?<!\\d)(?:19|20)\\d\\d-(?:\\d\\d-){0,2}';

function phoneForm(source: string): RegExp {
  return new RegExp(
    `(?<!${noEscape}[${wordLetters}\\d+])(?<!${otherFigures}|${identifier})(?:${source})${extension}(?![${wordLetters}\\d%@]|\\+[a-z][\\w-]{0,39}@)`,
    'gi',
  );
}

/** Words right before a number that name something else. */
const otherNames = [
  '\\b(?:isbn|issn|order|invoice|item|article|version|build|commit|port|serial|ticket|part)(?:\\s?(?:no\\.?|number|id|nr\\.?|#))?\\s{0,3}[:#=]?\\s{0,3}',
  '\\b(?:cve|cwe|rfc|dfars?|clause|closes|bugs?|lp|sf|issue|commit)[-:\\s]{0,3}#?',
  '(?:\\w(?<!(?:phone|tel|mobile|cell|fax)_?)val|lock|flags?|[pugt]id|mask|index|count|size|offset|seq|hash|steps?|stamp|time|bytes|len(?:gth)?)=-?',
  '(?:订单|单号|编号|序号|流水|版本|金额|数量|运单|工号|学号|QQ)[\\u4e00-\\u9fff]?[\\s:：]{0,2}',
];

export const phone: Entity = {
  name: 'phone',
  sets: ['contact'],
  authority: 'ITU-T E.164, E.123; the numbering plan of North America',
  place: 'digits',
  topic: 'phone',
  forms: [
    {
      isSure: true,
      needs: /(?:\+|00) ?\(?[1-9]/,
      pattern: phoneForm(
        `(?:\\+|(?<!(?<!\\d)\\d{6} |\\w/)00|\\(\\+|\\(00) ?(?<![\\d)\\]] \\+ )\\(?[1-9](?:${step}?\\d){6,14}`,
      ),
    },
    // In a query, where a blank is written as a plus.
    { isSure: true, needs: /=\+[1-9]/, pattern: phoneForm('\\+(?<==\\+)[1-9]\\d{0,2}(?:\\+\\d{2,6}){1,4}') },
    {
      isSure: true,
      runs: /ccd/,
      pattern: phoneForm(
        `(?:\\+?1${step}|1(?=\\())?(?:\\([2-9]\\d\\d\\) ?|[2-9]\\d\\d ?[-. ] ?)[2-9]\\d\\d ?[-. ] ?\\d{4}`,
      ),
    },
    // A national number with its leading zero, in groups, or of the length of a mobile one.
    {
      isSure: true,
      runs: /[b-e][b-d]{2}|[b-d][f-h]/,
      needs: /0 ?\(?[1-9]\d{0,3}\)?[ ./-]?(?:\d{2,4}[ ./-]\d\d|\d{6})/,
      pattern: phoneForm(
        `(?<!\\d[-./]|${hostname})0 ?\\(?[1-9]\\d{1,3}\\)?(?:[ ./-]\\d{2,4}){2,4}|(?<!\\d[-./])0[1-9]\\d?-\\d{6,8}|(?<!\\d[-./])0[1-9]\\d{0,2}-\\d{3,4}-\\d{4}|0 ?\\([1-9]\\d{1,3}\\) ?\\d{6,8}`,
      ),
    },
    { isSure: true, runs: /[jk]/, pattern: phoneForm('0[2-9]\\d{9}|0[5-7]\\d{8}|010\\d{8}') },
    {
      isSure: true,
      runs: /[cd]cbb/,
      pattern: phoneForm('(?:0[-. ]?)?\\(?[2-9]\\d\\d\\)?([-. ])\\d{3}\\1\\d{2}\\1\\d{2}'),
    },
    // With an area that nobody has, as people make them up.
    {
      isSure: true,
      runs: /ccd/,
      pattern: phoneForm('555([-. ])\\d{3}\\1\\d{4}|\\([1-9]\\d\\d\\) ?\\d{3}[-. ]\\d{4}|123([-. ])456(?:\\2)7890'),
    },
    // China: mobile numbers, in groups, or beside letters of Chinese.
    {
      isSure: true,
      runs: /cdd|k/,
      pattern: phoneForm(
        '1[3-9]\\d([- ])\\d{4}\\1\\d{4}|(?<=[\\u4e00-\\u9fff][：:，,（( ]{0,2})1[3-9]\\d{9}(?![元块个件箱万亿])',
      ),
    },
    { pattern: phoneForm(`(?<!${hostname})\\(?\\d(?:${step}?\\d){6,14}(?![-.]\\d+[-.])`) },
  ],
  fault: phoneFault,
  notAfter: rightBefore(new RegExp(otherNames.join('|'), 'i')),
  sample: 'call 0171 234 5678 after five',
  lookAlike: 'item 123456789 in aisle 3',
};
