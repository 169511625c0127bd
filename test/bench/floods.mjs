/**
 * `npm run bench:floods`: a gateway under random mixes of attacks, and what callers of another Motif wait meanwhile, in
 * CPU time of the gateway beside the time on the wall, for to attack takes a core too. `--seed N` is the first mix
 * (1), `--mixes N` says how many (6), `--seconds N` how long each takes (12), `--only 'A:20,B'` names its attacks, and
 * how many clients one has, `--tls` has all over TLS. The same seed is the same mix. Ends with 1 if a caller got no
 * answer; long waits are printed and no failure, because they are those of this machine.
 */
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { attacksOf } from './floods/attacks.mjs';
import { seeded } from './floods/random.mjs';
import { callAgain, callersOf } from './floods/victims.mjs';
import { freePorts } from './gateway/peers.mjs';

const fileOf = (path) => fileURLToPath(new URL(path, import.meta.url));
const option = (name, otherwise) => {
  const at = process.argv.indexOf(`--${name}`);
  return at === -1 ? otherwise : process.argv[at + 1];
};
const [firstSeed, mixes, seconds] = [option('seed', 1), option('mixes', 6), option('seconds', 12)].map(Number);
const only = option('only', '').split(',').filter(Boolean);
const namesOf = (isTls) => Object.keys(attacksOf({ random: seeded(0), isTls }));
/** Beyond these a wait is marked: milliseconds of the event loop's CPU time, and megabytes. */
const most = { p99: 250, max: 1000, livez: 100, memoryMb: 600 };
let failed = 0;

function mixOf(seed) {
  const random = seeded(seed);
  const isTls = process.argv.includes('--tls') || random.below(5) === 0;
  const attacks = only.length > 0 ? only : random.someOf(namesOf(isTls), 2 + random.below(4));
  return {
    attacks: attacks.map((named) => {
      const [attack, clients = random.oneOf([20, 100, 300, 600])] = named.split(':');
      return { attack, clients: Number(clients), seed: random.below(1e9) };
    }),
    tokens: random.oneOf([1, 10, 100]),
    motifs: random.oneOf([1, 5]),
    isTls,
    reloads: random.below(4) === 0,
  };
}

function gatewayFile(mix, ports, tokens) {
  const kinds = {
    pii: { kind: 'pii', action: 'redact' },
    secrets: { kind: 'secrets' },
    injection: { kind: 'injection' },
  };
  const policies = {
    ...kinds,
    words: { kind: 'words', words: ['falcon', 'hercules'] },
    plan: { kind: 'regex', pattern: 'secret plan [a-z]+' },
  };
  const url = (port) => `http://127.0.0.1:${port}/v1`;
  const motifOf = (name, provider, accepted) => [
    name,
    {
      provider,
      model: 'm',
      policies: Object.keys(policies),
      tokens: accepted.map(({ id, sha256 }) => ({ id, sha256 })),
    },
  ];
  const flooded = Array.from({ length: mix.motifs }, (_, at) => `noisy${at}`);
  return JSON.stringify({
    listen: { port: ports.gateway, ...(mix.isTls && { tls: { cert: 'tls.crt', key: 'tls.key' } }) },
    admin: { port: ports.admin },
    audit: { file: 'audit.jsonl' },
    providers: {
      echo: { kind: 'mock', mode: 'echo' },
      hangs: { kind: 'openai', base_url: url(ports.hangs) },
      big: { kind: 'openai', base_url: url(ports.big) },
    },
    policies,
    motifs: Object.fromEntries([
      motifOf(
        'bot',
        'echo',
        tokens.filter(({ motif }) => motif === 'bot'),
      ),
      ...flooded.map((name) =>
        motifOf(
          name,
          'echo',
          tokens.filter(({ motif }) => motif === name),
        ),
      ),
      motifOf(
        'slow',
        'hangs',
        tokens.filter(({ motif }) => motif !== 'bot'),
      ),
      motifOf(
        'big',
        'big',
        tokens.filter(({ motif }) => motif !== 'bot'),
      ),
    ]),
  });
}

function tokensOf(mix) {
  const one = (motif, id) => {
    const text = `mtf_flood_${id}_4Zq9Lw7Yb2Xn8Vc3`;
    return { motif, id, text, sha256: createHash('sha256').update(text).digest('hex') };
  };
  return [
    one('bot', 'own'),
    ...Array.from({ length: Math.max(mix.tokens, mix.motifs) }, (_, at) => one(`noisy${at % mix.motifs}`, `t${at}`)),
  ];
}

