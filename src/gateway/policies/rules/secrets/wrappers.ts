/** Signs, calls and marks of programs and files that stand between a name and the value that it gets. */

/** `b"3f2a"`, `("3f2a")`, `["3f2a"]`, `String("3f2a")`, `new Key("3f2a")`, `[]byte("3f2a")`, `!secret 3f2a`. */
const conversion =
  '(?:new\\s{1,2})?(?:\\w{1,30}(?:\\.|::)){0,3}(?:(?:secure|secret|plain)?(?:string|str|text|bytes?|secret|password|token|key|credentials?|value|buffer)|from(?:_utf8|string)?|of|some|bytearray|to_bytes)?(?:\\[\\]\\w{1,8}\\{|@?(?:\\[\\]\\w{1,8})?[(\\[]{1,2})\\s{0,12}[bu]?(?=["\'`][^("\'`^\\\\[])(?!["\'`](?:[a-z]{1,16}-?\\d{0,5}|[a-z]{1,8}-[a-z]{0,4}\\d{1,5})["\'`])';
/** `process.env.TOKEN || "3f2a"`: what is taken where nothing else is there. */
const fallback =
  '[\\w.]{1,60}(?:[(\\[]["\']?\\w{1,60}["\']?[)\\]])?\\s{0,3}(?:\\|\\||\\?\\?|\\?:|\\bor\\b)\\s{0,3}(?=["\'`])';
/** Behind a sign that assigns. */
export const wrapper = `(?:${conversion}|${fallback}|!(?:secret|!str|!binary)\\s{1,3}|<<[-~]?["']?[A-Z]{2,12}["']?\\r?\\n\\s{0,12}|string\\(\\d{1,4}\\)\\s(?=")|\\[(?=[\\w+/=.~-]{8,256}\\s{0,3}(?:,|\\](?<=s["'*]{0,3}\\s{0,3}[:=]\\s{0,6}\\[[^\\s\\]]{8,256}\\])))|\\[\\[(?=[^\\s\\]]{8,256}\\]\\]))?`;

const tags = 'b|strong|i|em|u|code|kbd|tt|pre|span|font|mark|label|p|div';
/** The colour of a terminal, where the sign before it is lost: `[32mTOKEN[0m=[33m3f2a`, `^[[0m`. */
const colour = '(?:\\^\\[)?\\[[\\d;]{0,12}m';
/** `**Token:** 3f2a`, `<b>Token:</b> 3f2a`: the end of the marks around a label, before its sign or behind it. */
const labelMark = `(?:\\*{1,3}|_{2}|~~|${colour}|</(?:${tags})>)`;
export const labelEnd = `${labelMark}{0,3}`;
/** `Token: <code>3f2a`, `Token:<br>3f2a`, and a block of code on the next line: what begins before a value. */
export const valueMarks = `(?:(?<=[:=])${labelMark}{1,3}(?=[\\s<\`])\\s{0,6})?(?:\\*{2,3}(?=\\S)|${colour}|<(?:${tags}|br)\\b[^<>\\n]{0,80}>\\s{0,8}|\`{3}\\w{0,12}\\r?\\n){0,3}`;
/** `password for ana: 3f2a`, `token (prod) = 3f2a`: where it is for, between a name and its sign. */
export const labelNote =
  '(?:\\s(?:\\([\\w .,/@-]{1,40}\\)|\\[[\\w .,/@-]{1,40}\\]|(?:(?:has been|was|is)\\s)?(?:created|generated|issued)|(?:for|of|on|to|from|at|in)\\s[^\\n!?:;=<>|(){}]{1,40}?(?=\\s?[:=]\\s)))?';

/** A property of C#: `public string Token { get; } = "3f2a"`. */
const property = /\s{0,3}\{[\s;\w]{3,40}\}\s{0,3}=\s{0,3}(?=")/;
/** `variable "token" { default = "3f2a" }`, as Terraform has it. */
const variable =
  /"(?<=\bvariable\s{1,4}"[\w-]{0,64}(?:pass(?:word|wd|phrase)?|pwd|secret|token|key|credentials?)")\s{0,4}\{[^{}]{0,240}?\bdefault\s{0,12}=\s{0,4}(?=")/;
