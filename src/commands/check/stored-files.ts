import { MotifError } from '../../errors.ts';
import { parseStoredRun, type StoredRun } from '../../suites/stored.ts';
import { checkPathHint } from '../../text/defuse.ts';
import { decodeUtf8, Utf8Fault } from '../../text/utf8.ts';
import { FileFault, type World } from '../../world/world.ts';

const storedBytesMax = 512 * 1024 * 1024;

/** Reads the result of an earlier run, which a person named. */
export async function readStoredRun(
  file: string,
  { files }: World,
  report: 'json' | 'blob' = 'json',
): Promise<StoredRun> {
  try {
    const { bytes } = await files.read(file, { bytesMax: storedBytesMax });
    return parseStoredRun(decodeUtf8(bytes), { file, report });
  } catch (error) {
    if (!(error instanceof FileFault) && !(error instanceof Utf8Fault)) throw error;
    const hint =
      error instanceof FileFault ? checkPathHint(file, error.code) : 'name the JSON that a check has written';
    throw new MotifError('usage', `${file}: ${error.message}`, { hint, cause: error });
  }
}
