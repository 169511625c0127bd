import { X509Certificate } from 'node:crypto';
import { defuseLine } from '../../text/defuse.ts';
import { dayMs, toDay } from '../../text/durations.ts';
import { counted } from '../../text/sizes.ts';

/** The use of a file of certificates, on which depends which of them count and what comes of one that is over. */
interface CertificateUse {
  /** True where those of the same name stand in for each other, as an old and a new CA do. */
  readonly isTrusted: boolean;
  /** The consequence of a bad one, as the end of a sentence. */
  readonly effect: string;
}

/** A certificate that the gateway shows, with those behind it. */
export const shownCertificate: CertificateUse = { isTrusted: false, effect: 'clients refuse it' };
/** A private CA that the gateway trusts. */
export const trustedCertificate: CertificateUse = { isTrusted: true, effect: 'what it signed is refused' };

/** The time before an end, of a certificate or an exception, from which on it is warned of. */
export const endingMs = 30 * dayMs;
const beginMark = '-----BEGIN CERTIFICATE-----';
const endMark = '-----END CERTIFICATE-----';
const nameCharactersMax = 60;

interface ReadCertificate {
  readonly certificate: X509Certificate;
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/**
 * A remark on a PEM file with a certificate that is over, ends soon, has not begun or cannot be read, as words that
 * follow the path of the key that names it; undefined where all is well.
 */
export function certificateRemark(
  file: string,
  pem: string,
  now: number,
  { isTrusted, effect }: CertificateUse,
): string | undefined {
  const read = certificatesIn(pem);
  const names = `names ${defuseLine(file)}`;
  if (read.includes(undefined)) return `${names}, which holds a certificate that cannot be read`;
  const all = read.filter((each) => each !== undefined);
  const ending = (isTrusted ? lastOfEachName(all) : all).filter(({ to }) => to - now < endingMs);
  const first = ending.toSorted((one, other) => one.to - other.to)[0];
  const early = all.find(({ from }) => from > now);
  if (first === undefined)
    return early && `${names}, whose certificate ${early.name} counts only from ${toDay(early.from)} on`;
  const more = ending.length === 1 ? '' : ` (and ${ending.length - 1} more)`;
  const of = `${names}, whose certificate ${first.name}${more}`;
  if (first.to <= now)
    return `${of} ended on ${toDay(first.to)}: ${effect}, so put a new one in its place (motif help tls)`;
  return `${of} ends on ${toDay(first.to)}, in ${daysLeft(first.to, now)}: put a new one in its place before, or ${effect} (motif help tls)`;
}

export function daysLeft(end: number, now: number): string {
  return counted(Math.floor((end - now) / dayMs), 'day');
}

/** False for a torn file, in which TLS would find nothing and say nothing. */
export function holdsCertificate(pem: string): boolean {
  return certificatesIn(pem).some((each) => each !== undefined);
}

/** One for each mark of a beginning; undefined where none can be read behind it. */
export function certificatesIn(pem: string): readonly (ReadCertificate | undefined)[] {
  return pem.split(beginMark).slice(1).map(readCertificate);
}

/** The part behind a mark of a beginning, read; undefined where it is no certificate. */
function readCertificate(part: string): ReadCertificate | undefined {
  const end = part.indexOf(endMark);
  if (end === -1) return undefined;
  try {
    const certificate = new X509Certificate(beginMark + part.slice(0, end) + endMark);
    const { subject, validFrom, validTo } = certificate;
    const name = /^CN=(.*)$/m.exec(subject)?.[1] ?? subject;
    return {
      certificate,
      name: defuseLine(name, nameCharactersMax),
      from: Date.parse(validFrom),
      to: Date.parse(validTo),
    };
  } catch {
    return undefined;
  }
}

function lastOfEachName(all: readonly ReadCertificate[]): readonly ReadCertificate[] {
  const last = new Map<string, ReadCertificate>();
  for (const each of all) if (each.to > (last.get(each.name)?.to ?? -Infinity)) last.set(each.name, each);
  return [...last.values()];
}
