import { quotedLine } from '../../../text/defuse.ts';
import { counted } from '../../../text/sizes.ts';
import { hiddenCharacter } from '../../policies/readings/normalise.ts';
import { createPhraseSearch } from '../../policies/rules/phrases.ts';
import type { length } from '../../policies/kinds/length.ts';
import type { pii } from '../../policies/kinds/pii.ts';
import { createExamination } from '../../policies/rules/pii/examination.ts';
import { entitiesNamed } from '../../policies/rules/pii/entities.ts';
import type { regex } from '../../policies/kinds/regex.ts';
import { createWeighing, type urls } from '../../policies/kinds/urls.ts';
import type { words } from '../../policies/kinds/words.ts';
import type { OptionsOf } from '../../policies/policy.ts';
import { type Explainer, nearIn, nearMax, type NearMiss } from './miss.ts';

/** More names than these fill the screen and say little. */
const entitiesNamedMax = 8;

export const lookForPii: Explainer = (options, text, leftOut) => {
  const { entities } = options as OptionsOf<typeof pii>;
  const chosen = entitiesNamed(entities).filter(({ name }) => !leftOut.has(name));
  const examine = createExamination(chosen, true)(text);
  // Several rules may look for one entity, as for the two forms of an ip.
  const names = [...new Set(chosen.map(({ name }) => name))];
  const named = names.slice(0, entitiesNamedMax);
  const more = names.length > named.length ? ` and ${names.length - named.length} more` : '';
  return {
    sought: `for ${named.join(', ')}${more}`,
    absent: 'nothing has the form of one',
    near: nearIn(text, (view, tell) => examine(view, tell)),
  };
};

/** Signs between the parts of a word, or of a phrase: `blue-bird`, `blue_bird`, `blue bird`. */
const joints = /(?<=[\p{L}\p{N}])[-_ ]+(?=[\p{L}\p{N}])/gu;
const ofWord = /[\p{L}\p{N}]/u;

/** A text without joints, and the way back to its places. */
function withoutJoints(text: string): { readonly text: string; readonly places: readonly number[] } {
  const places: number[] = [];
  let at = 0;
  for (const { 0: joint, index } of text.matchAll(joints)) {
    for (; at < index; at += 1) places.push(at);
    at += joint.length;
  }
  for (; at < text.length; at += 1) places.push(at);
  return { text: text.replaceAll(joints, ''), places };
}

export const lookForWords: Explainer = (options, text) => {
  const { words: list } = options as OptionsOf<typeof words>;
  const search = createPhraseSearch(list);
  const searchJoined = createPhraseSearch(list.map((word) => withoutJoints(word.trim()).text));
  const near = nearIn(
    text,
    (view, tell) => {
      const whole = new Set<string>();
      search.find(view, (_, { start, end }) => whole.add(`${start} ${end}`));
      const joined = withoutJoints(view.text);
      searchJoined.find({ ...view, text: joined.text, isRunTogether: true }, (index, span) => {
        const [start, end] = [joined.places[span.start]!, joined.places[span.end - 1]! + 1];
        const isPart = ofWord.test(view.text.charAt(start - 1)) || ofWord.test(view.text.charAt(end));
        if (isPart || whole.has(`${start} ${end}`)) return;
        const why = `this form of it is not listed; ${quotedLine(list[index]!)} is`;
        tell({ rule: 'word', start, length: end - start }, why);
      });
      // If words may run together, their edges are not asked for.
      search.find({ ...view, isRunTogether: true }, (index, { start, end }) => {
        const why = whole.has(`${start} ${end}`)
          ? undefined
          : `a longer word, and the list has ${quotedLine(list[index]!)}`;
        tell({ rule: 'word', start, length: end - start }, why);
      });
    },
    () => true,
  );
  return { sought: `for ${counted(list.length, 'word or phrase', 'words and phrases')}`, absent: 'it has none', near };
};

export const lookForUrls: Explainer = (options, text) => {
  const weighAddress = createWeighing((options as OptionsOf<typeof urls>).allow);
  const near = nearIn(text, (view, tell) =>
    weighAddress(view.text, (address, isAllowed) => tell(address, isAllowed ? 'its host is allowed' : undefined)),
  );
  return { sought: 'for addresses', absent: 'it has none', near };
};

export const lookForPatterns: Explainer = (options) => {
  const { patterns } = options as OptionsOf<typeof regex>;
  return { sought: `for ${counted(patterns.length, 'pattern')}`, absent: 'it matches none', near: [] };
};

export const lookForInvisible: Explainer = (_options, { sent }) => {
  const near: NearMiss[] = [];
  for (const { 0: found, index: start } of sent.matchAll(new RegExp(hiddenCharacter, 'gu'))) {
    if (near.length === nearMax) break;
    const why = 'ordinary writing has it in such a place';
    near.push({ rule: 'hidden_character', start, length: found.length, seen: '', why });
  }
  return { sought: 'for hidden characters', absent: 'it has none', near };
};

export const lookAtLength: Explainer = (options, { sent }) => {
  const { max_chars: most } = options as OptionsOf<typeof length>;
  return { sought: 'at its length', absent: `${Array.from(sent).length} of ${most} characters`, near: [] };
};

export const lookAtSchema: Explainer = () => ({
  sought: 'at its form',
  absent: 'it is what the schema asks for',
  near: [],
});
