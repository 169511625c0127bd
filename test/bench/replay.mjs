/**
 * `npm run bench:replay`: what `motif admin replay` costs, start and reading included, of judging the same texts by
 * both gateway files in a bare loop, in user and system time. `--texts N` takes another number of texts; with `--bare`
 * it is the loop itself, in a process of its own so that both begin as cold.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { built } from './built.mjs';
import { cpuMs, median } from './cpu.mjs';

const top = fileURLToPath(new URL('../..', import.meta.url));
const at = process.argv.indexOf('--texts');
const count = at === -1 ? 30_000 : Number(process.argv[at + 1]);
const goal = 1.25;
const rounds = 5;
const texts = makeTexts();
const files = { present: gatewayFile('card, email'), next: gatewayFile('card, email, phone') };

if (process.argv.includes('--bare')) console.log(await bareMs());
else measure();

function measure() {
  const folder = mkdtempSync(join(tmpdir(), 'motif-bench-replay-'));
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, `${name}.yaml`), text);
    writeFileSync(join(folder, 'texts.jsonl'), texts.map((prompt) => `${JSON.stringify({ prompt })}\n`).join(''));
    const [next, corpus, present] = ['next.yaml', 'texts.jsonl', 'present.yaml'].map((name) => join(folder, name));
    const command = [process.execPath, join(top, 'bin/motif.js'), 'admin', 'replay', next, corpus, '-c', present];
    const env = { PATH: process.env.PATH, HOME: folder };
    const runs = Array.from({ length: rounds }, () => ({ bare: spawnBare(), replay: cpuMs(command, env) }));
    const [bare, replay] = [median(runs.map((run) => run.bare)), median(runs.map((run) => run.replay))];
    const ratio = replay / bare;
    const figures = `${replay.toFixed(0)} / ${bare.toFixed(0)} ms = ${ratio.toFixed(2)}`;
    console.log(`replay of ${count.toLocaleString('en-US')} texts, times of judging them: ${figures}   goal ${goal}`);
    if (ratio > goal) {
      console.log('MISSED');
      process.exitCode = 1;
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function spawnBare() {
  const args = [fileURLToPath(import.meta.url), '--bare', '--texts', String(count)];
  return Number(spawnSync(process.execPath, args, { encoding: 'utf8' }).stdout);
}

async function bareMs() {
  const { judging, parsing } = await built({
    judging: `${top}src/commands/gateway/admin/replay/motif-judge.ts`,
    parsing: `${top}src/gateway/file/parse.ts`,
  });
  const nothing = () => Promise.reject(new Error('is not read'));
  const judgeOf = async (text) => {
    const file = { file: 'bench', env: {}, readFile: nothing, readInside: nothing, now: Date.now() };
    const { config } = await parsing.parseGatewayFile(text, file);
    const parts = { readDocuments: async () => [], now: () => Date.now() };
    return judging.MotifJudge.create(config.motifs.get('bot'), config, parts);
  };
  const judges = [await judgeOf(files.present), await judgeOf(files.next)];
  const before = process.cpuUsage();
  for (const content of texts) {
    for (const judge of judges) judge.judge({ messages: [{ role: 'user', content }], isComposed: false });
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function gatewayFile(entities) {
  return `tenant: acme
providers: { m: { kind: mock, mode: echo } }
policies:
  no-pii: { kind: pii, entities: [${entities}] }
  no-secrets: { kind: secrets, action: redact }
  no-injection: { kind: injection, on: prompt }
motifs: { bot: { provider: m, policies: [no-pii, no-secrets, no-injection] } }
`;
}

/** Prompts of some hundred characters; some have a card number, some a telephone number. */
function makeTexts() {
  const words = `the kettle was returned within thirty days and a customer asks whether the order is on its way with the
    receipt number please answer soon thank you`.split(/\s+/);
  let seed = 7;
  const random = (below) => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) % below;
  return Array.from({ length: count }, (_, index) => {
    const text = Array.from({ length: 60 + random(120) }, () => words[random(words.length)]).join(' ');
    const card = index % 50 === 0 ? ' 4111 1111 1111 1111' : '';
    return `${text}${card}${index % 70 === 0 ? ' call +49 30 901820' : ''} ${index}`;
  });
}
