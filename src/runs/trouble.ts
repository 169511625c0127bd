import type { MotifError } from '../errors.ts';

/** The sign of a service that is away or overloaded, rather than of something wrong with one item. */
export interface Trouble {
  /** The prompt surely did not run, so that the item may be asked again within the same run. */
  readonly isUnasked: boolean;
  /** The connection ended without a reply, so that nobody knows whether the prompt ran. */
  readonly isLost: boolean;
  /** Status of its reply; undefined where none came. */
  readonly status: number | undefined;
}

/** The trouble that a failed prompt is a sign of; undefined for a failure that another prompt need not meet. */
export function troubleOf(error: MotifError): Trouble | undefined {
  const { kind, isUnasked, status } = error;
  const isOfService = kind === 'service' && (status === undefined || status >= 500);
  if (kind === 'network' || kind === 'timeout' || kind === 'limited' || isOfService)
    return { isUnasked, isLost: kind === 'network' && !isUnasked, status };
  return undefined;
}
