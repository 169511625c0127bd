import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Item } from '../support/rooms/doctor.ts';
import { startMotif } from '../support/processes/program.ts';
import { tlsMissing } from '../support/servers/tls.ts';
import type { Met } from './doctor-peers.ts';
import { plainSituations, type RealSituation, tlsSituations } from './doctor-situations.ts';
import { sharedFolder } from '../support/temporary-folder.ts';

/** The built program in front of real peers: what each of them does to a prompt, doctor has to tell. */
const canary = 'canary-token-0123456789';
const folder = sharedFolder();

const situations: readonly RealSituation[] = [...plainSituations, ...tlsSituations];

test.for(situations.map((situation) => [situation.name, situation] as const))('%s', async ([, situation], { skip }) => {
  skip(situation.needsTls === true && tlsMissing !== undefined, tlsMissing);
  const { layer, exitCode, says, meet } = situation;
  const met = await meet();
  try {
    const human = await run(met);
    expect(human.stdout).toContain(says);
    expect(human.code, human.stdout).toBe(exitCode);
    expect(human.stderr === '').toBe(exitCode === 0);
    expect(/^failed +(\w+)/m.exec(human.stdout)?.[1]).toBe(layer);
    const machine = await run(met, '--json');
    const { ok, items, error } = JSON.parse(machine.stdout) as Report;
    expect({ ok, code: machine.code, said: error?.exit_code ?? 0 }).toEqual({
      ok: exitCode === 0,
      code: exitCode,
      said: exitCode,
    });
    expect(items.find(({ status }) => status === 'failed')?.layer).toBe(layer);
    for (const { stdout, stderr } of [human, machine]) expect(stdout + stderr).not.toMatch(/canary|HUSHHUSH/);
    const bodies = met.received?.().match(/\{"messages":.*?\]\}/g) ?? [];
    expect(
      bodies.filter((body) => body !== '{"messages":[]}'),
      'prompts that cost something',
    ).toEqual([]);
  } finally {
    await Promise.all(met.servers.map((server) => server.close()));
  }
});

interface Report {
  readonly ok: boolean;
  readonly items: readonly Item[];
  readonly error: { readonly exit_code: number } | null;
}

async function run({ url, flags = [], pems = {} }: Met, ...more: readonly string[]) {
  const files = Object.entries(pems).flatMap(([flag, text]) => {
    const path = join(folder, `${flag}.pem`);
    writeFileSync(path, text, { mode: 0o600 });
    return [`--${flag}`, path];
  });
  const env = { HOME: folder, MOTIF_TOKEN: canary };
  const argv = ['doctor', '--url', `${url}/api/v1/apps/support-bot`, ...flags, ...files, ...more];
  return startMotif(argv, { env }).ended;
}
