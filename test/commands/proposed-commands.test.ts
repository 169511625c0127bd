import { expect, test } from 'vitest';
import { motif, type MotifSetup, testEnv } from '../support/motif.ts';
import { refused, service } from '../support/service.ts';
import { foldedWords } from '../../src/text/width.ts';
import '../support/rooms/gateway-loaded.ts';

const gateway = `tenant: acme
audit: { file: audit.jsonl }
providers: { mock: { kind: mock } }
policies: { keys: { kind: secrets } }
motifs: { bot: { provider: mock, policies: [keys] } }
`;
const files = {
  'my gateway.yaml': gateway,
  'bad gateway.yaml': gateway.replace('provider: mock', 'provider: nobody'),
  's.motif.yaml': 'cases:\n  - { id: a, prompt: hi }\n  - { id: b, prompt: ho, tags: [x] }\n',
  'my suite.motif.yaml': 'cases:\n  - { id: c, prompt: hi, expect: blocked }\n',
  'in.csv': 'prompt\none\ntwo\n',
};

/** Commands in the words for people that can be typed as they stand; one that serves or asks for a token would wait. */
function proposedIn(text: string): readonly string[] {
  const words = text.split('\n').flatMap((line) => foldedWords(line).map((word) => word.trim()));
  const commands = words.map((word) => word.replace(/ (?:one of|runs|asks)\b.*|[,;:.)]+$/, ''));
  const isTyped = (word: string) => /^motif (?!serve|login)[a-z]/.test(word) && !/\b[A-Z]{3,}\b|\.\.\.|<|>/.test(word);
  return [...new Set(commands)].filter(isTyped);
}

function argvOf(command: string): readonly string[] {
  const words = [...command.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)].map(([word]) => word.replace(/['"]/g, ''));
  return words.slice(1);
}

const replying = (status: number): MotifSetup => ({ send: service({ status, body: {} }).send });

test.each<{ argv: readonly string[]; setup?: MotifSetup }>([
  { argv: ['prompt'] },
  { argv: ['prompt', 'hi'], setup: replying(401) },
  { argv: ['prompt', 'hi'], setup: replying(404) },
  { argv: ['prompt', 'hi'], setup: replying(429) },
  { argv: ['prompt', '--local', 's.motif.yaml', 'hi'] },
  { argv: ['prompt', '-c', 'hi'] },
  { argv: ['prompt', '--conversation', 'none', 'hi'] },
  { argv: ['profile', 'use', 'none'] },
  { argv: ['history', 'show'] },
  { argv: ['history', 'search', 'none'] },
  { argv: ['check', 's.motif.yaml:1'] },
  { argv: ['check', 's.motif.yaml', '--tags', 'none'] },
  { argv: ['check', 's.motif.yaml', '--id', 'bb'] },
  { argv: ['check', 'my suite.motif.yaml:1', 's.motif.yaml:1', '--demo'] },
  { argv: ['check', 'none.motif.yaml'] },
  { argv: ['check', 'my gateway.yaml'] },
  { argv: ['check', 'bad gateway.yaml'] },
  { argv: ['check', '--local', 's.motif.yaml'] },
  { argv: ['check', '--demo'] },
  { argv: ['check', 'init', 's.motif.yaml'] },
  { argv: ['check', 'init', '--attacks', '--local', 'my gateway.yaml'] },
  { argv: ['check', 's.motif.yaml', '--prove'] },
  { argv: ['check', 'my suite.motif.yaml', '--demo'] },
  { argv: ['check', 's.motif.yaml'], setup: { send: service(refused({ transient: false })).send } },
  { argv: ['batch', 'in.csv', '-o', 'my out.jsonl'] },
  { argv: ['admin', 'validate', 's.motif.yaml'] },
])(
  'each command that is proposed can be typed where it was, and leads further: $argv',
  async ({ argv, setup = {} }) => {
    const given = { env: testEnv, send: service().send, ...setup };
    const run = await motif(argv, { files, ...given });
    const [fault] = run.stderr.split('\n');
    const commands = proposedIn(run.stdout + run.stderr);
    expect(commands, run.stdout + run.stderr).not.toEqual([]);
    for (const command of commands) {
      const typed = await motif(argvOf(command), { ...given, after: run.world, stdin: '' });
      const isTold = fault !== '' && typed.stderr.split('\n')[0] === fault;
      expect({ command, isTold }).toEqual({ command, isTold: false });
      // The file is no suite, and no good gateway file either, whose faults are told then.
      if (!command.includes('bad gateway')) expect([0, 1, 11], `${command}: ${typed.stderr}`).toContain(typed.exitCode);
    }
  },
);
