import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { motif, type MotifSetup, type Run } from '../motif.ts';

export const sha = (digit: string): string => digit.repeat(64);

/** When all of it happens. */
const now = Date.UTC(2026, 10, 21, 12);

/** A gateway file as a person keeps it, with remarks and columns. */
export const file = `# Ask ana before you change this.
tenant: acme-7f3a
listen: { host: 127.0.0.1, port: 8080, public_url: https://gw.acme.dev/ai }
audit: { file: audit.jsonl }
providers:
  openai:   { kind: openai, key: "\${OPENAI_API_KEY}" }   # paid by sales
  mock:     { kind: mock }
  claude:   { kind: anthropic, key: "\${ANTHROPIC_API_KEY}" }
policies:
  no-pii:     { kind: pii }
  no-secrets: { kind: secrets, action: redact }
motifs:
  # the support desk
  support-bot:
    provider: openai
    policies: [no-pii, no-secrets]
    users: [ana]
    tokens:
      - { id: t1, sha256: "${sha('a')}", created: 2026-11-20 }   # the build server
      - { id: t0, sha256: "${sha('b')}", expires: 2026-01-01 }
`;
/** Runs motif admin beside a gateway.yaml; null for none. */
export function admin(words: readonly string[], text: string | null = file, setup: MotifSetup = {}): Promise<Run> {
  const files = { ...(text !== null && { 'gateway.yaml': text }), ...setup.files };
  return motif(['admin', ...words], { now, ...setup, env: {}, files });
}

export function fileIn({ world }: Run, name = 'gateway.yaml'): string {
  return readFileSync(join(world.folder, name), 'utf8');
}

export function documentIn({
  stdout,
}: Run): Record<string, unknown> & { readonly token: string; readonly items: readonly Record<string, unknown>[] } {
  return JSON.parse(stdout) as ReturnType<typeof documentIn>;
}

/** Runs `motif admin audit` beside files that are made for each run, and beside those of the call. */
export function auditCommand(made: () => Promise<Readonly<Record<string, string>>>) {
  return async (words: readonly string[], files: Readonly<Record<string, string | Uint8Array>> = {}): Promise<Run> =>
    await motif(['admin', 'audit', ...words], {
      env: {},
      now: Date.UTC(2026, 10, 22, 12),
      files: { ...(await made()), ...files },
    });
}