/** No word with figures, as a call names a token of a grammar and a test fills in a form: `token("NUMBER12")`. */
const noWord = /(?!["'`][a-z]{2,16}[_-]?\d{1,5}[a-z]{0,8}["'`])/.source;
/** `setToken("3f2a")`, `.password("3f2a")`: a call with this alone, which does not look for something. */
const call = new RegExp(
  `${/\((?<!\b_?(?:get|has|find|is|load|read|fetch|check|lookup|remove|delete|test|it|by|should|assert|verify|encode|decode|hash)_?\w{0,40}\(|(?:pass\w{0,8}|pwd|secret|token|key|auth|credential)s?\.[\w.]{1,40}\()\s{0,4}/.source}${noWord}${/(?=[bu]?(?:"[^"\s]{6,256}"|'[^'\s]{6,256}')\s{0,4}\))/.source}`,
);
/** `get('#password').type('3f2a')`: what a script types into a field. */
const typed = new RegExp(
  `${/["'`]\s?\)\.(?:clear\(\)\.)?(?:type|send_?keys|fill|setValue|val)\(\s{0,4}(?=["'`])/.source}${noWord}`,
);
/** `<token type="x">3f2a`: a tag with attributes. */
const tagWithAttributes =
  /(?=\s)(?<=<[\w:.-]{1,60})(?:\s{1,4}[\w:.-]{1,30}\s?=\s?["'][^"'<>\n]{0,120}["']){1,4}\s?>\s{0,8}(?=[^\s<>])/;
/** `<key>token</key><value>3f2a`, `<Token><Value>3f2a`. */
const tagOfValue = /(?:<\/(?:key|name|string)>|>)\s{0,20}<(?:value|string|data)\b[^<>]{0,60}>\s{0,8}(?=[^\s<>])/;
/** `s:5:"token";s:4:"3f2a"` as PHP keeps it, `Token  REG_SZ  3f2a` as Windows prints it. */
export const kept = /["'];s:\d{1,4}:(?=")|\s{1,12}REG_(?:EXPAND_)?SZ\s{1,12}(?=\S)/;
/** `tokens:`, then `- 3f2a` or `1. 3f2a` on the next line. */
const listBelow =
  /(?:\s(?:for|of|on|to|from|at|in)\s[^\n!?:;=<>|(){}]{1,40})?["'*]{0,3}:(?<=s(?:\s[^\n:]{4,48})?["'*]{0,3}:)\*{0,2}[ \t]{0,3}\r?\n\s{0,20}(?:[-*+•]|\d{1,2}[.)])[ \t]{1,3}(?=["'`A-Za-z\d])/;
/** `ENV TOKEN 3f2a`, `setx TOKEN 3f2a`, `git config user.token 3f2a`, `put TOKEN <<< 3f2a`. */
const behindCommand =
  /\s{1,4}(?<=(?<![\w-])(?:ENV|ARG|setenv|setx|set\s-[gxU]{1,3}|(?:git|npm|yarn|pnpm|pip|poetry|composer)\sconfig\s(?:--\w{2,10}\s|set\s){0,2})\s{0,4}[\w./:-]{1,80}(?<!signingkey)\s{1,4})(?=[^\s=])|\s<<<\s{1,3}/;
/** `#define TOKEN "3f2a"`, `(setq token "3f2a")`. */
const defined = /\s{1,4}(?<=(?:#define|\(setq|\(def\w{0,8})\s{1,4}[\w*.-]{1,64}\s{1,4})(?=")/;

/** Behind a name, what makes it one of something else: `PASSWORD_FILE`, `API_KEY_NAME`, `TOKEN_MAX`. */
export const elseEnds =
  '(?![\\w.-]{0,24}[_.-](?:file|path|dir|name|url|uri|host|id|header|prefix|suffix|type|kind|field|column|param|max|min|len|length|size|count|limit|ttl|age|expiry|format|algorithm|alg|version|label|title|hint|policy)(?!\\w))';

export const wrappingLinks: readonly RegExp[] = [
  property,
  variable,
  call,
  typed,
  tagWithAttributes,
  tagOfValue,
  listBelow,
  behindCommand,
  defined,
];

/** Ends of names of secrets, as they stand before what opens a call, and in the last tag of an element. */
const nameEnds = 'password|passwd|phrase|code|pwd|pass|secret|token|key|credential|credentials|auth'.split('|');
/** Pieces of which one stands near each such link. */
export const wrappingKeys: readonly string[] = [
  ...'{ get|{get|variable "|.type(|send_keys(|.sendkeys(|.fill(|.setvalue(|set_value(|.val(|<value|<string|<data>'.split(
    '|',
  ),
  ...'env |arg |setenv|setx |set -| config |<<<|#define|(setq|(def|password type|password encr|token type'.split('|'),
  ...['encoding=', 'encrypted=', 'name=', 'id=', 'class=', 'xsi:'].flatMap((attribute) =>
    ['password', 'pass', 'secret', 'token'].map((name) => `${name} ${attribute}`),
  ),
  ...'tokens for|keys for|secrets for|passwords for|credentials for|keys of|passwords of'.split('|'),
  ...'tokens:|keys:|secrets:|passwords:|credentials:|tokens":|keys":|secrets":|passwords":|credentials":'.split('|'),
  ...nameEnds.flatMap((name) => [`${name}("`, `${name}('`, `${name}>`]),
];
