import type { World } from './world.ts';

/**
 * Time that the signal may take to arrive. Where no shell would continue us the system does not stop us either, and
 * then this is all that happens.
 */
const stopsWithinMs = 50;

export async function suspend(): Promise<void> {
  process.kill(0, 'SIGTSTP');
  await new Promise((resolve) => setTimeout(resolve, stopsWithinMs));
  noticeNewSize();
}

export function onContinue(listener: () => void): ReturnType<World['onContinue']> {
  const hear = (): void => {
    noticeNewSize();
    listener();
  };
  process.on('SIGCONT', hear);
  return () => void process.off('SIGCONT', hear);
}

/** The terminal tells only those in front that its size changed; Node asks it again when it hears of that. */
function noticeNewSize(): void {
  process.emit('SIGWINCH', 'SIGWINCH');
}
