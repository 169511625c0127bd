import { type Spot, suggestion } from '../../documents/spot.ts';
import { defuseLine } from '../../text/defuse.ts';
import { isLoopback } from '../../wire/http.ts';
import { type Fields, isFields } from '../../text/json/json.ts';
import type { Piecework } from '../../text/turns.ts';
import type { GatewayConfig, MotifConfig } from '../config.ts';
import { spotsAt, type Spots } from './secrets.ts';
import { sectionOf, type Written, WrittenMotif } from './written.ts';
import { checkParams, modelNeed, refusedParams } from '../providers/index.ts';

const sections = ['providers', 'policies', 'knowledge', 'groups'] as const;

type Section = (typeof sections)[number];

/** Names of each section as they stand in the file; undefined where a section has a fault that hides them. */
type NamesIn = Readonly<Record<Section, ReadonlySet<string> | undefined>>;

/** Checks what concerns several values: names that are used, and rules across keys. `file` is what was read. */
export function* checkGateway(config: GatewayConfig, file: Fields, spots: Spots): Piecework<void> {
  checkListen(config, spots);
  checkAudit(config, spots);
  const names = namesOf(file);
  const used = new Set<string>();
  for (const [id, entry] of Object.entries(sectionOf(file, 'motifs') ?? {})) {
    if (!isFields(entry)) continue;
    const motif = new WrittenMotif(entry, spots.spot.at('motifs', id));
    checkNames(motif, names);
    checkTokens(motif);
    for (const { value } of motif.names('policies')) used.add(value);
    yield;
  }
  for (const motif of config.motifs.values()) {
    const at = spotsAt(spots, 'motifs', motif.id);
    checkProvider(motif, config, at);
    yield;
  }
  // A value that seems to be missing, such as the policies of a Motif, may be there and have a fault.
  if (spots.spot.faultsNoted > 0) return;
  for (const motif of config.motifs.values()) {
    const { warn } = spotsAt(spots, 'motifs', motif.id);
    checkFallback(motif, config, warn);
    checkUsers(motif, config, warn);
    if (motif.policies.length === 0) warn.fault('has no policies: its prompts and answers are not checked');
    yield;
  }
  if (config.motifs.size > 0) checkUsed(used, names, spots);
}

/** An entry with a fault of its own is still no unknown name. */
function namesOf(file: Fields): NamesIn {
  const names = sections.map((section) => {
    const entries = sectionOf(file, section);
    if (entries !== undefined) return [section, new Set(Object.keys(entries))];
    return [section, section === 'providers' || file[section] !== undefined ? undefined : new Set()];
  });
  return Object.fromEntries(names) as NamesIn;
}

/** A policy that was written and forgotten in the Motifs looks like a guard, and is none. */
function checkUsed(used: ReadonlySet<string>, { policies = new Set() }: NamesIn, { warn }: Spots): void {
  for (const name of policies) {
    if (!used.has(name)) warn.at('policies', name).fault('judges nothing: no Motif has it among its policies');
  }
}

/** Names of this process's own descriptors, of which a link or a number says nothing of what is behind it. */
const ownDescriptors = /^\/dev\/(?:std(?:in|out|err)|fd\/\d+)$|^\/proc\/self\/fd\/\d+$/;

function checkAudit({ audit }: GatewayConfig, { spot }: Spots): void {
  if (audit !== undefined && ownDescriptors.test(audit.file))
    spot
      .at('audit', 'file')
      .fault(`must be the path of a file, or "-" for stdout; found ${JSON.stringify(audit.file)}`);
}

/** True where a listener on the first address leaves none of its port to one on the second. */
function takesPortOf(first: string, second: string): boolean {
  // "::" is all addresses, and 0.0.0.0 those of IPv4 alone.
  return first === second || first === '::' || (first === '0.0.0.0' && !second.includes(':'));
}

