import type { ProviderConfig } from '../../../src/gateway/config.ts';
import type { Provider, ProviderRequest } from '../../../src/gateway/vocabulary.ts';
import { FileSecrets } from '../../../src/gateway/providers/file-secrets.ts';
import { createProvider } from '../../../src/gateway/providers/index.ts';
import type { ProviderParts } from '../../../src/gateway/providers/upstream.ts';
import { Secret } from '../../../src/text/secret.ts';

export const keyText = 'sk-canary-key-0123456789';

/** A provider as the gateway file's parser would give it. */
export function providerConfig(more: Partial<ProviderConfig> = {}): ProviderConfig {
  return {
    name: 'primary',
    kind: 'openai',
    baseUrl: undefined,
    key: new Secret(keyText),
    headers: {},
    timeoutMs: undefined,
    retries: 2,
    retriesReused: true,
    proxy: undefined,
    ca: undefined,
    azure: undefined,
    prices: new Map(),
    mock: undefined,
    ...more,
  };
}

/** Five tokens by the estimate: three and two. */
export const smallRequest: ProviderRequest = {
  model: 'a-model',
  params: {},
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Hi, you' },
  ],
};

/** The provider of a gateway file that has no other. */
export function onlyProvider(config: ProviderConfig, parts: ProviderParts): Provider {
  const providers = new Map([[config.name, config]]);
  return createProvider(config, parts, new FileSecrets({ providers, policies: new Map() }));
}
