import { describe, expect, test } from 'vitest';
import { gatewayFile, loaded } from '../../support/rooms/reloaded-gateway.ts';
import { certificates, selfSignedBy, tlsMissing } from '../../support/servers/tls.ts';

describe.skipIf(tlsMissing)(`a certificate ${tlsMissing ?? ''}`, () => {
  const withTls = `listen: { tls: { cert: tls.crt, key: tls.key } }\n${gatewayFile()}`;

  test.each([
    { name: 'that is empty', cert: () => '', says: 'tls.crt holds no certificate' },
    { name: 'whose key is empty', key: () => '', says: 'tls.key holds no private key that can be read' },
    {
      name: 'whose key is that of another one',
      key: () => certificates().selfSigned.key,
      says: 'tls.crt and tls.key are not a certificate and its key',
    },
    {
      name: 'behind another one',
      cert: () => certificates().ca + certificates().good.cert,
      says: 'tls.crt does not begin with the certificate of the key: put that first',
    },
    {
      name: 'before a list of all CAs',
      cert: () => certificates().good.cert + certificates().ca.repeat(300),
      says: 'tls.crt holds more certificates than clients take: leave out the CAs that they know',
    },
    {
      name: 'before a torn one',
      cert: () => certificates().good.cert + certificates().ca.slice(0, 200),
      says: 'tls.crt holds a certificate that cannot be read',
    },
  ])('$name leaves the one before in use, and says why', async ({ cert, key, says }) => {
    const { write, load, logged } = await loaded();
    const { good } = certificates();
    write('tls.crt', good.cert);
    write('tls.key', good.key);
    write('gateway.yaml', withTls);
    const first = await load();
    write('tls.crt', cert?.() ?? good.cert);
    write('tls.key', key?.() ?? good.key);
    expect(await load(first)).toMatchObject({ tls: good, faultyParts: ['listen.tls'] });
    expect(logged.at(-1)).toContain(says);
  });

  test.each([
    { kind: ['ec', '-pkeyopt', 'ec_paramgen_curve:secp256k1'], says: 'tls.key is of a kind that no client takes' },
    { kind: ['rsa:512'], says: 'tls.crt holds a certificate that is too weak for TLS' },
  ])('with a key of the kind $kind.0 with which no handshake is done leaves the one before', async ({ kind, says }) => {
    const { write, load, logged } = await loaded();
    const { good } = certificates();
    write('tls.crt', good.cert);
    write('tls.key', good.key);
    write('gateway.yaml', withTls);
    const first = await load();
    const bad = selfSignedBy(...kind);
    write('tls.crt', bad.cert);
    write('tls.key', bad.key);
    expect(await load(first)).toMatchObject({ tls: good, faultyParts: ['listen.tls'] });
    expect(logged.at(-1)).toContain(says);
  });

  test.each([['rsa:2048'], ['rsa-pss', '-pkeyopt', 'rsa_keygen_bits:2048'], ['ed25519'], ['ed448']])(
    'with a key of the kind %s is served',
    async (...kind) => {
      const { write, load } = await loaded();
      const made = selfSignedBy(...kind);
      write('tls.crt', made.cert);
      write('tls.key', made.key);
      write('gateway.yaml', withTls);
      expect(await load()).toMatchObject({ tls: made, faultyParts: [] });
    },
  );

  test('has a key that stands in no answer, in whatever lines', async () => {
    const { write, load } = await loaded();
    const { good } = certificates();
    write('tls.crt', good.cert);
    write('tls.key', good.key);
    write('gateway.yaml', withTls);
    const first = await load();
    write('gateway.yaml', gatewayFile());
    // Named no more, it is shown until the next start.
    const providers = [first, await load(await load(first))].map(({ motifs }) => motifs.get('bot')!.provider);
    const body = good.key.split('\n').slice(1, -2);
    for (const said of [body.join('\n'), body.join(''), body[0]!, body.join('').replaceAll(/.{1,50}/g, '$&\n')]) {
      const messages = [{ role: 'user' as const, content: said }];
      for (const provider of providers) {
        const { text } = await provider.ask({ model: undefined, params: {}, messages }, { deadlineAt: Infinity });
        // A spelled key is looked for by its letters: of one that ends with signs, these few may stay beside the mark.
        expect(text.trim()).toMatch(/^[+/]{0,4}\u2022{4}[+/]{0,4}$/);
      }
    }
  });

  test('whose key is encrypted is told as that, with the way out', async () => {
    const { write, load } = await loaded();
    write('tls.crt', certificates().good.cert);
    write('tls.key', '-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n');
    write('gateway.yaml', withTls);
    await expect(load()).rejects.toThrow(/tls.key is encrypted.*: openssl pkey -in tls.key -out NEW-FILE opens it/);
  });

  test('that is over is served, and the log says so', async () => {
    const { write, load, logged } = await loaded();
    const { good, expired } = certificates();
    write('tls.crt', good.cert);
    write('tls.key', good.key);
    write('gateway.yaml', withTls);
    const first = await load();
    expect(logged.join()).not.toContain('certificate');
    write('tls.crt', expired.cert);
    write('tls.key', expired.key);
    expect(await load(first)).toMatchObject({ tls: expired });
    expect(logged.join()).toContain('whose certificate expired ended on 2021-01-01: clients refuse it');
  });
});
