/** A topic of `motif help`: a page of this folder. */
interface Topic {
  readonly name: string;
  readonly summary: string;
  /** The page as Markdown, which is read when it is asked for. */
  load(): Promise<{ readonly default: string }>;
}

/** The topics for one kind of reader. */
interface TopicGroup {
  /** The end of the heading that begins with `Topics`. */
  readonly heading: string;
  /** The heading in a word, where all topics take a few lines. */
  readonly label: string;
  readonly topics: readonly Topic[];
}

/** Every page of the manual by reader, in the order in which they are listed. */
export const topicGroups: readonly TopicGroup[] = [
  {
    heading: 'to ask and talk',
    label: 'ask',
    topics: [
      {
        name: 'messages',
        summary: 'what is sent, where it goes, what comes back',
        load: () => import('./messages.md'),
      },
      { name: 'chat-keys', summary: 'keys and commands of a chat', load: () => import('./chat-keys.md') },
      {
        name: 'conversations',
        summary: 'saved conversations, and prompts as turns of them',
        load: () => import('./conversations.md'),
      },
      { name: 'blocked', summary: 'what to do after a block', load: () => import('./blocked.md') },
      {
        name: 'profiles',
        summary: 'addresses and tokens: login, logout, profile, whoami',
        load: () => import('./profiles.md'),
      },
      { name: 'network', summary: 'time, retries, proxies, certificates; doctor', load: () => import('./network.md') },
    ],
  },
  {
    heading: 'for scripts',
    label: 'script',
    topics: [
      { name: 'scripts', summary: 'motif in shell scripts', load: () => import('./scripts.md') },
      { name: 'json', summary: 'the document of --json, and --field', load: () => import('./json.md') },
      { name: 'exit-codes', summary: 'what each exit code means', load: () => import('./exit-codes.md') },
      { name: 'batch', summary: 'many prompts, and none lost or paid twice', load: () => import('./batch.md') },
      { name: 'http-api', summary: 'the endpoint, its request and its replies', load: () => import('./http-api.md') },
      { name: 'environment', summary: 'the variables that motif reads', load: () => import('./environment.md') },
      { name: 'files', summary: 'the files that motif keeps', load: () => import('./files.md') },
    ],
  },
  {
    heading: 'for CI',
    label: 'CI',
    topics: [
      {
        name: 'suites',
        summary: 'cases for motif check: what to expect, and what it proves',
        load: () => import('./suites.md'),
      },
      { name: 'ci', summary: 'smoke checks in CI', load: () => import('./ci.md') },
    ],
  },
  {
    heading: 'for the gateway',
    label: 'gateway',
    topics: [
      { name: 'gateway', summary: 'the gateway and its file', load: () => import('./gateway.md') },
      { name: 'tokens', summary: 'a token for a colleague, and its end', load: () => import('./tokens.md') },
      {
        name: 'tls',
        summary: 'a certificate, step by step; colleagues on other machines',
        load: () => import('./tls.md'),
      },
      {
        name: 'limits',
        summary: 'what each limit counts, and what comes back beyond it',
        load: () => import('./limits.md'),
      },
      { name: 'deploy', summary: 'running the gateway as a service', load: () => import('./deploy.md') },
    ],
  },
  {
    heading: 'for security',
    label: 'security',
    topics: [
      { name: 'policies', summary: 'what policies find, and what they do not', load: () => import('./policies.md') },
      { name: 'audit', summary: 'what was decided: find, count, prove, replay', load: () => import('./audit.md') },
      { name: 'security', summary: 'what is promised', load: () => import('./security.md') },
      { name: 'figures', summary: 'what was measured', load: () => import('./figures.md') },
    ],
  },
];

export const topics: readonly Topic[] = topicGroups.flatMap((group) => group.topics);

export const topicNames: readonly string[] = topics.map(({ name }) => name);

/** Those topics with their summaries, a line each; all summaries begin in one column. */
export function topicLines(listed = topics): string {
  const column = Math.max(...topicNames.map(({ length }) => length));
  return listed.map(({ name, summary }) => `${name.padEnd(column)}  ${summary}\n`).join('');
}
