import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseYaml } from '../../../src/documents/yaml.ts';

interface Step {
  readonly name: string;
  readonly run: string;
  readonly shell: string;
  readonly env?: Readonly<Record<string, string>>;
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}

interface StepResult {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly summary: string;
}

const file = join(import.meta.dirname, '../../../.github/actions/motif/action.yml');

export const actionText = readFileSync(file, 'utf8');
export const action = parseYaml(actionText, 'action.yml').value as Action;

/**
 * Runs a step of the composite action as a runner of GitHub does: its script in a file, for `bash --noprofile --norc
 * -eo pipefail`, in the workspace, with the files of its own and the inputs in its environment alone.
 */
export function runStep(
  name: string,
  inputs: Readonly<Record<string, string>>,
  { runnerTemp, workspace, env = {} }: { runnerTemp: string; workspace: string; env?: NodeJS.ProcessEnv },
): StepResult {
  const step = action.runs.steps.find((each) => each.name === name)!;
  const commands = join(runnerTemp, '_runner_file_commands');
  mkdirSync(commands, { recursive: true });
  const script = join(runnerTemp, 'step.sh');
  writeFileSync(script, step.run);
  const files = Object.fromEntries(
    ['GITHUB_OUTPUT', 'GITHUB_ENV', 'GITHUB_PATH', 'GITHUB_STEP_SUMMARY'].map((each) => [each, join(commands, each)]),
  );
  for (const path of Object.values(files)) writeFileSync(path, '');
  const { status, stdout, stderr } = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', script], {
    cwd: workspace,
    encoding: 'utf8',
    input: '',
    env: {
      PATH: process.env.PATH,
      HOME: runnerTemp,
      CI: 'true',
      GITHUB_ACTIONS: 'true',
      GITHUB_WORKSPACE: workspace,
      RUNNER_TEMP: runnerTemp,
      ...files,
      ...env,
      ...evaluated(step.env ?? {}, inputs),
    },
  });
  return { status, stdout, stderr, summary: readFileSync(files.GITHUB_STEP_SUMMARY!, 'utf8') };
}

/** Expressions of an `env` with the inputs or their defaults in their place, which no shell reads again. */
function evaluated(env: Readonly<Record<string, string>>, inputs: Readonly<Record<string, string>>) {
  return Object.fromEntries(
    Object.entries(env).map(([name, text]) => [
      name,
      text.replace(/\$\{\{ inputs\.(\w+) \}\}/g, (_, input: string) => {
        if (!(input in action.inputs)) throw new Error(`the action has no input ${input}`);
        return inputs[input] ?? action.inputs[input]?.default ?? '';
      }),
    ]),
  );
}
