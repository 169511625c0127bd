import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { newToken } from '../../../src/gateway/access/token.ts';
import type { Ended } from '../processes/child.ts';
import { startMotif } from '../processes/program.ts';

export const token = newToken();

/** A gateway file whose one Motif echoes; lines of its own may come before, and under the Motif. */
export function fileOf({ top = '', motif = '', listen = '', mock = '' } = {}): string {
  return `listen: { port: 0${listen} }
${top}
providers: { mock: { kind: mock${mock} } }
policies: { words: { kind: words, words: [forbidden] } }
motifs:
  bot:
    provider: mock
    policies: [words]
    tokens: [{ id: t1, sha256: ${token.sha256} }]
${motif}`;
}

export interface GatewayProcess {
  readonly port: number;
  readonly folder: string;
  readonly pid: number;
  readonly ended: Promise<Ended>;
  kill(signal: NodeJS.Signals): void;
  /** The log so far, line by line. */
  log(): readonly Record<string, unknown>[];
  logged(message: string): Promise<Record<string, unknown>>;
  /** Puts another gateway file in place of the one before. */
  write(text: string): void;
  /** The lines of prompts. */
  audit(): readonly Record<string, unknown>[];
}

interface GatewaySetup {
  /** A command that runs the program. */
  readonly within?: readonly string[];
  /** Files beside the gateway file. */
  readonly files?: Readonly<Record<string, string>>;
  /** The line of the log with its place, up to which it is waited for. */
  readonly upTo?: 'listening' | 'a worker listens';
}

/** The built program, serving a file in a folder of its own, until the test is over. */
export async function gatewayProcess(
  text: string,
  { within = [], files = {}, upTo = 'listening' }: GatewaySetup = {},
): Promise<GatewayProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'motif-gateway-'));
  const path = join(folder, 'gateway.yaml');
  const write = (content: string): void => {
    writeFileSync(`${path}.new`, content);
    renameSync(`${path}.new`, path);
  };
  write(text);
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  const running = startMotif(['serve', '-c', path, '--log-level', 'info'], { within });
  let stderr = '';
  running.process.stderr?.on('data', (part: Buffer) => (stderr += part.toString()));
  let isOver = false;
  void running.ended.finally(() => (isOver = true));
  onTestFinished(async () => {
    running.process.kill('SIGKILL');
    await running.ended;
    rmSync(folder, { recursive: true, force: true });
  });
  const log = () => linesOf(stderr);
  async function logged(message: string): Promise<Record<string, unknown>> {
    for (;;) {
      const found = log().find((line) => line.message === message);
      if (found !== undefined) return found;
      if (isOver) throw new Error(`ended without ${message}: ${stderr}`);
      await new Promise((wake) => setTimeout(wake, 10));
    }
  }
  const { address, port } = await logged(upTo);
  return {
    port: Number(port ?? new URL(String(address)).port),
    folder,
    pid: running.process.pid ?? 0,
    ended: running.ended,
    kill: (signal) => void running.process.kill(signal),
    log,
    logged,
    write,
    audit: () => linesOf(readFileSync(join(folder, 'audit.jsonl'), 'utf8')).filter(({ event }) => event === undefined),
  };
}

/** The processes that answer, beneath the one that was started. */
export function workersOf({ pid }: Pick<GatewayProcess, 'pid'>): readonly number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
}

/** Milliseconds of work of a gateway's event loop so far: time alone tells little on a machine that is shared. */
export function processorMs(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
}

/** Whole lines alone; each must be JSON. */
function linesOf(text: string): Record<string, unknown>[] {
  return text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

interface Answer {
  readonly status: number;
  readonly json: Record<string, unknown>;
}

/** Sends one prompt. Rejects with the error of the connection. */
export function ask(
  port: number,
  content = 'hello',
  agent?: Agent,
  as: { readonly motif: string; readonly token: string } = { motif: 'bot', token: token.text },
): Promise<Answer> {
  const body = JSON.stringify({ messages: [{ role: 'user', content }] });
  const headers = {
    authorization: `Bearer ${as.token}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  };
  return new Promise((resolve, reject) => {
    const options = {
      host: '127.0.0.1',
      port,
      path: `/api/v1/apps/${as.motif}/prompts`,
      method: 'POST',
      headers,
      agent,
    };
    const sent = request(options, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part)).on('error', reject);
      response.on('end', () => {
        const json = JSON.parse(Buffer.concat(parts).toString()) as Record<string, unknown>;
        resolve({ status: response.statusCode ?? 0, json });
      });
    });
    sent.on('error', reject).end(body);
  });
}

interface Load {
  readonly statuses: ReadonlyMap<number, number>;
  /** Errors of connections, by their code. */
  readonly errors: ReadonlyMap<string, number>;
  /** Ends the load, and resolves when the last answer is in. */
  stop(): Promise<void>;
  /** Resolves once so many more answers have come in. */
  more(count: number): Promise<void>;
}

/** So many clients that ask again as soon as they have their answer, each over a connection that it keeps. */
export function startLoad(port: number, clients: number, content?: string): Load {
  const statuses = new Map<number, number>();
  const errors = new Map<string, number>();
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  let goesOn = true;
  const loop = async (): Promise<void> => {
    while (goesOn) {
      try {
        const { status } = await ask(port, content, agent);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      } catch (error) {
        const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
        errors.set(code, (errors.get(code) ?? 0) + 1);
        await new Promise((wake) => setTimeout(wake, 5));
      }
    }
  };
  const loops = Array.from({ length: clients }, loop);
  const total = () => [...statuses.values()].reduce((sum, count) => sum + count, 0);
  const stop = async (): Promise<void> => {
    goesOn = false;
    await Promise.all(loops);
    agent.destroy();
  };
  onTestFinished(stop);
  return {
    statuses,
    errors,
    stop,
    async more(count) {
      const until = total() + count;
      while (total() < until) await new Promise((wake) => setTimeout(wake, 5));
    },
  };
}
