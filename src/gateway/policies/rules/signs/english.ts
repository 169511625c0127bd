import type { SignLanguage } from './languages.ts';

/** Classes of English words of which orders to a model are built, as parts of patterns. */

/** Words and phrases parted by ` / `, as one group of a pattern. */
export function anyWord(...lists: readonly string[]): string {
  return `(?:${lists
    .flatMap((list) => list.split(' / '))
    .join('|')
    .replaceAll(' ', '\\s+')})`;
}

export const wholeWord = (pattern: string): string => `\\b${pattern}(?![a-z0-9_])`;

/** Begins another part of a sentence. */
const partBeginning =
  '(?:the|an?|my|our|their|his|her|your|is|are|was|to|of|in|on|at|for|from|by|with|that|this|if|it|i|we|you|he|she|they|but|as|when|what|which|who|how|matter)\\b';
/**
 * Words between "your" and what the model has: any but those that begin another part of a sentence. A hyphen between
 * two letters is part of a word, and any other parts two: were each either, a row of them would be read in every way.
 */
export const wordsBetween = (most: number): string =>
  `(?:(?!${partBeginning})[a-z]+(?:-[a-z]+)*(?:[\\s,/_]|-(?![a-z]))[\\s,/_-]*){0,${most}}?(?:(?!${partBeginning})(?:[a-z]+-)+)?`;
/** Words that make a prompt that of the model. */
export const innerWord = `${anyWord('original / initial / internal / hidden / secret / confidential / private / underlying / core / base / full / complete / entire / exact / actual / raw / system / developer / operational / operating / startup / setup / custom / safety / security / programmed / default / first / opening / starting')}[\\s,/_-]+`;

const ofModelAlone =
  'restrictions? / guardrails? / safeguards? / censorship / moderation / limitations? / safety(?!\\s+(?!and\\b|or\\b|then\\b|now\\b)[a-z]) / ethics / filtering / rlhf / alignment / safety [a-z]+ / content (?:policy|policies|filters?|guidelines|moderation|restrictions) / ethical [a-z]+ / moral [a-z]+ / inhibitions';
const ofOthersToo =
  'instructions? / directives? / prompts? / rules? / guidelines? / constraints? / filters? / limits? / policy / policies / protocols? / programming / training / fine-?tuning / conditioning / boundaries / morals? / morality / commands? / orders / regulations / policy hierarchy / disclaimers?';
export const limitNouns = anyWord(ofModelAlone);
/** Limits that a model has, and hardly anything else. */
export const ownLimits = anyWord(
  'guardrails? / content (?:filters?|filtering|policy|policies|moderation|restrictions) / (?:safety|ethics|ethical|moral|morality|alignment|censorship|moderation)[\\s_-]+(?:checks?|filters?|protocols?|measures|barriers?|training|modules?|features|modes?|rules|guidelines|constraints?|restrictions?|safeguards?|limits?|limitations?|systems?|layers?|controls?|settings|policies|boundaries|frameworks?|codes?|parameters|programming|conditioning|behavior|mechanisms?|considerations|norms|standards|restraints?|locks?) / rlhf / refusal (?:training|mechanisms?|behavior) / system[\\s_-]+(?:restrictions?|guardrails?|safeguards?|constraints?)',
);
export const ruleNouns = anyWord(ofModelAlone, ofOthersToo);
export const setupNouns = anyWord(
  'prompts? / instructions? / directives? / guidelines? / rules? / configuration / config / settings / constraints? / restrictions? / preamble / pre-?prompt / policy / policies / guardrails? / programming / orders / limitations / instruction set / primer / boundaries / principles / chain of thought / training data / context window',
);
export const setupParts = anyWord(
  'files? / documents? / memory / database / messages? / context / parameters / setup / capabilities / tools? / metadata / persona / knowledge base',
);
export const secretNouns = `${anyWord('api keys? / passwords? / passphrases? / credentials / secrets? / secret keys? / secret codes? / private keys? / access tokens? / tokens / environment variables / secret (?:word|marker|phrase|value|flag|information|data) / flag / (?:user|customer|personal|confidential|internal|sensitive|private) (?:data|information|documents?)')}(?!\\s+(?:to|of|ingredient|recipe|sauce|behind|garden|santa|agent|lives?)\\b)`;

