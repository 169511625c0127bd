import { MotifError } from '../../errors.ts';
import type { Case } from '../../suites/case.ts';
import type { JudgeByCommand } from '../../suites/verdict.ts';
import { defuseLine } from '../../text/defuse.ts';
import type { World } from '../../world/world.ts';

const judgeTimeoutMs = 60_000;

/** Refuses a suite that wants to run programs, unless the person said that it may. */
export function refuseCommands(cases: readonly Case[]): void {
  const odd = cases.find(({ turns }) => turns.some(({ expected }) => expected.answer?.command !== undefined));
  if (odd === undefined) return;
  throw new MotifError('usage', `${odd.file}:${odd.line}: answer.command is run only with --allow-commands`, {
    hint: 'it runs a program of the suite on this machine: look at it first',
  });
}

/**
 * Judges a result by a program of the person's own: no shell, an environment of three variables, a minute, and at most
 * 1 MiB of output. It gets the result as JSON on stdin; 0 is a pass, 1 a regression, all else could not tell.
 */
export function judgeByCommand(world: Pick<World, 'run'>): JudgeByCommand {
  return async function judge([command = '', ...args], of, seen) {
    const document = {
      id: of.id,
      blocked: seen.outcome === 'blocked',
      response: seen.answer,
      finish_reason: seen.finishReason,
      prompt_id: seen.promptId,
      usage: seen.usage,
      elapsed_ms: seen.elapsedMs,
    };
    const stdin = `${JSON.stringify(document)}\n`;
    const { code, stdout, failure } = await world.run({
      command,
      args,
      stdin,
      isBare: true,
      timeoutMs: judgeTimeoutMs,
    });
    if (code === 0 && failure === undefined) return [];
    if (code === 1 && failure === undefined) {
      const said = stdout.trim() === '' ? {} : { diff: stdout.trim().split('\n').slice(0, 20) };
      return [{ expectation: 'answer.command', message: `was not accepted by ${defuseLine(command, 60)}`, ...said }];
    }
    const why = failure ?? `it ended with ${code ?? 'a signal'}`;
    throw new MotifError('unverified', `${defuseLine(command, 60)} could not tell: ${why}`);
  };
}