function checkListen({ listen, admin }: GatewayConfig, { spot, warn }: Spots): void {
  if (admin !== undefined && admin.port !== 0 && admin.port === listen.port) {
    const isShared = takesPortOf(admin.host, listen.host) || takesPortOf(listen.host, admin.host);
    if (isShared) warn.at('admin', 'port').fault('is the port of listen too: only one of them gets it');
  }
  if (isLoopback(listen.host) || listen.tls !== undefined || listen.allowHttp) return;
  const way = 'needs tls, for other machines can reach it';
  spot
    .at('listen', 'host')
    .fault(`${way}; or listen.allow_http: true where TLS ends in front of the gateway (motif help tls)`);
}

function checkNames(motif: WrittenMotif, namesIn: NamesIn): void {
  const check = (section: Section, named: Written<string> | undefined): void => {
    const known = namesIn[section];
    if (named === undefined || known === undefined || known.has(named.value)) return;
    const words = `names ${defuseLine(named.value, 60)}, which is not in ${section}; ${suggestion(named.value, [...known])}`;
    motif.spot.at(...named.path).fault(words);
  };
  const fallback = motif.name('fallback');
  check('providers', motif.name('provider'));
  check('providers', fallback);
  if (fallback !== undefined && motif.isOwnFallback)
    motif.spot.at(...fallback.path).fault('must be another provider, or another model of this one');
  for (const section of ['policies', 'knowledge', 'groups'] as const) {
    for (const named of motif.names(section)) check(section, named);
  }
}

/** The fallback takes what it knows of the parameters, so they are judged by the provider that is asked first. */
function checkProvider(motif: MotifConfig, { providers }: GatewayConfig, { spot, warn }: Spots): void {
  const provider = providers.get(motif.provider);
  if (provider === undefined) return;
  const need = motif.model === undefined ? modelNeed(provider.kind) : 'never';
  if (need === 'always') spot.fault(`needs model, for a provider of kind ${provider.kind}`);
  if (need === 'mostly')
    warn.fault(`names no model, and most providers of kind ${provider.kind} need one: model: NAME`);
  for (const { name, expected } of checkParams(provider.kind, motif.params)) {
    spot.at('params', name).fault(expected);
  }
  for (const name of refusedParams(provider.kind, motif.model, motif.params)) {
    warn.at('params', name).fault(`is refused by models like ${motif.model}`);
  }
}

/** A provider that may take all of the time leaves none for another one. */
function checkFallback({ provider, fallback }: MotifConfig, { providers, limits }: GatewayConfig, warn: Spot): void {
  if (fallback?.on.size === 0) warn.at('fallback', 'on').fault('names no cause, so that the fallback is never asked');
  const timeoutMs = providers.get(provider)?.timeoutMs ?? Infinity;
  if (fallback?.on.has('timeout') !== true || timeoutMs < limits.providerTimeoutMs) return;
  const way = `give ${defuseLine(provider, 60)} a timeout below provider_timeout of limits`;
  warn.at('fallback', 'on').fault(`names timeout, after which no time is left to ask it: ${way}`);
}

/** Users free from the tenant ID, which a file without one asks of nobody. */
function checkUsers({ users, groups }: MotifConfig, { tenant }: GatewayConfig, warn: Spot): void {
  if (tenant !== undefined) return;
  const words = 'counts for nothing in a file without tenant: each token is taken, whoever its user is';
  if (users.size > 0) warn.at('users').fault(words);
  if (groups.size > 0) warn.at('groups').fault(words);
}

function checkTokens({ tokens, spot }: WrittenMotif): void {
  const ids = new Set<unknown>();
  const digests = new Set<unknown>();
  for (const { value, path } of tokens) {
    const at = spot.at(...path);
    if (ids.has(value.id)) at.at('id').fault('is the ID of an earlier token of this Motif');
    if (digests.has(value.sha256)) at.at('sha256').fault('is the hash of an earlier token of this Motif');
    if (value.id !== undefined) ids.add(value.id);
    if (value.sha256 !== undefined) digests.add(value.sha256);
  }
}
