/** Waits until file systems stamp a change with a later time than those before: some do so 100 times a second. */
export function nextTick(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 25);
}
