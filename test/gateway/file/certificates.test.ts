import { describe, expect, test } from 'vitest';
import { certificateRemark, shownCertificate, trustedCertificate } from '../../../src/gateway/file/certificates.ts';
import { dayMs } from '../../../src/text/durations.ts';
import { type Certificates, certificates, tlsMissing } from '../../support/servers/tls.ts';

const today = Date.UTC(2026, 10, 21);
/** The end of every good certificate. */
const end = Date.UTC(2099, 0, 1);
const look = ' (motif help tls)';

interface Row {
  readonly name: string;
  readonly pem: (made: Certificates) => string;
  readonly now?: number;
  readonly shown: string | undefined;
  readonly trusted?: string | undefined;
}

describe.skipIf(tlsMissing)(`a file of certificates ${tlsMissing ?? ''}`, () => {
  test.each<Row>([
    { name: 'a good one', pem: ({ good }) => good.cert, shown: undefined },
    { name: 'one that ends in 30 days', pem: ({ good }) => good.cert, now: end - 30 * dayMs, shown: undefined },
    {
      name: 'one that ends within 30 days',
      pem: ({ good }) => good.cert,
      now: end - 30 * dayMs + 1,
      shown: `whose certificate good ends on 2099-01-01, in 29 days: put a new one in its place before, or clients refuse it${look}`,
      trusted: `whose certificate good ends on 2099-01-01, in 29 days: put a new one in its place before, or what it signed is refused${look}`,
    },
    {
      name: 'one of several that is over',
      pem: ({ good, expired }) => good.cert + expired.cert,
      shown: `whose certificate expired ended on 2021-01-01: clients refuse it, so put a new one in its place${look}`,
      trusted: `whose certificate expired ended on 2021-01-01: what it signed is refused, so put a new one in its place${look}`,
    },
    {
      name: 'an old one and the new one of its name',
      pem: ({ renewed, expired }) => expired.cert + renewed.cert,
      shown: `whose certificate expired ended on 2021-01-01: clients refuse it, so put a new one in its place${look}`,
      trusted: undefined,
    },
    {
      name: 'several',
      pem: ({ good, client, expired }) => good.cert + client.cert + expired.cert,
      now: end,
      shown: `whose certificate expired (and 2 more) ended on 2021-01-01: clients refuse it, so put a new one in its place${look}`,
      trusted: `whose certificate expired (and 2 more) ended on 2021-01-01: what it signed is refused, so put a new one in its place${look}`,
    },
    {
      name: 'one that has not begun',
      pem: ({ notYetValid }) => notYetValid.cert,
      shown: 'whose certificate early counts only from 2099-01-01 on',
      trusted: 'whose certificate early counts only from 2099-01-01 on',
    },
    {
      name: 'a torn one',
      pem: ({ good }) => good.cert.slice(0, 200),
      shown: 'which holds a certificate that cannot be read',
      trusted: 'which holds a certificate that cannot be read',
    },
  ])('$name', ({ pem, now = today, shown, trusted }) => {
    const text = pem(certificates());
    const remarks = [shownCertificate, trustedCertificate].map((use) => certificateRemark('a.pem', text, now, use));
    expect(remarks).toEqual([shown, trusted].map((words) => words && `names a.pem, ${words}`));
  });
});
