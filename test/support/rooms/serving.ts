import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createAccess } from '../../../src/gateway/access/access.ts';
import { createCounters } from '../../../src/gateway/access/counters.ts';
import { assembleMotifs } from '../../../src/gateway/assembly.ts';
import type { GatewayConfig, MotifConfig } from '../../../src/gateway/config.ts';
import { createLog } from '../../../src/gateway/records/log.ts';
import { serve, type Served } from '../../../src/gateway/server/serve.ts';
import { createFiles } from '../../../src/world/files/files.ts';
import { parsed } from '../../gateway/file/config-file.ts';
import { atOnce } from '../../../src/text/turns.ts';

const now = Date.now;

interface Serving {
  readonly served: Served;
  /** Each line's event, or `prompt`. */
  readonly audit: (name?: string) => readonly string[];
  readonly logged: readonly string[];
  readonly folder: string;
}

export interface ServedText {
  file: string;
  readonly folder?: string;
  faultyParts?: readonly string[];
  isChanged?: boolean;
  loads?: number;
  /** Called when it is asked whether the file has changed. */
  readonly looked?: () => unknown;
  /** The time that each Motif takes to be compared with the one before. */
  readonly compareMs?: number;
}

/** A gateway that serves a text, which a test may change. */
export async function serving(text: ServedText): Promise<Serving> {
  const folder = text.folder ?? mkdtempSync(join(tmpdir(), 'motif-serve-'));
  const logged: string[] = [];
  const log = createLog({ write: (line) => void logged.push(line), now, level: 'info' });
  const files = createFiles(folder);
  const counters = createCounters({ now, monotonic: () => performance.now() });
  const served = await serve({
    processorMs: () => performance.now(),
    async hasChanged() {
      await text.looked?.();
      return text.isChanged === true;
    },
    async load() {
      text.loads = (text.loads ?? 0) + 1;
      text.isChanged = false;
      const config = comparedIn(text.compareMs ?? 0, await parsed(text.file));
      const parts = {
        send: () => Promise.reject(new Error('nothing is sent')),
        now,
        monotonic: () => performance.now(),
        sleep: (ms: number) => new Promise<void>((wake) => setTimeout(wake, ms)),
        random: Math.random,
        knowledge: new Map(),
        log,
      };
      return {
        config,
        access: atOnce(createAccess(config, { now, counters })),
        motifs: atOnce(
          assembleMotifs(text.faultyParts === undefined ? config : { ...config, policies: new Map() }, parts),
        ),
        tls: undefined,
        knowledge: new Map(),
        faultyParts: text.faultyParts ?? [],
      };
    },
    openAppend: (path) => files.openAppend(path),
    now,
    monotonic: () => performance.now(),
    random: (bytes) => crypto.getRandomValues(new Uint8Array(bytes)),
    log,
    limits: { idleGraceMs: 20 },
  });
  onTestFinished(async () => {
    await served.drain();
    rmSync(folder, { recursive: true, force: true });
  });
  const audit = (name = 'audit.jsonl') => eventsIn(readFileSync(join(folder, name), 'utf8'));
  return { served, logged, folder, audit };
}

function comparedIn(ms: number, config: GatewayConfig): GatewayConfig {
  if (ms === 0) return config;
  const slow = ({ name, ...motif }: MotifConfig): MotifConfig => ({
    get name() {
      for (const until = performance.now() + ms; performance.now() < until;);
      return name;
    },
    ...motif,
  });
  return { ...config, motifs: new Map([...config.motifs].map(([id, motif]) => [id, slow(motif)])) };
}

function eventsIn(lines: string): readonly string[] {
  return lines
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { readonly event?: string }).event ?? 'prompt');
}
