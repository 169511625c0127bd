/** A topic of `motif help`: a page of this folder. */
interface Topic {
  readonly name: string;
  readonly summary: string;
  /** The page as Markdown, which is read when it is asked for. */
  load(): Promise<{ readonly default: string }>;
}

/** Every page of the manual, in the order in which they are listed. */
export const topics: readonly Topic[] = [
  { name: 'exit-codes', summary: 'what each exit code means', load: () => import('./exit-codes.md') },
  { name: 'messages', summary: 'what is sent, and in which order', load: () => import('./messages.md') },
  { name: 'json', summary: 'the document of --json, and --field', load: () => import('./json.md') },
  { name: 'environment', summary: 'the variables that motif reads', load: () => import('./environment.md') },
  { name: 'files', summary: 'the files that motif keeps', load: () => import('./files.md') },
];

export const topicNames: readonly string[] = topics.map(({ name }) => name);
