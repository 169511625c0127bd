import { TransportError, type TransportErrorParts } from '../../../src/errors.ts';
import type { CertificateFacts, Probe, Reach } from '../../../src/wire/http.ts';
import { documentOf } from './login.ts';
import { motif, type MotifSetup, type Run } from '../motif.ts';
import { service } from '../service.ts';

/** The fake clock's moment, as a service writes it. */
const serviceDate = 'Fri, 20 Nov 2026 12:00:00 GMT';

export const certificate: CertificateFacts = {
  subject: 'gw.example',
  issuer: 'Example CA',
  validFrom: Date.UTC(2026, 0, 1),
  validTo: Date.UTC(2027, 0, 1),
};

const open: Reach = {
  addresses: ['10.1.2.3'],
  address: '10.1.2.3',
  dnsMs: 4,
  connectMs: 5,
  tlsMs: 20,
  tls: { protocol: 'TLSv1.3', chain: [certificate] },
  failure: null,
};

/** A probe that finds the network as given; by default everything is reached. */
export const way = (seen: Partial<Reach> = {}): Probe => {
  return async () => ({ ...open, ...seen });
};

export const nothingSeen: Partial<Reach> = {
  addresses: [],
  address: null,
  dnsMs: null,
  connectMs: null,
  tlsMs: null,
  tls: null,
};

export function brokenAt(layer: TransportErrorParts['layer'], message: string, hint = 'mend it'): TransportError {
  return new TransportError('network', message, { layer, sent: false, hint });
}

/** The service's words to an empty prompt. */
export const emptyRefused = {
  status: 400,
  body: { error: 'messages must not be empty', code: 'bad_request' },
  headers: { date: serviceDate },
};

export interface Item {
  readonly layer: string;
  readonly status: string;
  readonly message: string;
  readonly notes: readonly string[];
  readonly hint: string | null;
}

/** Runs `motif doctor` where the network and the service are well, unless the setup says otherwise. */
export async function doctor(argv: readonly string[] = [], setup: MotifSetup = {}): Promise<Run> {
  return motif(['doctor', ...argv], { probe: way(), send: service(emptyRefused).send, ...setup });
}

/** The report of `--json`, its items by layer. */
export function layersOf(run: Run): Record<string, Item> {
  const { items } = documentOf(run) as { items: readonly Item[] };
  return Object.fromEntries(items.map((item) => [item.layer, item]));
}

/** One fault, and the report that doctor must give of it. */
export interface Situation {
  readonly name: string;
  readonly argv?: readonly string[];
  readonly setup?: () => Promise<MotifSetup>;
  readonly exitCode: number;
  /** The first layer that fails. */
  readonly layer: string;
  readonly says: string;
  readonly hint?: string;
  /** Layers that work all the same. */
  readonly ok?: readonly string[];
  readonly skipped?: readonly string[];
}

/** The layers that need the settings, and of those the ones that need a connection. */
export const network = ['proxy', 'dns', 'connect', 'tls', 'http', 'token', 'tenant', 'clock'];
export const afterWay = ['http', 'token', 'tenant', 'clock'];
