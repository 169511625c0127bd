import { main } from './main.ts';
import { endBySignal, realWorld } from './world/real.ts';

/** Entry of the built program. Only the exit code is set, so that pending output is never cut off. */
async function start(): Promise<void> {
  const ending = await main(process.argv.slice(2), realWorld());
  if ('signal' in ending) endBySignal(ending.signal);
  else process.exitCode = ending.exitCode;
}

void start();
