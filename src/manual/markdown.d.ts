/** A page of the manual as a text; `.config/text-files.mjs` makes it one. */
declare module '*.md' {
  const text: string;
  export default text;
}
