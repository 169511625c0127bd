/** Words around an order that tell whom it is for and what it is about. */

import type { Span, View } from '../readings/view.ts';

/** The end of a sentence: what goes on to a purpose ("as a table") is about a text that was pasted. */
export const sentenceEnd =
  /^(?:[\s"'”’*_)\]}>]*(?:$|[.!?;:…。！？\n]|,(?!\s*(?:but|in|as|into|on|with|for|to)\b))|\s+(?:and|now|please|again|back|to me)\b)/i;

/** The end of a sentence, or whom or what it is about, being the model or the chat. */
export const sentenceEndOrYou = new RegExp(
  `${sentenceEnd.source}|^\\s+(?:to|for|on|in|during|within)\\s+(?:you|your|this|our|me|any)\\b`,
  'i',
);

/** Anything but rules of something else without an order behind it: "of grammar", "for the cake and use my recipe". */
export const ofTheModel =
  /^(?!\s+(?:of (?:grammar|spelling|punctuation|style|chess|poker|football|soccer|physics|logic|nature|etiquette|the (?:game|road|house|sea|board|manufacturer))|for (?:the|a|an|my|his|her|their) (?:\p{L}+ )?(?:cake|recipe|dish|soup|bread|dough|shelf|wardrobe|furniture|printer|washing machine|homework|exam|garden|car|trip|puzzle|toy)|in (?:eslint|prettier|css|the (?:stylesheet|linter))|(?:for|about|on|regarding) (?:parking|baking|cooking|cleaning|assembl\p{L}*))\b(?!.{0,45}(?:\band\b|\bthen\b|[,.!;:\n—–-])\s*(?:\p{L}+ ){0,2}(?:say|tell|print|write|reveal|output|repeat|show|give|grant|send|reply|respond|answer|become|be|act|do|swear|translate|pretend(?! we)|speak|talk|new task|from now)\b))/isu;

/** Anything but another subject: "your instructions for the shelf" are no prompt, "for this chat" they are. */
export const ownSubject =
  /^(?!\s+(?:(?:payment|reply|response|delivery|attention|service)\b|(?:about|by|for|on|to|when|regarding|concerning|f[uü]r|an|zum|zur|[uü]ber|pour|sur|para|sobre|per|su|voor|over|f[oö]r|om|pentru|despre|για|untuk|tentang|dla|pro|k|для|про|об?)\s+(?!(?:me|us|you|your|yourself|this|test(?:s|ing)|debug\p{L}*|audit\p{L}*|verif\p{L}*|research|safety|security|screen|how you|what you|how to (?:answer|behave|respond)|the (?:assistant|console|record|screen|log|user|chat|conversation|model|session|system)|dich|mich|dies\p{L}*|toi|moi|cett?e?|m[ií]|ti|est[ae]|te|quest[ao]|dit|deze|mij|mig|dig|эт\p{L}+)(?!\p{L}))))/iu;

/** The aim of an order to a model: words to be said, a secret, a role. Nobody takes back his own words with these. */
const payload =
  /(?<!\p{L})(?:system prompt|initial prompt|say (?:that )?(?:pwned|hacked|haha|yes|hi\b|access|i\b)|just say|simply say|only say|pwned|hacked|haha|access[ _-]?granted|grant access|access code|(?:the|your|admin|all|any|his|her) (?:pass(?:word|code|phrase)s?|secret(?:s| key| code| word)?)|you are (?:now|no longer|a |an )|you will now|act as|pretend(?! we)|from now on,? you|new (?:task|role|rules?) (?:is|are)|(?:begin|start) (?:your|the) (?:response|reply|answer|output) (?:with|by)|start (?:response|reply|answer)s? with|reveal|verbatim|word for word|pass(?:wort|wörter)|geheim\p{L}*|mot de passe|contraseña|senha|пароль|du bist (?:jetzt|nun)|tu es (?:maintenant|désormais)|ahora eres|agora você é|ora sei|ты теперь|теперь ты)(?!\p{L})|密码|密碼|暗号|パスワード|비밀번호|你现在是|あなたは今/iu;

/** A model by its name, without which a life without rules is that of a child or a tariff. */
export const aModel =
  /(?<!\p{L})(?:an? un(?:restricted|filtered|censored)|AIs?|AI['’]?s|KI|IA|YZ|TN|ИИ|ШІ|LLM|ChatGPT|GPT(?:-?\d)?|DAN|chat ?bots?|bots?|language model|model[aeol]?|modèle|assistants?|asistente|assistente|assistent[en]?|ассистент\p{L}*|модель|Sprachmodell\p{L}*|hacker|villain|jailbroken|evil|(?:inteligencia|inteligência|intelligenza) artificial(?:e)?|intelligence artificielle|künstliche Intelligenz|kunstmatige intelligentie|sztuczn\p{L} inteligencj\p{L}|yapay zek\p{L}*|искусственн\p{L}+ интеллект\p{L}*|штучн\p{L}+ інтелект\p{L}*|trí tuệ nhân tạo|kecerdasan buatan)(?!\p{L})|人工智能|人工智慧|モデル|アシスタント|助手|模型|인공지능|챗봇|ذكاء اصطناعي|एआई|कृत्रिम बुद्धि|(?:AI|IA)(?=[\u3040-\u9fff\uac00-\ud7af])/iu;

/** Words that make people out of what is named before: "AI team". */
export const ofPeople =
  /^ (?:users?|teams?|engineers?|courses?|departments?|researchers?|groups?|clubs?|labs?|students?|colleagues?|experts?|specialists?|developers?|class(?:es)?|workshops?|committees?|communit(?:y|ies)|conferences?|offices?|startups?|ethics|support|training|enthusiasts?|friends?|lovers?)\b/i;

/** An image whose address is on another machine and takes data along. */
export const fetchedWithData =
  /!\[[^\]\n]{0,80}\]\(\s?<?https?:\/\/[^)\n]{1,300}(?:[?&][^)\n=]{1,40}=|[{<[$]|%s|[A-Z_]{4,})/;

/** Words to be said, in quotation marks. */
const quoted =
  /(?<!\p{L})(?:say|print|output|reply|respond|answer|write|type|return|repeat|scream|shout|state|sage?|schreibe?|antworte|dis|écris|réponds|escribe|responde|scrivi|rispondi|diga|escreva|zeg|schrijf|säg|skriv|скажи|напиши|ответь|powiedz|napisz)(?: only| nur| seulement| solo| sólo| только| just| exactly| back| out| to me)?(?: (?:with|mit|par|con|com|met|med))?(?: the (?:following|words?|phrase|sentence|text))?:? ?["'“„‘`«「*]/iu;

/** Characters around an order in which its payload stands. */
const payloadCharacters = 200;

/** `isPaired`: people say the order to people all day, so that words to be said count in its own sentence alone. */
export function hasPayload(text: string, { start, end }: Span, isPaired = false): boolean {
  const before = text.slice(Math.max(0, start - payloadCharacters), start);
  const after = text.slice(end, end + payloadCharacters);
  // The verb of what is to be said may be the last word of the order: "forget all that and say "moo"".
  const order = text.slice(start, end);
  const lastWord = order.slice(order.lastIndexOf(' ') + 1);
  if (payload.test(before) || payload.test(after)) return true;
  const behind = lastWord + after;
  return isPaired ? quoted.test(behind.split(/[.!?\n]/, 1)[0]!) : quoted.test(before) || quoted.test(behind);
}

/** Characters around a sequence that tell what it is about. */
const aroundCharacters = 60;

/** True where what stands behind a sequence is what it asks for. */
export function isEndedBy(text: string, end: number, before: RegExp | undefined): boolean {
  return before?.test(text.slice(end, end + aroundCharacters)) ?? true;
}

interface Surroundings {
  readonly near?: RegExp;
  readonly unlessBehindFirst?: RegExp;
}

/** True where what stands in a sequence and around it fits one. */
export function isMeant(
  { near, unlessBehindFirst }: Surroundings,
  text: string,
  { start, end }: Span,
  endOfFirst: number,
): boolean {
  if (unlessBehindFirst?.test(text.slice(endOfFirst, endOfFirst + aroundCharacters)) === true) return false;
  return near?.test(text.slice(Math.max(0, start - aroundCharacters), end + aroundCharacters)) ?? true;
}

/** Words alone before "rules" that make them those of a language, a program or a road. */
const ofOtherRules =
  /^\s*(?:(?:the|my|your|our|their|these|those|any|of) ){0,2}(?:grammar|grammatical|spelling|punctuation|style|styling|formatting|lint|linter|linting|eslint|css|firewall|routing|traffic|tax|dress|naming|indentation|capitali[sz]ation|parking|shipping|assembly|cooking|washing)\s*$/iu;
/** So few characters between two words of an order are a word of it, on a line of its own at most. */
const betweenLinesMax = 10;

/** Words of two sentences, or of two parts of a list, have nothing to do with each other. */
export function isApart(text: string, { start, end }: Span): boolean {
  const between = text.slice(start, end);
  // One sign between two words of an order parts nothing: "Ignore. All previous instructions."
  if (/^[^\p{L}\p{N}\n]{1,4}$/u.test(between)) return false;
  if (ofOtherRules.test(between)) return !hasPayload(text, { start, end });
  if (between.trim().length <= betweenLinesMax && !/[.!?;:]|\n\s*\n\s*\n/.test(between)) return false;
  return /^ for (?!now|the)|^ you want to \p{L}+ $|[.!?;。！？][*_)"']{0,3}\s|[,:] (?:but|and|aber|und|mais|pero|the|my|then)\b|\n\s*\n/iu.test(
    between,
  );
}

export function isNegated(view: View, sent: string, start: number): boolean {
  const at = view.toSent({ start, end: start + 1 }).start;
  return endsInNegation(view.text, start) || endsInNegation(sent, at);
}

function endsInNegation(text: string, end: number): boolean {
  const before = text.slice(Math.max(0, end - negationCharacters), end);
  negation.lastIndex = before.length;
  return negation.test(before);
}

/**
 * A text that says not to forget the rules means well, where the "not" stands right before it in the same line. It is
 * read backwards from there: from each character on it took twenty times as long, and a text has thousands of orders.
 */
const negation =
  /(?<=(?:\b(?:(?:do|does|did|must|should|shall|will|would|can|could|may) not|(?:do|does|did|should|wo|would|ca|could)n['’]t|cannot|never|not to|under no circumstances?)|(?<!\p{L})не)[^\S\n]+(?:(?:to|you|ever)[^\S\n]+)*|\bn['’])/iuy;

const negationCharacters = 32;

/** True of a word that a host is named after: an address says nothing of rules. */
export function isOfHost(text: string, end: number): boolean {
  return text[end] === '.' && /^\.(?:com|org|net|io|ai|dev)(?![\w-])/i.test(text.slice(end, end + 6));
}

/** True of a mark with nothing else in its quotation marks, as in a list of marks that end an answer. */
export function isMention(text: string, { start, end }: Span): boolean {
  const quote = text[start - 1];
  return quote !== undefined && quote === text[end] && '"\'`'.includes(quote);
}
