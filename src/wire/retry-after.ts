/** Beyond any deadline, and still a whole number of milliseconds. */
const retryAfterMsMax = 2 ** 52;

const datePattern = /^[A-Za-z]{3,9},? \d{1,2}[ -][A-Za-z]{3}[ -]\d{2,4} \d{2}:\d{2}:\d{2} GMT$/;
/** The date of C's asctime, which is in GMT without saying so. */
const oldDatePattern = /^[A-Za-z]{3} [A-Za-z]{3} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/;

/**
 * The milliseconds to wait that a Retry-After header asks for: whole seconds, however many, or an HTTP date. Undefined
 * where it is absent or makes no sense; a moment that has passed is 0.
 */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  const text = header?.trim();
  if (text === undefined || text === '') return undefined;
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, retryAfterMsMax);
  if (!datePattern.test(text) && !oldDatePattern.test(text)) return undefined;
  const moment = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(moment) ? undefined : Math.max(0, moment - now);
}
