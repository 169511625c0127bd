/**
 * `npm run bench:replay`: what `motif admin replay` costs, start and reading included, of judging the same texts by
 * both gateway files in a bare loop, in user and system time: where one policy of three is another, and where all are,
 * so that no work can be shared. `--texts N` takes another number of texts; `--bare NAME` is the loop itself, in a
 * process of its own so that both begin as cold.
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
const entities = { present: 'card, email', next: 'card, email, phone' };
/** The gateway files by what differs between the present one and them. */
const changed = { one: gatewayFile(entities.next), all: gatewayFile(entities.next, 'another') };
const present = gatewayFile(entities.present);

const bareAt = process.argv.indexOf('--bare');
if (bareAt === -1) measure();
else console.log(await bareMs(changed[process.argv[bareAt + 1]]));

function measure() {
  const folder = mkdtempSync(join(tmpdir(), 'motif-bench-replay-'));
  try {
    writeFileSync(join(folder, 'present.yaml'), present);
    writeFileSync(join(folder, 'texts.jsonl'), texts.map((prompt) => `${JSON.stringify({ prompt })}\n`).join(''));
    for (const [name, text] of Object.entries(changed)) {
      writeFileSync(join(folder, 'next.yaml'), text);
      compare(name, folder);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function compare(name, folder) {
  const [next, corpus, base] = ['next.yaml', 'texts.jsonl', 'present.yaml'].map((each) => join(folder, each));
  const command = [process.execPath, join(top, 'bin/motif.js'), 'admin', 'replay', next, corpus, '-c', base];
  const env = { PATH: process.env.PATH, HOME: folder };
  const runs = Array.from({ length: rounds }, () => ({ bare: spawnBare(name), replay: cpuMs(command, env) }));
  const [bare, replay] = [median(runs.map((run) => run.bare)), median(runs.map((run) => run.replay))];
  const ratios = runs.map((run) => run.replay / run.bare).sort((one, other) => one - other);
  const span = `${ratios[0].toFixed(2)} to ${ratios.at(-1).toFixed(2)}`;
  const ratio = median(ratios);
  console.log(
    `replay of ${count.toLocaleString('en-US')} texts, ${name} of three policies changed, times of judging them: ` +
      `${replay.toFixed(0)} / ${bare.toFixed(0)} ms = ${ratio.toFixed(2)} (${span})   goal ${goal}`,
  );
  if (ratio <= goal) return;
  console.log('MISSED');
  process.exitCode = 1;
}

function spawnBare(name) {
  const args = [fileURLToPath(import.meta.url), '--bare', name, '--texts', String(count)];
  return Number(spawnSync(process.execPath, args, { encoding: 'utf8' }).stdout);
}

async function bareMs(next) {
  const { judging, policies, parsing } = await built({
    judging: `${top}src/gateway/policies/judging.ts`,
    policies: `${top}src/gateway/policies/index.ts`,
    parsing: `${top}src/gateway/file/parse.ts`,
  });
  const nothing = () => Promise.reject(new Error('is not read'));
  const policiesOf = async (text) => {
    const file = { file: 'bench', env: {}, readFile: nothing, readInside: nothing, now: Date.now() };
    const { config } = await parsing.parseGatewayFile(text, file);
    return config.motifs.get('bot').policies.map((name) => policies.createPolicy(config.policies.get(name)));
  };
  const lists = [await policiesOf(present), await policiesOf(next)];
  const before = process.cpuUsage();
  for (const content of texts) {
    for (const list of lists) judging.judgeNow(list, 'prompt', [content]);
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function gatewayFile(found, prefix = 'no') {
  const [pii, secrets, injection] = ['pii', 'secrets', 'injection'].map((kind) => `${prefix}-${kind}`);
  return `tenant: acme
providers: { m: { kind: mock, mode: echo } }
policies:
  ${pii}: { kind: pii, entities: [${found}] }
  ${secrets}: { kind: secrets, action: redact }
  ${injection}: { kind: injection, on: prompt }
motifs: { bot: { provider: m, policies: [${pii}, ${secrets}, ${injection}] } }
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
