import { type Finding, overlaps } from '../../vocabulary.ts';
import type { SecretRule } from '../../policies/rules/secrets/rule.ts';
import { secretRules, weigh } from '../../policies/kinds/secrets.ts';
import { type Explainer, nearIn, nearMax } from './miss.ts';

/** Shorter marks begin words of every language. */
const markCharactersMin = 3;
/** Characters that a key would go on with: some characters, a figure among them. */
const body = /[A-Za-z0-9+/=._-]{4,400}/y;
const isKeyLike = /\d/;

const otherForm = 'it begins like one, but what follows has another form or length';

export const lookForSecrets: Explainer = (_options, text, leftOut) => {
  const rules = secretRules.filter(({ name }) => !leftOut.has(name));
  return {
    sought: `for ${rules.length} kinds of keys, tokens and passwords`,
    absent: 'nothing has the form of one',
    near: nearIn(text, (view, tell) => {
      const known: Finding[] = [];
      const lower = view.text.toLowerCase();
      const applicable = rules.filter(({ keys }) => keys.some((key) => lower.includes(key.toLowerCase())));
      for (const rule of applicable) {
        weigh(rule, view.text, (finding, fault) => {
          if (known.length < nearMax) known.push(finding);
          tell(finding, fault);
        });
      }
      for (const rule of applicable) {
        for (const place of begunIn(rule, view.text)) {
          if (known.length === nearMax) return;
          if (known.some((other) => overlaps(place, other))) continue;
          known.push(place);
          tell(place, otherForm);
        }
      }
    }),
  };
};

/** Places that have the mark of a maker's tokens. */
function* begunIn({ name, marks = [] }: SecretRule, text: string): Generator<Finding> {
  for (const mark of marks.filter((one) => one.length >= markCharactersMin)) {
    for (let start = text.indexOf(mark); start !== -1; start = text.indexOf(mark, start + mark.length)) {
      if (/[A-Za-z0-9]/.test(text.charAt(start - 1))) continue;
      body.lastIndex = start + mark.length;
      const rest = body.exec(text)?.[0];
      if (rest !== undefined && isKeyLike.test(rest)) yield { rule: name, start, length: mark.length + rest.length };
    }
  }
}
