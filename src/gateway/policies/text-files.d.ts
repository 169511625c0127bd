/** A list of words as a text; `.config/text-files.mjs` makes it one. */
declare module '*.txt' {
  const text: string;
  export default text;
}
