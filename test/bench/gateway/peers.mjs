/** The gateways that are compared: each a program on a port of its own before the same upstream. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const top = fileURLToPath(new URL('../../..', import.meta.url));
const here = fileURLToPath(new URL('.', import.meta.url));
const token = 'mtf_bench_4Zq9Lw7Yb2Xn8Vc3';
const sentence = 'Please tell me how long I can return a kettle that I bought last week in your shop. ';
const portkeyVersion = '1.15.2';

/** Ports that nobody had a moment ago, so that two of these may run at once. */
const [upstreamPort, floorPort, portkeyPort, ...gatewayPorts] = await freePorts(16);

const gatewayPortOf = new Map();

/** The port of a gateway, the same each time; two gateways never have one. */
function gatewayPort(name) {
  if (!gatewayPortOf.has(name)) gatewayPortOf.set(name, gatewayPorts.pop());
  return gatewayPortOf.get(name);
}

export async function freePorts(count) {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => new Promise((listening) => server.once('listening', listening))));
  const ports = servers.map((server) => server.address().port);
  await Promise.all(servers.map((server) => new Promise((closed) => server.close(closed))));
  return ports;
}

/** Ten checks that both gateways have: eight patterns, a list of words, a length. None of them finds anything. */
const patterns = [
  'ACME-[0-9]{6}',
  'internal only',
  'secret plan [a-z]+',
  'AKIA[0-9A-Z]{16}',
  'ghp_[0-9A-Za-z]{36}',
  '-----BEGIN [A-Z ]*PRIVATE KEY-----',
  'password: [^ ]+',
  'ignore (all|previous) instructions',
];
const words = ['project-x', 'falcon', 'hercules'];
const charactersMax = 200_000;

export function promptOf(bytes) {
  const content = sentence.repeat(Math.ceil(bytes / sentence.length)).slice(0, bytes);
  return JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] });
}

export function upstream(answerBytes, waitMs = 0) {
  return {
    port: upstreamPort,
    command: ['node', join(here, 'upstream.mjs'), String(upstreamPort), String(answerBytes), String(waitMs)],
  };
}

export function floor() {
  const port = floorPort;
  return {
    port,
    path: '/v1/chat/completions',
    headers: {},
    command: ['node', join(here, 'floor.mjs'), String(port), String(upstreamPort)],
  };
}

export const policySets = ['none', 'ten', 'all'];

/**
 * Policies: `ten` as above, `none`, or `all` kinds of ours with every entity and rule. Asked is the last of the Motifs.
 * The program is that of `build`, a folder of this project. Before each answer it writes a line of the `audit`, or does
 * the `bare write` of one alone, or writes `none`.
 */
export function motif(folder, policies, { motifs = 1, build = top, records = 'audit' } = {}) {
  const name = `${policies}-${motifs}-${build === top ? 'new' : 'old'}-${records}`;
  const port = gatewayPort(name);
  const kinds = {
    ten: [
      ...patterns.map((pattern) => ({ kind: 'regex', pattern })),
      { kind: 'words', words },
      { kind: 'length', max_chars: charactersMax },
    ],
    none: [],
    all: [
      { kind: 'pii' },
      { kind: 'secrets' },
      { kind: 'injection' },
      { kind: 'invisible' },
      { kind: 'urls', allow: ['example.com'] },
    ],
  }[policies];
  const named = Object.fromEntries(kinds.map((kind, index) => [`p${index}`, kind]));
  const file = join(folder, `${name}.yaml`);
  const tokenOf = (index) => `${token}${index}`;
  const one = (index) => ({
    provider: 'up',
    model: 'm',
    policies: Object.keys(named),
    tokens: [{ id: 't1', sha256: createHash('sha256').update(tokenOf(index)).digest('hex') }],
  });
  writeFileSync(
    file,
    JSON.stringify({
      listen: { port },
      ...(records === 'audit' && { audit: { file: join(folder, `${name}.jsonl`) } }),
      providers: { up: { kind: 'openai', base_url: `http://127.0.0.1:${upstreamPort}/v1`, key: 'k' } },
      policies: named,
      motifs: Object.fromEntries(Array.from({ length: motifs }, (_, index) => [`bot${index}`, one(index)])),
    }),
  );
  const bareWrite = new URL('bare-write.mjs', import.meta.url);
  bareWrite.searchParams.set('file', join(folder, `${name}.jsonl`));
  const loaded = records === 'bare write' ? ['--import', bareWrite.href] : [];
  return {
    port,
    path: `/api/v1/apps/bot${motifs - 1}/prompts`,
    headers: { authorization: `Bearer ${tokenOf(motifs - 1)}` },
    command: ['node', ...loaded, join(build, 'bin/motif.js'), 'serve', '-c', file, '--log-level', 'error'],
  };
}

/** Undefined where it cannot be installed; nothing of it comes near our own dependencies. */
export function portkey() {
  const folder = join(tmpdir(), `motif-bench-portkey-${portkeyVersion}`);
  const program = join(folder, 'node_modules/@portkey-ai/gateway/build/start-server.js');
  if (!existsSync(program)) {
    const options = ['--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', '--no-save'];
    spawnSync('npm', ['install', ...options, `@portkey-ai/gateway@${portkeyVersion}`], { stdio: 'ignore' });
  }
  if (!existsSync(program)) return undefined;
  const checks = [
    ...patterns.map((rule) => ({ 'default.regexMatch': { rule, not: true }, deny: true })),
    { 'default.contains': { words, operator: 'none' }, deny: true },
    { 'default.characterCount': { minCharacters: 0, maxCharacters: charactersMax }, deny: true },
  ];
  const config = {
    provider: 'openai',
    api_key: 'k',
    custom_host: `http://127.0.0.1:${upstreamPort}/v1`,
    input_guardrails: checks,
    output_guardrails: checks,
  };
  const port = portkeyPort;
  return {
    port,
    path: '/v1/chat/completions',
    headers: { 'x-portkey-config': JSON.stringify(config) },
    command: ['node', program, '--headless', `--port=${port}`],
  };
}
