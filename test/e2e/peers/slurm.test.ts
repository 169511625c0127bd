import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { rowsOf } from '../../support/rooms/batch.ts';
import { isRoot, start } from '../../support/processes/child.ts';
import { freePort } from '../../support/servers/free-port.ts';
import { type LocalService, localService } from '../../support/servers/local-service.ts';
import { testedNode } from '../../support/processes/program.ts';
import { missingPrograms } from '../../support/processes/programs.ts';
import { readWrittenText } from '../../support/texts/written-examples.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const missing = isRoot ? missingPrograms('munged', 'slurmctld', 'slurmd', 'sbatch') : 'needs root';
const rows = 500;

test.skipIf(missing)(`the array of the page on a real Slurm, merged whole ${missing ?? ''}`, async () => {
  const service = await localService();
  const cluster = await startCluster(service);
  cluster.write('in.csv', `text\n${Array.from({ length: rows }, (_, index) => `row ${index}`).join('\n')}\n`);
  const { blocks } = readWrittenText('src/manual/batch.md');
  const array = blocks.find(({ text }) => text.startsWith('sbatch'))!.text.trim();
  expect(await cluster.bash(array)).toMatchObject({ code: 0 });
  await cluster.allDone();
  expect(await cluster.bash('cat slurm-*.out; motif batch merge out-?.jsonl -o out.jsonl')).toMatchObject({
    code: 0,
    stderr: expect.stringContaining(`${rows} rows of 8 parts, each once`),
  });
  expect(rowsOf(cluster.read('out.jsonl')).map(({ index }) => index)).toEqual([...Array(rows).keys()]);
  expect(service.requests).toHaveLength(rows);
});

/** A cluster of this machine alone: the daemons run in the foreground with all their files in one folder. */
async function startCluster(service: LocalService) {
  const folder = temporaryFolder('/tmp');
  const file = (name: string, text: string | Buffer, mode = 0o644): string => {
    writeFileSync(join(folder, name), text, { mode });
    return join(folder, name);
  };
  // Others must be able to read the folder of the socket.
  chmodSync(folder, 0o755);
  mkdirSync(join(folder, 'state'));
  mkdirSync(join(folder, 'spool'));
  file('motif', `#!/bin/sh\nexec "${testedNode}" "${resolve('bin/motif.js')}" "$@"\n`, 0o755);
  const conf = file('slurm.conf', slurmConf(folder, await freePort(), await freePort()));
  const env = { ...service.env, HOME: folder, PATH: `${folder}:${process.env.PATH}`, SLURM_CONF: conf };
  let ended: string | undefined;
  const until = async (isSo: () => Promise<boolean>): Promise<void> => {
    while (!(await isSo())) {
      if (ended !== undefined) throw new Error(ended);
      await new Promise((wake) => setTimeout(wake, 200));
    }
  };
  const daemon = (command: string, ...args: string[]) => {
    const running = start(command, args, { env, input: '' });
    void running.ended.then(({ stderr }) => (ended ??= `${command} ended: ${stderr}`));
    onTestFinished(async () => {
      running.process.kill();
      await running.ended;
    });
  };
  const key = file('munge.key', randomBytes(128), 0o400);
  const at = (name: string, kind: string) => `--${kind}=${join(folder, name)}`;
  daemon(
    'munged',
    '--foreground',
    '--force',
    `--key-file=${key}`,
    at('munge.socket', 'socket'),
    at('munge.pid', 'pid-file'),
    at('munge.log', 'log-file'),
    at('munge.seed', 'seed-file'),
  );
  const bash = (line: string) => start('bash', ['-c', `cd ${folder} && ${line}`], { env, input: '' }).ended;
  await until(async () => (await bash(`munge -S ${folder}/munge.socket -n`)).code === 0);
  daemon('slurmctld', '-D', '-c');
  daemon('slurmd', '-D');
  await until(async () => (await bash('sinfo -h -o %t')).stdout.trim() === 'idle');
  return {
    bash,
    write: (name: string, text: string) => file(name, text),
    read: (name: string) => readFileSync(join(folder, name), 'utf8'),
    allDone: () => until(async () => (await bash('squeue -h')).stdout === ''),
  };
}

function slurmConf(folder: string, controllerPort: number, nodePort: number): string {
  const [name = ''] = hostname().split('.');
  return `
ClusterName=motif
SlurmctldHost=${name}(127.0.0.1)
SlurmctldPort=${controllerPort}
SlurmdPort=${nodePort}
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=${folder}/munge.socket
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/builtin
SlurmdParameters=config_overrides
SlurmctldPidFile=${folder}/slurmctld.pid
SlurmdPidFile=${folder}/slurmd.pid
SlurmdSpoolDir=${folder}/spool
StateSaveLocation=${folder}/state
SlurmctldLogFile=${folder}/slurmctld.log
SlurmdLogFile=${folder}/slurmd.log
MinJobAge=2
NodeName=${name} NodeAddr=127.0.0.1 CPUs=8
PartitionName=main Nodes=ALL Default=YES State=UP
`;
}
