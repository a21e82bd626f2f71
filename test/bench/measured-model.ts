import type { Plugin } from 'vite';
import { serveFolder } from '../../scripts/serve-assets.ts';
import { MODELS_PATH } from './models-path.ts';

/**
 * The model to measure instead of the default one, and the folder in which its folder is: `MNEMORA_BENCH_MODEL=e5-small-v2
 * MNEMORA_BENCH_MODELS=/models`. CONTRIBUTING says what is in them.
 */
const { MNEMORA_BENCH_MODEL: model, MNEMORA_BENCH_MODELS: models } = process.env;

/** Returns the plugins that serve the model to measure. */
export function modelPlugins(): Plugin[] {
  return models ? [serveFolder(MODELS_PATH, models)] : [];
}

/** Returns the address of a bench's page, which names the model to measure. */
export function benchAddress(path: string, base: string | undefined): string {
  const url = new URL(path, base);
  if (model) url.searchParams.set('model', model);
  return url.href;
}
