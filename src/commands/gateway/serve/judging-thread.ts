import { runJudgingThread } from '../../../gateway/server/judging-thread.ts';
import { ownThread } from '../../../world/threads.ts';

// The program of a thread.
runJudgingThread(ownThread());
