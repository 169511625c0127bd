import { createClient } from '../../client/client.ts';
import { MotifError } from '../../errors.ts';
import { composeMessages, isPromptEmpty } from '../../messages/compose.ts';
import { parseNewTags, refuseTaken, unmetTexts } from '../../suites/add-case.ts';
import { printReceived } from '../../terminal/output.ts';
import { readParts } from '../shared/prompt/parts.ts';
import { sayBlocked } from '../shared/prompt/result.ts';
import type { Run } from '../shared/run.ts';
import { namedInside } from '../shared/flags/embedded.ts';
import { addCaseTo, chooseSuiteFile, readSuite } from '../shared/suite-file.ts';
import { chooseTarget } from '../target.ts';
import { checkMotif, toCaseReply } from './ask.ts';
import type { AddFlags } from './check-flags.ts';
import { withMotif } from './source.ts';

/** Sends a prompt, shows what came back, and makes a case of both. */
export async function runAdd(run: Run<AddFlags>, words: readonly string[]): Promise<void> {
  const { world, flags: typed, notice } = run;
  const tags = typed.tags === undefined ? undefined : parseNewTags(typed.tags);
  const path = await chooseSuiteFile(typed.suite, world, '--suite');
  // Before anything is asked, and paid for.
  const cases = (await readSuite(path, world))?.cases ?? [];
  refuseTaken(typed.id, cases);
  const target = await chooseTarget({ ...run, flags: withMotif(typed, cases) });
  const messages = composeMessages(await readParts(run, words, target.settings.timeout.value));
  if (isPromptEmpty(messages)) {
    throw new MotifError('usage', 'there is nothing to send: the prompt is empty', {
      hint: 'motif check add "your question", or a pipe',
    });
  }
  await checkMotif(cases, target.settings, run);
  const { connection, tools } = await target.open();
  await world.expectShortRun();
  const outcome = await createClient(connection, tools, { notice }).prompt(messages, world.interrupted);
  const { reply } = outcome;
  if (reply.blocked) await sayBlocked(run, { reply }, target.settings);
  else await printReceived(reply.response, world);
  const seen = reply.blocked ? 'blocked' : 'answered';
  const { id, contains, notContains } = typed;
  // A text of the answer is expected of an answer, whatever came back this time.
  const expect = typed.expect ?? ((contains ?? notContains) ? 'answered' : seen);
  const added = { messages, expect, contains, notContains, id, tags, motif: namedInside(typed) } as const;
  const result = await addCaseTo(path, added, world);
  const unmet = expect === seen ? unmetTexts(added, toCaseReply(outcome)) : [];
  const other = expect === seen ? '' : `, which it is not yet: it was ${seen}`;
  notice(
    unmet.length === 0 ? `${result}${other}` : `${result}; it fails with this answer, which ${unmet.join(' and ')}`,
  );
}