/** Setting aside what one was told. */
export const ignoreVerbs =
  'ignor(?:e|es|ing) / disregard(?:s|ing)? / forget(?:ting)? / overrid(?:e|es|ing) / bypass(?:es|ing)? / overrul(?:e|ing) / circumvent(?:ing)? / disobey(?:ing)? / defy(?:ing)? / unlearn';
/** Verbs for what people do to other things all day. */
export const removeVerbs =
  "overwrit(?:e|ing) / evad(?:e|ing) / sidestep(?:ping)? / break(?:ing)? / destroy(?:ing)? / abort(?:ing)? / terminat(?:e|ing) / halt(?:ing)? / kill(?:ing)? / eradicat(?:e|ing) / obliterat(?:e|ing) / dismantl(?:e|ing) / annihilat(?:e|ing) / neutrali[sz](?:e|ing) / suppress(?:ing)? / deconstruct / disassemble / eliminat(?:e|ing) / purg(?:e|ing) / strip(?:ping)?(?: (?:away|off))? / bend(?:ing)? / tear down / crush / silence / subvert(?:ing)? / exempt(?:ed)? from / immune to / by[ -]pass(?:ing)? / over[ -]rid(?:e|ing) / break(?:ing)? free (?:of|from) / break(?:ing)? out of / escap(?:e|ing) / abandon(?:ing)? / discard(?:ing)? / drop(?:ping)? / remov(?:e|ing) / delet(?:e|ing) / eras(?:e|ing) / wip(?:e|ing) / clear / reset / cancel / nullify / void / revoke / rescind / suspend(?:ing)? / disabl(?:e|ing) / deactivat(?:e|ing) / turn(?:ing)? off / switch(?:ing)? off / shut(?:ting)? (?:off|down) / lift / waive / relax / loosen / transcend(?:ing)? / set(?:ting)? aside / put(?:ting)? aside / throw (?:out|away) / let go of / get rid of / do away with / go (?:beyond|around|past|against) / step outside / look past / work around / get around / skip(?:ping)? / neglect / dismiss / shed / unlock / replac(?:e|ing) / (?:operat(?:e|ing)|act) outside / (?:don['’]t|do not|stop|quit|cease|no longer|never|not) (?:follow(?:ing)?|obey(?:ing)?|adher(?:e|ing) to|apply(?:ing)?|enforc(?:e|ing)|respect(?:ing)?|listen(?:ing)? to|use|using|abid(?:e|ing) by|comply(?:ing)? with|bound by|constrained by|restricted by|limited by)";
export const showVerbs =
  'reveal(?:ing)? / show(?:ing)? / print(?:ing)? / output(?:ting)? / repeat(?:ing)? / display(?:ing)? / tell me(?: (?:more|all|everything))?(?: about)? / give me / leak(?:ing)? / expos(?:e|ing) / dump(?:ing)? / recit(?:e|ing) / disclos(?:e|ing) / spell out / shar(?:e|ing) / send / return / provide me / produce / reproduc(?:e|ing) / reconstruct / echo / copy / paste / extract / read back / divulge / append / export / fetch / retrieve / access';
export const tellVerbs =
  "tell(?:ing)? / give / giving / write(?: out| down)? / type(?: out)? / list(?: out)? / provid(?:e|ing) / recall / quote / summari[sz]e / translate / encode / describe / explain / paraphrase / restate / rephrase / reword / enumerate / convert / transcribe / read(?: out| aloud)? / report / present / state / confirm / include / walk me through / render / see / know / view / get / what (?:is|are|was|were) / what['’]s";
