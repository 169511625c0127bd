import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createHome } from '../support/processes/home.ts';
import { localService } from '../support/servers/local-service.ts';
import { missingPrograms } from '../support/processes/programs.ts';

const missing = missingPrograms('strace');

/** Local sockets (a resolver's cache, a keyring's bus) are no network; what is left is where bytes can leave for. */
function connectionsIn(log: string): string[] {
  return [...log.matchAll(/connect\(\d+, \{sa_family=AF_INET6?, .*/g)].map(([line]) => line);
}

test.skipIf(missing)(
  `nothing is contacted but the address that was given${missing ? `: ${missing}` : ''}`,
  async () => {
    const { env } = await localService();
    const home = createHome();
    const commands = [
      ['--version'],
      ['--help'],
      ['help', 'json'],
      ['whoami'],
      ['profile', 'list'],
      ['completion', 'bash'],
      ['prompt', '--dry-run', 'hi'],
      ['login', env.MOTIF_URL ?? '', '--token-stdin', '--token-store', 'file'],
      ['prompt', 'hi'],
      ['logout', '--all'],
    ];
    const port = new URL(env.MOTIF_URL ?? '').port;
    for (const words of commands) {
      const log = join(home.root, `${words[0]}.log`);
      const within = ['strace', '-f', '-o', log, '-e', 'trace=connect'];
      const { MOTIF_URL = '', MOTIF_TOKEN = '' } = env;
      await home.motif(words, { within, input: MOTIF_TOKEN, env: { MOTIF_URL, MOTIF_TOKEN } });
      const isSending = words[0] === 'login' || (words[0] === 'prompt' && words.length === 2);
      const found = connectionsIn(readFileSync(log, 'utf8'));
      expect({ words, found: found.length }).toEqual({ words, found: isSending ? 1 : 0 });
      expect(found.every((line) => line.includes(`htons(${port})`) && line.includes('127.0.0.1'))).toBe(true);
    }
  },
);
