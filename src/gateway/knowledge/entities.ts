/** The named characters that pages of text do use; any other stays as it is written. */
const names = new Map(
  `amp& lt< gt> quot" apos' nbsp\u00a0 copy© reg® trade™ hellip… mdash— ndash– lsquo‘ rsquo’ ldquo“ rdquo” bdquo„ laquo« raquo»
  bull• middot· euro€ pound£ yen¥ cent¢ sect§ para¶ deg° plusmn± times× divide÷ frac12½ rarr→ larr← auml\u00e4 ouml\u00f6
  uuml\u00fc Auml\u00c4 Ouml\u00d6 Uuml\u00dc szlig\u00df eacute\u00e9 egrave\u00e8 agrave\u00e0 aacute\u00e1 ccedil\u00e7 ntilde\u00f1 oacute\u00f3 uacute\u00fa
  iacute\u00ed ecirc\u00ea ocirc\u00f4 acirc\u00e2 oslash\u00f8 aring\u00e5 aelig\u00e6`
    .split(/[ \n]+/)
    .map((entry) => [entry.slice(0, -1), entry.slice(-1)] as const),
);

/** Replaces character references once: what comes of one is not read again. */
export function decodeEntities(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z][A-Za-z0-9]{1,31}));/g,
    (whole, decimal, hex, name) => {
      if (typeof name === 'string') return names.get(name) ?? whole;
      const code = decimal === undefined ? Number.parseInt(String(hex), 16) : Number(decimal);
      const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
      return isCharacter ? String.fromCodePoint(code) : '\ufffd';
    },
  );
}
