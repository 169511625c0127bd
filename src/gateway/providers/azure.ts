import type { Format } from './format.ts';
import { openai, toChatBody } from './openai.ts';
import { toPost } from './post.ts';

/** The first api-version whose chat completions take `max_completion_tokens`, which newer models insist on. */
const renamedSince = '2024-09-01';

/** OpenAI's format at an address of one's own: the deployment names the model, and the key has a header of its own. */
export const azure: Format = {
  ...openai,
  needsModel: 'never',
  baseUrl: undefined,
  toRequest(request, config) {
    const { deployment = '', apiVersion = '' } = config.azure ?? {};
    return toPost(config, {
      baseUrl: undefined,
      path: `/openai/deployments/${encodeURIComponent(deployment)}/chat/completions?api-version=${encodeURIComponent(apiVersion)}`,
      headers: () => (config.key === undefined ? {} : { 'api-key': config.key }),
      body: toChatBody(request, { isModelNamed: false, isMaxTokensRenamed: apiVersion >= renamedSince }),
    });
  },
};
