/** Words of other programs, and verbs and flags that people expect: each with the way to say it here. */
type Sayings = Readonly<Record<string, string>>;

const logoutHint = 'motif logout NAME forgets a profile and its token';
const revokeHint = 'motif admin revoke ends tokens; a Motif goes when its lines leave the gateway file';
const useHint = 'did you mean motif profile use?';

/** First words and verbs, by the command behind which they were typed. */
const commands: Readonly<Record<string, Sayings>> = {
  motif: {
    ask: 'to send a prompt: motif prompt "..."',
    run: 'motif prompt sends a prompt; motif serve runs a gateway',
    start: 'motif serve runs a gateway',
    logs: 'motif history list, or motif admin audit list for a gateway',
    config: 'motif profile show, or motif profile set KEY VALUE',
    auth: 'motif login, motif logout and motif whoami',
    status: 'motif whoami, or motif doctor',
    version: 'motif --version',
    models: 'motif profile list shows your Motifs; motif admin show those of a gateway file, with their models',
    switch: useHint,
    select: useHint,
    test: 'motif check runs suites of cases; motif doctor looks for what is wrong',
    openai: 'the service has an API of its own: motif help http-api',
  },
  profile: {
    delete: logoutHint,
    remove: logoutHint,
    rm: logoutHint,
    add: 'motif login ADDRESS makes a profile',
    create: 'motif login ADDRESS makes a profile',
    switch: 'did you mean use?',
    ls: 'did you mean list?',
    cat: 'did you mean show?',
  },
  history: {
    rm: 'did you mean delete?',
    remove: 'did you mean delete?',
    ls: 'did you mean list?',
    find: 'did you mean search?',
    grep: 'did you mean search?',
    cat: 'did you mean show?',
  },
  admin: {
    list: 'did you mean show?',
    ls: 'did you mean show?',
    add: 'did you mean create?',
    delete: revokeHint,
    remove: revokeHint,
    rm: revokeHint,
    logs: 'motif admin audit list',
    diff: 'did you mean replay?',
    except: 'except stands at a policy in the gateway file: motif help policies',
    token: 'one more token: motif admin rotate --keep; those that there are: motif admin show --tokens',
    tokens: 'motif admin show --tokens',
  },
};

/** The way to say a word that is no command there; undefined where none is known. */
export function otherCommand(typed: string, group: string): string | undefined {
  const known = commands[group] ?? {};
  return Object.hasOwn(known, typed) ? known[typed] : undefined;
}

const toEach = (names: readonly string[], hint: string): Sayings =>
  Object.fromEntries(names.map((name) => [`--${name}`, hint]));

const newestHint = 'the newest ones stand last: motif admin audit list | tail -n 20';
const createHint = 'that is a key of the Motif in the gateway file: motif help gateway';
const tokenHint = 'limits and team of a token are keys beside its ID in the gateway file: motif help limits';
const reportHint = 'did you mean --report KIND=FILE? as in --report junit=check.xml';
const tenantHint = 'all Motifs of a gateway file have its tenant: the line tenant at its top';
const reportForms = ['junit', 'html', 'markdown', 'ctrf', 'github', 'format', 'output', 'reporter'];
const reportFlags: Sayings = { '-o': reportHint, ...toEach(reportForms, reportHint) };

/** Flags by the path of the command that lacks them. */
const flags: Readonly<Record<string, Sayings>> = {
  'history export': { '--json': 'as JSON: --format json' },
  chat: { '--list': 'motif history list shows saved conversations' },
  check: reportFlags,
  'check merge': reportFlags,
  'admin audit verify': { '--since': 'whole files are verified: name those of that time' },
  'admin audit list': { '-n': newestHint, ...toEach(['limit', 'last', 'tail'], newestHint) },
  'admin create': {
    ...toEach(['team', 'system', 'knowledge', 'fallback', 'limits', 'rpm', 'group', 'groups', 'name'], createHint),
    '--tenant': tenantHint,
  },
  'admin rotate': toEach(['rpm', 'limits', 'limit', 'tokens-per-day', 'in-flight', 'team'], tokenHint),
  'admin show': { '--all': 'every token of the file: motif admin show --tokens', '--tenant': tenantHint },
};

/** Names that other programs have for a flag. */
const otherNames: Sayings = {
  ...toEach(['from', 'after'], '--since'),
  ...toEach(['to', 'before'], '--until'),
  ...toEach(['ttl', 'valid-for'], '--expires'),
};

const motifHints = [
  'model, temperature and length belong to the Motif: model and params in the gateway file (motif help messages)',
  'which Motif is asked: --motif ID',
];

/** Flags that other clients have for what a Motif has from its gateway. */
const ofTheMotif = new Set(
  'model temperature top-p top-k max-tokens max-completion-tokens max-output-tokens seed stop'
    .split(' ')
    .flatMap((name) => [`--${name}`, `--${name.replaceAll('-', '_')}`]),
);

/** The ways to say a flag that the command of this path lacks, which has the flags `longs`; often none is known. */
export function otherFlag(name: string, path: string, longs: readonly string[]): readonly string[] {
  const own = flags[path] ?? {};
  if (Object.hasOwn(own, name)) return [own[name]!];
  if (ofTheMotif.has(name)) return motifHints;
  if (name === '--tenant' && path.startsWith('admin ')) return [tenantHint];
  if (/^--no-colou?r$/.test(name)) return ['without colour: --color never, or NO_COLOR=1'];
  if (/^--stdin$/.test(name) && /^(?:prompt|batch)$/.test(path))
    return ['what comes through a pipe is read without a flag'];
  if (/^--(?:max-)?(?:retry|retries|attempts|tries)(?:-|$)/.test(name) && longs.includes('--retries'))
    return ['did you mean --retries?'];
  const same = Object.hasOwn(otherNames, name) ? otherNames[name]! : '';
  if (longs.includes(same)) return [`did you mean ${same}?`];
  if (name === '--format' && longs.includes('--json')) return ['as a JSON document: --json'];
  return [];
}
