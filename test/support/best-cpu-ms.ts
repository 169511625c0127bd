/** The first tries also pay for compiling and for tables that are made once. */
const triesMax = 10;

/** Milliseconds of CPU that the reference takes on the machine of the figures when nothing else runs there. */
const referenceMs = 5.3;
const words = Array.from({ length: 160_000 }, (_, at) => `${at.toString(36)}: ${at * 7919} `).join('');

/** A piece of work as judging has it: characters, patterns, small objects. */
function reference(): number {
  let sum = 0;
  for (let at = 0; at < words.length; at++) sum = (sum * 31 + words.charCodeAt(at)) | 0;
  for (const { index } of words.matchAll(/[a-z]\d{2}:\s\d+5\b/g)) sum += index;
  return sum;
}

// Compiled before it is measured.
for (let times = 0; times < 4; times++) reference();

function cpuMsOf(work: () => void): number {
  const startedAt = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(startedAt);
  return (user + system) / 1_000;
}

/**
 * CPU time in milliseconds of the first try within the limit, else of the best one. A processor that is slow, or shared
 * with others, takes longer for everything: the time counts less by as much as it took longer for the reference.
 */
export function bestCpuMs(work: () => void, enoughMs: number): number {
  let best = Infinity;
  for (let left = triesMax; left > 0 && best >= enoughMs; left -= 1) {
    const plainMs = cpuMsOf(work);
    const slowness = plainMs < enoughMs ? 1 : Math.max(1, cpuMsOf(reference) / referenceMs);
    best = Math.min(best, plainMs / slowness);
  }
  return best;
}

/**
 * CPU time of the work in times that of the base, each at its best. They take turns, so that a busy machine is one for
 * both: where one reading of the reference was too high, what was measured beside it seemed three times as fast.
 */
export function timesTheCpuOf(base: () => void, work: () => void): number {
  let baseMs = Infinity;
  let workMs = Infinity;
  for (let left = triesMax; left > 0; left -= 1) {
    baseMs = Math.min(baseMs, cpuMsOf(base));
    workMs = Math.min(workMs, cpuMsOf(work));
  }
  return workMs / baseMs;
}
