/** Does a task every so often, for as long as something else keeps the process; returns what ends it. */
export function repeat(ms: number, task: () => void): () => void {
  const timer = setInterval(task, ms).unref();
  return () => clearInterval(timer);
}
