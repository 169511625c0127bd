/** What every editor of a draft says, each in its own way. */
export const tooLong = 'no more fits: 16 MiB is the most that motif sends';
export const cleared = 'cleared; Up brings it back';
export const leavesNext = 'Ctrl-C again leaves, and so does Ctrl-D';
