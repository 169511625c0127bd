import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { missingPrograms } from '../processes/programs.ts';

/**
 * A network of the test's own: its addresses are local and yet not loopback, so that proxies are used, and no packet
 * leaves the machine. Every process in it ends when it is closed, or when the test process goes away; what they share
 * in memory is theirs alone and goes with them, for squid gives it one name on the whole machine.
 */
export interface Network {
  /** A folder that every user may write into. */
  readonly folder: string;
  /** A command that runs in the network, with its hosts file. */
  readonly inside: readonly string[];
  /** As `inside`, for a peer that has to end with the network. */
  readonly insideForGood: readonly string[];
  /** Resolves once something listens on the port. */
  listens(port: number): Promise<void>;
  close(): Promise<void>;
}

/** Addresses of the services; a route through a proxy is told by the address it comes from. */
export const addresses = { service: '10.99.0.1', squid: '10.99.0.2', tinyproxy: '10.99.0.3', ipv6: 'fd99::1' } as const;

/** A name of the service; `other.test` and everything else that ends in `.test` is nobody. */
export const serviceName = 'gw.motif.test';

const setUp = `
  ip link set lo up && ip address add ${addresses.service}/24 dev lo && ip -6 address add ${addresses.ipv6}/64 dev lo nodad || exit
  mount -t tmpfs -o mode=1777 none /dev/shm || exit
  for place in $(ls "$1/system"); do mount --bind "$1/system/$place" "/etc/$(echo "$place" | tr + /)" || exit; done
  read -r pid rest </proc/self/stat; echo "$pid"
  exec cat`;

/** The reason to skip tests in such a network, if any. On CI they fail instead of being skipped. */
export function missingNetwork(...programs: readonly string[]): string | undefined {
  const missing = missingPrograms('unshare', 'nsenter', 'ip', ...programs);
  if (missing !== undefined || process.env.CI === 'true') return missing;
  return spawnSync('unshare', ['--mount', '--net', 'true']).status === 0 ? undefined : 'needs root, to make a network';
}

/** Files laid over those of /etc for the processes inside, by name: `ssl/certs/x` lies over /etc/ssl/certs/x. */
export async function privateNetwork(etc: Readonly<Record<string, string>> = {}): Promise<Network> {
  // Not in the usual place, which may be the memory that each network has for itself.
  const folder = mkdtempSync('/tmp/motif-network-');
  chmodSync(folder, 0o777);
  mkdirSync(join(folder, 'system'));
  const hosts = `127.0.0.1 localhost\n${addresses.service} ${serviceName}\n`;
  for (const [place, text] of Object.entries({ hosts, ...etc })) {
    writeFileSync(join(folder, 'system', place.replaceAll('/', '+')), text);
  }
  const args = ['--mount', '--net', '--pid', '--fork', '--kill-child', 'sh', '-c', setUp, 'sh', folder];
  const holder = spawn('unshare', args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => holder.once('close', resolve));
  const pid = await Promise.race([
    new Promise<string>((resolve) => holder.stdout.once('data', (bytes: Buffer) => resolve(bytes.toString().trim()))),
    ended.then(() => Promise.reject(new Error('the network could not be made; its words are on stderr'))),
  ]);
  return {
    folder,
    inside: ['nsenter', '--target', pid, '--mount', '--net', '--'],
    insideForGood: ['nsenter', '--target', pid, '--mount', '--net', '--pid', '--'],
    async listens(port) {
      const end = Date.now() + 20_000;
      while (!isListening(pid, port)) {
        if (Date.now() > end) throw new Error(`nothing listens on port ${port}`);
        await new Promise((wake) => setTimeout(wake, 20));
      }
    },
    async close() {
      holder.stdin.end();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** As the kernel lists it: address and port in hexadecimal, then a state, of which 0A is listening. */
function isListening(pid: string, port: number): boolean {
  const hexadecimal = port.toString(16).toUpperCase().padStart(4, '0');
  return ['tcp', 'tcp6'].some((table) =>
    new RegExp(`^ *\\d+: [0-9A-F]+:${hexadecimal} \\S+ 0A `, 'm').test(
      readFileSync(`/proc/${pid}/net/${table}`, 'utf8'),
    ),
  );
}
