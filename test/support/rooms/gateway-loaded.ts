/** Loads what `--demo` and `--local` load when they are first used, which would be counted against one test. */
import '../../../src/commands/gateway/embedded.ts';
