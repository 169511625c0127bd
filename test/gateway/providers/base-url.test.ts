import { describe, expect, test } from 'vitest';
import { baseUrlFault } from '../../../src/gateway/providers/base-url.ts';
import { isForbiddenAddress } from '../../../src/wire/forbidden-host.ts';

describe('an address that may be asked', () => {
  test.each([
    'https://api.openai.com/v1',
    'https://acme.openai.azure.com',
    'https://gateway.example:8443/a/b/',
    'http://127.0.0.1:11434/v1',
    'http://localhost:8000/v1',
    'http://[::1]:8080/v1',
    'http://[::ffff:127.0.0.1]:8080/v1',
    'http://2130706433/v1',
    'http://0x7f.1/v1',
    'http://10.0.0.7/v1',
    'http://172.16.4.4/v1',
    'http://192.168.1.9:1234',
    'http://100.64.0.1/v1',
    'http://vllm.models.svc.cluster.local:8000/v1',
    'http://[fd12:3456::7]/v1',
    'http://[2001:db8::1]/v1',
    'http://[64:ff9b::c0a8:101]/v1',
    'http://[2002:c0a8:101::1]/v1',
    'https://metadata.example.com/v1',
  ])('%s', (address) => {
    expect(baseUrlFault(address)).toBeUndefined();
  });
});

describe('an address that is refused, however it is spelled', () => {
  test.each([
    'http://169.254.169.254/latest/meta-data',
    'http://169.254.170.2/v2/credentials',
    'http://2852039166/',
    'http://0xa9fea9fe/',
    'http://0xa9.0xfe.0xa9.0xfe/',
    'http://0251.0376.0251.0376/',
    'http://169.254.43518/',
    'http://169.16689662/',
    'http://１６９.254.169.254/',
    'http://169.254.169.254./',
    'http://[::ffff:169.254.169.254]/',
    'http://[::ffff:a9fe:a9fe]/',
    'http://[0:0:0:0:0:ffff:a9fe:a9fe]/',
    'http://[::a9fe:a9fe]/',
    'http://[64:ff9b::169.254.169.254]/',
    'http://[64:ff9b::a9fe:a9fe]/',
    'http://[64:ff9b:1::a9fe:a9fe]/',
    'http://[2002:a9fe:a9fe::]/',
    'http://[2002:a9fe:a9fe::1]/',
    'http://[fd00:ec2::254]/',
    'http://[fd20:ce::254]/',
    'http://[fd00:0042:0::42]/',
    'http://[fd00:a9fe:a9fe::1]/',
    'http://[FD00:100::100:200]/',
    'http://[fe80::1]/',
    'http://[febf::1]/',
    'http://[ff02::1]/',
    'http://[::]/',
    'http://0.0.0.0:8080/',
    'http://0/',
    'http://100.100.100.200/latest',
    'http://192.0.0.192/opc/v2',
    'http://168.63.129.16/machine',
    'http://224.0.0.1/',
    'http://255.255.255.255/',
    'http://metadata.google.internal/computeMetadata/v1',
    'http://METADATA.google.internal./computeMetadata/v1',
    'http://metadata/',
    'http://metadata.goog/',
  ])('%s', (address) => {
    expect(baseUrlFault(address)).toContain('not of a metadata service');
  });

  test.each([
    { address: 'api.openai.com/v1', says: 'must be an address such as' },
    { address: '', says: 'must be an address such as' },
    { address: 'ftp://files.example', says: 'begins with https://' },
    { address: 'file:///etc/passwd', says: 'begins with https://' },
    { address: 'unix:/var/run/docker.sock', says: 'begins with https://' },
    { address: 'https://user:canary@api.example', says: 'no user or password' },
    { address: 'https://api.example/v1?key=canary', says: 'neither a query' },
    { address: 'https://api.example/v1?', says: 'neither a query' },
    { address: 'https://api.example/v1#x', says: 'neither a query' },
  ])('$address: $says, and is not repeated', ({ address, says }) => {
    expect(baseUrlFault(address)).toContain(says);
    expect(baseUrlFault(address)).not.toContain('canary');
  });
});

