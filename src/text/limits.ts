/** Caps that several rooms, or both ends of the wire, have to agree on; messages print them from here. */

/** The most that is sent at once, wherever it came from: words, files, stdin, an editor or a paste. */
export const promptBytesMax = 16 * 1024 * 1024;

/** The longest answer that is taken, of the service as of a provider. */
export const answerBytesMax = 16 * 1024 * 1024;

/** The longest access token; the client refuses what its own gateway could not read. */
export const tokenCharactersMax = 16 * 1024;

/** The longest tenant ID. */
export const tenantCharactersMax = 1024;

/** The longest Motif ID. */
export const motifIdCharactersMax = 256;

/** All header lines of a request: the longest token, and as much again as anything beside it needs. */
export const requestHeaderBytesMax = tokenCharactersMax + 16 * 1024;

/** All header lines of an answer. */
export const answerHeaderBytesMax = 16 * 1024;

/** Depth to which arrays and objects may stand inside each other in a JSON or YAML text. */
export const nestingMax = 64;

/** The most that is quoted of the text of a failure, for people. */
export const quotedCharactersMax = 300;

/** The time without renewal after which a watched lock counts as left behind. */
export const staleLockMs = 30_000;

/** The age from which an unfinished file of motif was left behind by a run that was killed. */
export const debrisAgeMs = 60_000;

/** The wait for the lock of a file, long enough to find out that it was left behind. */
export const lockWaitMs = 35_000;
