/** The keys of the document that `batch --json` prints, beside ok and error; null where nothing was done. */
export const blankBatchDocument = {
  exit_code: null,
  summary: null,
  rows: null,
  by_error: null,
  retries: null,
  usage: null,
  latency_ms: null,
  held_ms: null,
  come_back_at: null,
  resume: null,
  finished_at: null,
} as const;