async function flood(seed) {
  const mix = mixOf(seed);
  const folder = mkdtempSync(join(tmpdir(), 'motif-floods-'));
  const children = [];
  const run = (core, ...words) => {
    const child = spawn('taskset', ['-c', core, process.execPath, ...words], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    children.push(child);
    return child;
  };
  try {
    const [gateway, admin, hangs, big] = await freePorts(4);
    const ports = { gateway, admin, hangs, big };
    const tokens = tokensOf(mix);
    if (mix.isTls) makeCertificate(folder);
    const file = join(folder, 'gateway.yaml');
    const text = gatewayFile(mix, ports, tokens);
    writeFileSync(file, text);
    run('1', fileOf('gateway/upstream.mjs'), String(hangs), '500', '30000');
    run('1', fileOf('gateway/upstream.mjs'), String(big), '2000000', '200');
    const served = run('0', fileOf('../../bin/motif.js'), 'serve', '-c', file, '--log-level', 'error');
    while ((await fetch(`http://127.0.0.1:${admin}/readyz`).catch(() => undefined))?.status !== 200) await wait(50);
    // The thread for large texts is there then.
    await wait(2500);
    const noisy = tokens
      .filter(({ motif }) => motif !== 'bot')
      .map(({ motif, text: token }) => ({ motif, text: token }));
    for (const attack of mix.attacks) {
      const parts = { ...attack, ports, tokens: noisy, isTls: mix.isTls };
      run('1', fileOf('floods/attacker.mjs'), JSON.stringify(parts));
    }
    const endsAt = performance.now() + seconds * 1000;
    const isOver = () => performance.now() > endsAt;
    const callers = callersOf(tokens[0].text);
    const parts = { ports, pid: served.pid, isTls: mix.isTls, isOver };
    const reloads = mix.reloads ? reloadEachSecond(file, text, isOver) : undefined;
    const lanes = callers.flatMap((caller) => Array.from({ length: 4 }, () => callAgain(caller, parts)));
    const waits = await Promise.all(lanes);
    await reloads;
    if (served.exitCode !== null) throw new Error(`the gateway ended with ${served.exitCode}`);
    report(
      seed,
      mix,
      callers.map(({ name }, at) => ({ name, waits: waits.slice(at * 4, at * 4 + 4).flat() })),
      highestMb(served.pid),
    );
  } finally {
    for (const child of children) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
}

function makeCertificate(folder) {
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];
  const words = ['req', '-x509', ...curve, '-nodes', '-keyout', 'tls.key', '-out', 'tls.crt', '-subj', '/CN=gw'];
  execFileSync('openssl', words, { cwd: folder, stdio: 'ignore' });
}

async function reloadEachSecond(file, text, isOver) {
  for (let version = 0; !isOver(); version += 1) {
    await wait(1000);
    writeFileSync(file, text.replace('secret plan', `secret plan ${version}`));
  }
}

function highestMb(pid) {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

function report(seed, mix, callers, memoryMb) {
  const attacks = mix.attacks.map(({ attack, clients }) => `${clients} ${attack}`).join(' + ');
  const more = [`${mix.tokens} tokens`, `${mix.motifs} Motifs`, mix.isTls && 'TLS', mix.reloads && 'reloads'].filter(
    Boolean,
  );
  console.log(
    `\nmix ${seed}: ${attacks} (${more.join(', ')}); ${Math.round(memoryMb)} MB${memoryMb > most.memoryMb ? ' <<<' : ''}`,
  );
  for (const { name, waits } of callers) {
    const bad = waits.filter(({ status }) => status !== '200');
    failed += bad.length;
    const line = ['loop', 'all', 'wall'].map((clock) => {
      const sorted = waits.map((one) => one[clock]).toSorted((one, other) => one - other);
      const at = (share) => Math.round(sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? NaN);
      return { p50: at(0.5), p99: at(0.99), max: at(1) };
    });
    const [loop] = line;
    const isLong = name === '/livez' ? loop.p99 > most.livez : loop.p99 > most.p99 || loop.max > most.max;
    const shown = line.map(({ p50, p99, max }) => `${p50}/${p99}/${max}`.padEnd(16)).join('');
    const lost =
      bad.length > 0 ? `  not 200: ${[...new Set(bad.map(({ status }) => status))].join(' ')} x${bad.length} <<<` : '';
    console.log(`  ${name.padEnd(13)}${String(waits.length).padStart(5)}  ${shown}${isLong ? '<<<' : ''}${lost}`);
  }
}

console.log('p50/p99/max in ms: CPU of the event loop, CPU of the process, wall');
for (let seed = firstSeed; seed < firstSeed + mixes; seed++) await flood(seed);
process.exitCode = failed > 0 ? 1 : 0;
