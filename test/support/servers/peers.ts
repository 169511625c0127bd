import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openService, type Service } from './local-service.ts';
import { addresses, missingNetwork, type Network, privateNetwork, serviceName } from './network.ts';
import { certificates, type Identity } from './tls.ts';

/** The reason to skip tests with real peers, if any. */
export const peersMissing = missingNetwork('squid', 'tinyproxy', 'nginx', 'openssl');

/** Ports of nginx: the plain and the faultless port, and one for each way in which TLS can be wrong. */
export const ports = {
  http: 80,
  https: 443,
  clientCertificate: 8443,
  expired: 9001,
  wrongName: 9002,
  selfSigned: 9003,
  notYetValid: 9004,
  oldTls: 9005,
} as const;

const squidPorts = { open: 3128, password: 3129, secure: 3130, strict: 3131 } as const;
const tinyproxyPorts = { open: 8888, password: 8889 } as const;

export const credentials = { name: 'ana', password: 'canary-proxy-pw-7Kq2' } as const;

const login = `${credentials.name}:${credentials.password}@`;

/** The proxies as a person names them. `strict` opens a way to port 443 alone, as Debian's own configuration does. */
export const proxies = {
  squid: `http://${addresses.squid}:${squidPorts.open}`,
  squidWithPassword: `http://${login}${addresses.squid}:${squidPorts.password}`,
  squidOverTls: `https://${serviceName}:${squidPorts.secure}`,
  squidStrict: `http://${addresses.squid}:${squidPorts.strict}`,
  tinyproxy: `http://${addresses.tinyproxy}:${tinyproxyPorts.open}`,
  tinyproxyWithPassword: `http://${login}${addresses.tinyproxy}:${tinyproxyPorts.password}`,
} as const;

export interface Peers {
  readonly network: Network;
  readonly service: Service;
  /** The path of a file in the network's folder, written first where there is a text. */
  file(name: string, text?: string, mode?: number): string;
  close(): Promise<void>;
}

/** A service behind nginx in a network of its own, with the proxies if they are asked for. */
export async function startPeers(
  options: { proxies?: boolean; etc?: Readonly<Record<string, string>> } = {},
): Promise<Peers> {
  const network = await privateNetwork(options.etc);
  const file: Peers['file'] = (name, text, mode = 0o644) => {
    const path = join(network.folder, name);
    if (text !== undefined) writeFileSync(path, text, { mode });
    return path;
  };
  const service = await openService({ path: file('service.sock'), writableAll: true });
  const peers = {
    network,
    service,
    file,
    close: async () => void (await Promise.all([network.close(), service.close()])),
  };
  try {
    const run = (...command: string[]) => runForGood(network, command);
    run('nginx', '-c', file('nginx.conf', nginxConfig(file)));
    const expected: number[] = Object.values(ports);
    if (options.proxies === true) {
      run('squid', '-N', '-f', file('squid.conf', squidConfig(file)));
      for (const [name, port] of Object.entries(tinyproxyPorts)) {
        run('tinyproxy', '-d', '-c', file(`tinyproxy-${name}.conf`, tinyproxyConfig(file, name, port)));
      }
      expected.push(...Object.values(squidPorts), ...Object.values(tinyproxyPorts));
    }
    await Promise.all(expected.map((port) => network.listens(port)));
    return peers;
  } catch (error) {
    const words = existsSync(file('words')) ? readFileSync(file('words'), 'utf8') : '';
    await peers.close();
    throw new Error(`the peers did not start: ${words}`, { cause: error });
  }
}

function runForGood(network: Network, command: readonly string[]): void {
  const [enter, ...words] = [...network.insideForGood, 'sh', '-c', 'exec "$@" >>"$0" 2>&1'];
  spawn(enter, [...words, join(network.folder, 'words'), ...command], { stdio: 'ignore' });
}

type File = Peers['file'];

function nginxConfig(file: File): string {
  const made = certificates();
  const listen = (port: number, identity: Identity, ...more: string[]) =>
    [
      `server { listen ${port} ssl; listen [::]:${port} ssl;`,
      `ssl_certificate ${file(`nginx-${port}.crt`, identity.cert)};`,
      `ssl_certificate_key ${file(`nginx-${port}.key`, identity.key)};`,
      ...more,
      'location / { proxy_pass http://service; } }',
    ].join(' ');
  const verify = `ssl_client_certificate ${file('ca.crt', made.ca)}; ssl_verify_client on;`;
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return `
    daemon off; user root; worker_processes 1; pid ${file('nginx.pid')}; error_log ${file('nginx-error.log')} info;
    events {}
    http {
      log_format all '$remote_addr "$request" $status "$http_proxy_authorization" "$ssl_client_s_dn"';
      access_log ${file('nginx-access.log')} all;
      ${places.map((place) => `${place}_temp_path ${file(`nginx-${place}`)};`).join(' ')}
      upstream service { server unix:${file('service.sock')}; }
      proxy_http_version 1.1;
      proxy_set_header x-came-from $remote_addr;
      proxy_set_header x-client $ssl_client_s_dn;
      server { listen ${ports.http}; listen [::]:${ports.http}; location / { proxy_pass http://service; } }
      ${listen(ports.https, made.good)}
      ${listen(ports.clientCertificate, made.good, verify)}
      ${listen(ports.expired, made.expired)}
      ${listen(ports.wrongName, made.wrongName)}
      ${listen(ports.selfSigned, made.selfSigned)}
      ${listen(ports.notYetValid, made.notYetValid)}
      ${listen(ports.oldTls, made.good, 'ssl_protocols TLSv1.1; ssl_ciphers ALL:@SECLEVEL=0;')}
    }`;
}

/** A proxy's configuration that logs every header, so that what is not in the log was not seen. */
function squidConfig(file: File): string {
  const { good } = certificates();
  const hash = execFileSync('openssl', ['passwd', '-apr1', credentials.password], { encoding: 'utf8' }).trim();
  const passwords = file('squid.passwords', `${credentials.name}:${hash}\n`);
  return [
    ...[squidPorts.open, squidPorts.password, squidPorts.strict].map((port) => `http_port ${port}`),
    `https_port ${squidPorts.secure} tls-cert=${file('squid.pem', good.cert + good.key)}`,
    `auth_param basic program /usr/lib/squid/basic_ncsa_auth ${passwords}`,
    `acl with_password localport ${squidPorts.password}`,
    `acl strict localport ${squidPorts.strict}`,
    'acl known proxy_auth REQUIRED',
    `acl https port ${ports.https}`,
    'http_access deny strict !https',
    'http_access deny with_password !known',
    'http_access allow all',
    `tcp_outgoing_address ${addresses.squid}`,
    `access_log stdio:${file('squid-access.log')}`,
    `cache_log ${file('squid-cache.log')}`,
    `pid_filename ${file('squid.pid')}`,
    `coredump_dir ${file('.')}`,
    'debug_options ALL,1 11,2',
    'cache deny all',
    'cache_store_log none',
    'pinger_enable off',
    'dns_nameservers 127.0.0.1',
    'dns_timeout 1 second',
    'dns_retransmit_interval 1 second',
    'visible_hostname squid',
    '',
  ].join('\n');
}

function tinyproxyConfig(file: File, name: string, port: number): string {
  return [
    `Port ${port}`,
    `Bind ${addresses.tinyproxy}`,
    `LogFile "${file(`tinyproxy-${name}.log`)}"`,
    'LogLevel Info',
    'Timeout 20',
    ...(name === 'password' ? [`BasicAuth ${credentials.name} ${credentials.password}`] : []),
    '',
  ].join('\n');
}