test.each([
  ['169.254.169.254', true],
  ['fe80::1', true],
  ['fe80::1%eth0', true],
  ['::ffff:169.254.169.254', true],
  ['64:ff9b::a9fe:a9fe', true],
  ['fd00:ec2::254', true],
  ['fd00:ec2::23', true],
  ['fd00:c1::a9fe:a9fe', true],
  ['fd00:42::42', true],
  ['fd00:42:0:0:0:0:0:42', true],
  ['fd00:a9fe:a9fe::1', true],
  ['fd00:100::100:200', true],
  ['fd00:42::43', false],
  ['fd12:3456::1', false],
  ['127.0.0.1', false],
  ['::1', false],
  ['10.0.0.7', false],
  ['2606:4700::6810:85e5', false],
])('an address %s that a name leads to is forbidden: %s', (address, isForbidden) => {
  expect(isForbiddenAddress(address)).toBe(isForbidden);
});

/** The ways to write an IPv4 address as IPv6, each given as bytes in hexadecimal. */
const asIpv6: Readonly<Record<string, (one: string, two: string, three: string, four: string) => string>> = {
  mapped: (a, b, c, d) => `::ffff:${a}${b}:${c}${d}`,
  compatible: (a, b, c, d) => `::${a}${b}:${c}${d}`,
  translated: (a, b, c, d) => `::ffff:0:${a}${b}:${c}${d}`,
  NAT64: (a, b, c, d) => `64:ff9b::${a}${b}:${c}${d}`,
  'NAT64 with a local prefix of 96 bits': (a, b, c, d) => `64:ff9b:1:2:3:4:${a}${b}:${c}${d}`,
  'NAT64 with a local prefix of 48 bits': (a, b, c, d) => `64:ff9b:1:${a}${b}:00${c}:${d}00::`,
  'NAT64 with a local prefix of 56 bits': (a, b, c, d) => `64:ff9b:1:2${a}:00${b}:${c}${d}::`,
  'NAT64 with a local prefix of 64 bits': (a, b, c, d) => `64:ff9b:1:2:00${a}:${b}${c}:${d}00:0`,
  '6to4': (a, b, c, d) => `2002:${a}${b}:${c}${d}::1`,
  'the server of a Teredo address': (a, b, c, d) => `2001:0:${a}${b}:${c}${d}:0:f227:3f57:fe01`,
  'the client of a Teredo address': (...all) => {
    const [a, b, c, d] = all.map((byte) => (Number.parseInt(byte, 16) ^ 0xff).toString(16).padStart(2, '0'));
    return `2001:0:4136:e378:8000:f227:${a}${b}:${c}${d}`;
  },
  ISATAP: (a, b, c, d) => `2001:db8::5efe:${a}${b}:${c}${d}`,
  'ISATAP of a global address': (a, b, c, d) => `2001:db8::200:5efe:${a}${b}:${c}${d}`,
};

test.each(Object.keys(asIpv6))('what is forbidden as IPv4 is so as %s, and nothing else', (form) => {
  const written = (address: string) => {
    const [one, two, three, four] = address.split('.').map((part) => Number(part).toString(16).padStart(2, '0'));
    return asIpv6[form]!(one!, two!, three!, four!);
  };
  const forbidden = [
    '169.254.169.254',
    '169.254.170.2',
    '100.100.100.200',
    '168.63.129.16',
    '192.0.0.192',
    '224.0.0.1',
  ];
  const allowed = ['93.184.216.34', '10.1.2.3', '100.100.100.201', '168.63.129.17'];
  expect([...forbidden, ...allowed].filter((address) => isForbiddenAddress(written(address)))).toEqual(forbidden);
  expect(forbidden.filter((address) => baseUrlFault(`https://[${written(address)}]/`) === undefined)).toEqual([]);
});