export const answerVerbs = anyWord(
  'respond(?:ing)? / answer(?:ing)? / reply(?:ing)? / operat(?:e|es|ing) / act(?:s|ing)? / behav(?:e|ing) / function(?:s|ing)? / speak(?:ing)? / talk / help / assist / proceed / continue / comply / think / run / work / generate / write / tell / give / provide / perform / engage / express yourself / do anything / communicate / process / execute',
);
/** A state of rules that bind no more; one that is off for a device or by default is a setting. */
export const offStates = `(?:off(?!\\s+(?:for|by|in|on|when|if)\\b)|${anyWord(
  "disabled / suspended / lifted / removed / offline / compromised / optional / null / expired / abolished / neutrali[sz]ed / inactive / deactivated / bypassed / overridden / void / nullified / revoked / false / none / waived / turned off / switched off / relaxed / no longer (?:apply|applies|active|valid|in effect|in force|bind|binds|exist|necessary|required) / unlocked / gone / dissolved / rescinded / cancell?ed / do(?:es)? not (?:apply|exist) / (?:don|doesn)['’]t (?:apply|exist) / not apply / never existed / dropped / loosened / erased / deleted",
)})`;
export const outdatedStates = anyWord(
  'have been (?:updated|changed|replaced) / has been (?:updated|changed|replaced) / irrelevant / outdated / obsolete / deprecated / superseded / expired',
);
export const gapWithoutAbout = (most: number): string => `(?:(?!about\\b)[^.!?;\\n]){0,${most}}?`;
export const gapOf = (most: number): string => `[^.!?;\\n]{0,${most}}?`;
export const modelsOwn = anyWord("your / the (?:ai|assistant|model|chatbot|bot)['’]s / its");
export const anyDeterminer = '(?:(?:any|the|your|all|those|these)\\s+)?';
/** Words behind limits of a length, a budget, a tariff. */
export const notOfThings =
  '(?!\\s+(?:on|of|to|in|for|about|from|training|courses?|committees?|class(?:es)?|lessons|degrees?)\\b)';
/** Words in which a model is to say that it gave in. */
export const givenIn =
  '(?:inject|pwned|hacked|bypass|overrid|unrestrict|restrict|jailb|disabled|activated|enabled|unlocked|compromis|granted|\\bdan\\b|no limits|freed|i am free|liberat|removed|lifted|obey|compl(?:y|ied|iance)|accepted|active|successful|system prompt|unfiltered|rules)';

/**
 * Words of which a sign needs one, by what they are about. The scan for phrases finds them anyway, so that most texts
 * are never tried for signs.
 */
export const anchorWords = {
  rules:
    'restriction / restrictions / guardrail / guardrails / safeguards / censorship / content moderation / limitations / safety / ethics / ethical / no filtering / any filtering / without filtering / rlhf / your alignment / your policy / your policies / content policy / content policies / system policy / your filters / your filter / content filter / content filters / all filters / no filters / your constraints / all constraints / without constraints / no constraints / rules / guidelines / your boundaries / protocols / your limits / all limits / no limits / your programming / your training / instructions / new instruction / system instruction / ai instruction / directive / directives / system prompt / your prompt / new orders / override / attn / content filtering / moderation / morals / unethical / safe mode / your conditioning / restraints / your principles',
  setup:
    'your configuration / system configuration / full configuration / internal configuration / your config / system config / your settings / system settings / internal settings / initial prompt / original prompt / hidden prompt / entire prompt / full prompt / developer preamble / your preamble / system context / context window / your context / system message / system information / your internal / system_prompt / operating parameters / operational parameters / system parameters / your system / your setup / initial setup / your primer / original programming / initialization / training data / were you told / were you given / were you instructed / were you programmed / were you configured / you were told / you were given / you were instructed / you were programmed / given to you / program you / told you to / instruct you / confidential context / pre-conversation',
  secrets:
    'password / passwords / passphrase / credentials / secret / secrets / api key / api keys / private key / private keys / access tokens / confidential / sensitive / internal data / user data / customer data',
  refusing:
    'refuse / refusing / refusal / refusals / decline / deny / reject / obey / comply / do whatever / answer everything / allow everything / allow all / my commands / my orders',
  unbound:
    'unrestricted / unfiltered / uncensored / unconstrained / unaligned / unchained / jailbroken / unmoderated / amoral',
  modes:
    'god mode / unrestricted mode / jailbreak mode / sudo mode / override mode / dan mode / unsafe mode / base model mode / unlocked mode / bypass mode / unlimited mode / evil mode / opposite mode / unfiltered mode / superuser mode / jail break mode / no-filter mode / danger mode / chaos mode / root mode / sudo / superuser / new policy / new objective',
  ignoring: 'ignore / ignoring / disregard / disregarding / forget / forgetting',
} as const;

/** A sort of English words, or another language, of which a short text may have signs. */
export type Anchor = keyof typeof anchorWords | SignLanguage;
