/** The steps of a wait, each of which counts once, however long it took. */
const steps = 10;

export interface AwakeTimer {
  /** Has the wait begin anew; one that is over stays so. */
  again(): void;
  end(): void;
}

/**
 * Calls once the process was awake for so long. On a machine that stood still, or had no time for it, a timer comes
 * before what arrived meanwhile is read; here that is read first, and the standstill counts as one step at most.
 */
export function afterAwake(ms: number, call: () => void): AwakeTimer {
  let left = steps;
  let timer: NodeJS.Timeout;
  let behindReading: NodeJS.Immediate | undefined;
  const look = (): void => {
    left -= 1;
    if (left > 0) wait();
    else call();
  };
  const wait = (): void => {
    timer = setTimeout(() => (behindReading = setImmediate(look)), ms / steps);
  };
  wait();
  return {
    again: () => void (left = steps),
    end() {
      clearTimeout(timer);
      clearImmediate(behindReading);
    },
  };
}
