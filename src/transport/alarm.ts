/**
 * A timer counts the time that this machine was awake, so the wall clock is asked again at least this often: a laptop
 * that slept past the moment finds out at once. It also keeps every single timer far below 2^31 ms, where Node's
 * overflow.
 */
const recheckMs = 1000;

/** Calls `ring` once, when the clock has reached `at`; returns how to call it off. */
export function setAlarm(at: number, clock: { now(): number }, ring: () => void): () => void {
  const leftMs = () => Math.min(Math.max(at - clock.now(), 0), recheckMs);
  const check = () => {
    if (clock.now() >= at) ring();
    else timer = setTimeout(check, leftMs());
  };
  let timer = setTimeout(check, leftMs());
  return () => clearTimeout(timer);
}
