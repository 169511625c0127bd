import type { ProviderConfig, ProviderKind } from '../config.ts';
import type { Provider } from '../vocabulary.ts';
import { anthropic } from './anthropic.ts';
import { azure } from './azure.ts';
import { baseUrlFault } from './base-url.ts';
import type { FileSecrets } from './file-secrets.ts';
import type { Format, ModelNeed } from './format.ts';
import { gemini } from './gemini.ts';
import { createMock } from './mock.ts';
import { openai } from './openai.ts';
import { type ParamFault, paramFaults } from './params.ts';
import { createUpstream, type ProviderParts } from './upstream.ts';

/** One row a kind of provider that is reached over HTTP. */
export const formats: Readonly<Record<Exclude<ProviderKind, 'mock'>, Format>> = {
  openai,
  azure,
  anthropic,
  gemini,
};

/** A provider in whose answers no secret of the gateway file stands. */
export function createProvider(config: ProviderConfig, parts: ProviderParts, secrets: FileSecrets): Provider {
  if (config.kind === 'mock') return createMock(config, parts, secrets.of(config).inAnswer);
  return createUpstream(formats[config.kind], config, parts, secrets);
}

/** The fault of a provider's address, in words that follow "base_url "; undefined if nothing is. */
export function checkBaseUrl(kind: ProviderKind, baseUrl: string | undefined): string | undefined {
  if (baseUrl !== undefined) return baseUrlFault(baseUrl);
  const isRequired = kind !== 'mock' && formats[kind].baseUrl === undefined;
  return isRequired ? 'is needed, because this kind of provider has no address of its own' : undefined;
}

/** The parameters of a Motif that its provider would not take; the mock stands in for any kind and takes all. */
export function checkParams(kind: ProviderKind, params: Readonly<Record<string, unknown>>): ParamFault[] {
  const reserved = Object.values(formats).flatMap((format) => format.reserved);
  return paramFaults(params, kind === 'mock' ? 'any' : formats[kind].params, reserved);
}

/** Parameters of a Motif that its model is known to refuse. */
export function refusedParams(
  kind: ProviderKind,
  model: string | undefined,
  params: Readonly<Record<string, unknown>>,
): readonly string[] {
  if (kind === 'mock' || model === undefined) return [];
  return formats[kind].refusedParams?.(model, params) ?? [];
}

/** The need of a Motif with such a provider to name a model. */
export function modelNeed(kind: ProviderKind): ModelNeed {
  return kind === 'mock' ? 'never' : formats[kind].needsModel;
}
