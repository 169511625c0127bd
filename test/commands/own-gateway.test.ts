import { describe, expect, test } from 'vitest';
import { logIn } from '../support/rooms/login.ts';
import { motif, type MotifSetup, testToken } from '../support/motif.ts';
import { service } from '../support/service.ts';

const own = 'http://127.0.0.1:8080/api/v1/apps/support-bot';
const elsewhere = 'https://gw.example/api/v1/apps/support-bot';

/** Situations in which a person is told where address, token or tenant ID are found. */
const situations: readonly {
  readonly name: string;
  readonly argv: (address: string) => readonly string[];
  readonly setup?: MotifSetup;
  readonly hasToken?: boolean;
  readonly own: RegExp;
}[] = [
  {
    name: 'login asks for the token',
    argv: (address) => ['login', address, '--no-verify'],
    setup: { stdin: { typed: [`${testToken}\r`] } },
    own: /the token was printed by motif admin init, motif admin create or motif serve \(the demo\)\n *another one, with the gateway file: motif admin rotate support-bot --keep\n *address and tenant: motif admin show support-bot\n/,
  },
  {
    name: 'login without a token',
    argv: (address) => ['login', address],
    setup: { stdin: 'none' },
    own: /the token was printed by motif admin init, motif admin create or motif serve \(the demo\)\n {2}another one, with the gateway file: motif admin rotate support-bot --keep\n {2}address and tenant: motif admin show support-bot\n/,
  },
  {
    name: 'a login that is not accepted',
    argv: (address) => ['login', address, '--token-stdin'],
    setup: { ...service({ status: 401, body: {} }), stdin: testToken },
    own: /the right one was printed by motif admin init, motif admin create or motif serve \(the demo\); another one, with the gateway file: motif admin rotate support-bot --keep/,
  },
  {
    name: 'a prompt without a token',
    argv: (address) => ['prompt', 'hi', '--url', address],
    own: /or set MOTIF_TOKEN \(it was printed by motif admin init, motif admin create or motif serve \(the demo\); another one, with the gateway file: motif admin rotate support-bot --keep\)/,
  },
  {
    name: 'a tenant that is missing',
    argv: (address) => ['prompt', 'hi', '--url', address],
    setup: service({ status: 403, body: {} }),
    hasToken: true,
    own: /\(motif admin show support-bot; the demo needs none\)/,
  },
  {
    name: 'a tenant that is wrong',
    argv: (address) => ['prompt', 'hi', '--url', address, '--tenant', 'acme'],
    setup: service({ status: 403, body: {} }),
    hasToken: true,
    own: /came from --tenant \(motif admin show support-bot; the demo needs none\)/,
  },
  {
    name: 'an address that is wrong',
    argv: (address) => ['prompt', 'hi', '--url', address],
    setup: service({ status: 404, body: {} }),
    hasToken: true,
    own: /compare it with motif admin show support-bot/,
  },
  {
    name: 'an answer that is none of a Motif',
    argv: (address) => ['prompt', 'hi', '--url', address],
    setup: service({ status: 200, body: [] }),
    hasToken: true,
    own: /compare it with motif admin show support-bot/,
  },
];

describe('a gateway of this machine has no console', () => {
  const shown = async ({ argv, setup, hasToken }: (typeof situations)[number], address: string): Promise<string> => {
    const words = argv(address);
    const env = hasToken === true ? { MOTIF_TOKEN: testToken } : {};
    const run = words[0] === 'login' ? await logIn(words.slice(1), setup) : await motif(words, { env, ...setup });
    return run.stderr;
  };

  test.each(situations)('$name', async (situation) => {
    const here = await shown(situation, own);
    expect(here).toMatch(situation.own);
    expect(here).not.toContain('console');
    expect(await shown(situation, elsewhere)).toContain('console > ');
  });
});
