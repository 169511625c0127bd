import { counted } from '../../text/sizes.ts';
import { hiddenCharacter } from '../policies/readings/normalise.ts';
import { createPhraseSearch } from '../policies/rules/phrases.ts';
import { chosenEntities, weigh } from '../policies/kinds/pii.ts';
import { allowedHosts, createWeighing } from '../policies/kinds/urls.ts';
import { parseWords } from '../policies/kinds/words.ts';
import { type Explainer, nearIn, nearMax, type NearMiss } from './near-miss.ts';

/** Options were checked when the file was read, so no fault will name this. */
const at = 'policies';

export const lookForPii: Explainer = (options, text) => {
  const chosen = chosenEntities(options, at);
  return {
    sought: `for ${chosen.map(({ name }) => name).join(', ')}`,
    absent: 'nothing has the form of one',
    near: nearIn(text, (view, tell) => {
      for (const entity of chosen) weigh(entity, view, text.sent, tell);
    }),
  };
};

export const lookForWords: Explainer = (options, text) => {
  const list = parseWords(options, at);
  const search = createPhraseSearch(list);
  const near = nearIn(
    text,
    (view, tell) => {
      const whole = new Set<string>();
      search.find(view, (_, { start, end }) => whole.add(`${start} ${end}`));
      // Where words may run together, their edges are not asked for.
      search.find({ ...view, isRunTogether: true }, (_, { start, end }) => {
        const why = whole.has(`${start} ${end}`) ? undefined : 'it is only part of a longer word';
        tell({ rule: 'word', start, length: end - start }, why);
      });
    },
    () => true,
  );
  return { sought: `for ${counted(list.length, 'word or phrase', 'words and phrases')}`, absent: 'it has none', near };
};

export const lookForUrls: Explainer = (options, text) => {
  const weighAddress = createWeighing(allowedHosts(options, at));
  const near = nearIn(text, (view, tell) =>
    weighAddress(view.text, (address, isAllowed) => tell(address, isAllowed ? 'its host is allowed' : undefined)),
  );
  return { sought: 'for addresses', absent: 'it has none', near };
};

export const lookForPatterns: Explainer = (options) => {
  const { pattern, patterns = [] } = options as { readonly pattern?: string; readonly patterns?: readonly string[] };
  const count = patterns.length + (pattern === undefined ? 0 : 1);
  return { sought: `for ${counted(count, 'pattern')}`, absent: 'it matches none', near: [] };
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
  const { max_chars: most } = options as { readonly max_chars: number };
  return { sought: 'at its length', absent: `${Array.from(sent).length} of ${most} characters`, near: [] };
};

export const lookAtSchema: Explainer = () => ({
  sought: 'at its form',
  absent: 'it is what the schema asks for',
  near: [],
});
