import { MODELS_PATH } from './models-path.ts';
import { transformersEmbedder, type Embedder } from '../../src/index.ts';

/**
 * Returns the default embedder, or that of the model that the address of the page names, with room to keep what
 * conversations and ways of searching have in common.
 */
export function benchEmbedder(assetsUrl: string): Embedder {
  const model = new URLSearchParams(location.search).get('model');
  const named = model === null ? {} : { model, modelBaseUrl: MODELS_PATH };
  return transformersEmbedder({ assetsUrl, cacheSize: 100_000, ...named });
}
