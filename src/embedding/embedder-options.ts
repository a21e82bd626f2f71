import { checkOptionNames } from '../model/check-options.ts';
import { MnemoraError } from '../model/error.ts';
import type { ProgressListener } from './embedder.ts';

/** The model that comes with this library: Universal Sentence Encoder Lite, int8, 7 MB, English. */
export const OFFLINE_MODEL = 'use-lite';

/** Settings of `transformersEmbedder`. */
export interface TransformersEmbedderOptions {
  /**
   * `use-lite` for the offline model, or the id of a feature-extraction model of the Hugging Face hub, such as
   * `Xenova/all-MiniLM-L6-v2`, which is loaded from the hub or from `modelBaseUrl`.
   * @default 'use-lite'
   */
  model?: string;
  /** URL of the folder with worker, wasm and offline model. @default the folder of this library's script */
  assetsUrl?: string;
  /** URL of the folder that contains the model's folder. @default `models/` in `assetsUrl`; for other models the hub */
  modelBaseUrl?: string;
  /** How the token vectors are combined: `mean` averages them, `cls` uses the first one. @default 'mean' */
  pooling?: 'mean' | 'cls';
  /** Whether to load the model's int8 file, a quarter of the full size. The offline model has no other. @default true */
  quantized?: boolean;
  /** Called whenever a part of a file has been loaded. */
  onProgress?: ProgressListener;
  /** Returns a new worker, for pages that cannot start it in the default way. */
  worker?: () => Worker;
  /**
   * Maximum number of texts in a message to the worker. Whatever the size, a canceled call stops, and a question is
   * embedded, after at most one more text.
   * @default 16
   */
  batchSize?: number;
  /** Maximum number of vectors in the cache of recent texts. @default 2000 */
  cacheSize?: number;
}

/** Checked options with their defaults. */
export interface EmbedderSettings extends TransformersEmbedderOptions {
  readonly model: string;
  readonly pooling: 'mean' | 'cls';
  readonly quantized: boolean;
  readonly batchSize: number;
  readonly cacheSize: number;
  readonly isOffline: boolean;
  /** Maximum length of a text in UTF-16 units; the rest is ignored. */
  readonly maxTextLength: number;
}

const DEFAULT_BATCH_SIZE = 16;
const DEFAULT_CACHE_SIZE = 2000;
// The offline model reads 128 tokens, the models of the hub 8,192 at most; no usual token is longer than 16.
const OFFLINE_MAX_TEXT_LENGTH = 4096;
const HUB_MAX_TEXT_LENGTH = 131_072;
// One or two plain names: the id becomes part of a URL and must not lead out of the folder.
const MODEL_ID = /^\w[\w.-]*(\/\w[\w.-]*)?$/;

type Check = readonly [isValid: (value: unknown) => boolean, wanted: string];

const CHECKS: Readonly<Record<keyof TransformersEmbedderOptions, Check>> = {
  model: [
    (value) => typeof value === 'string' && MODEL_ID.test(value),
    "a model id such as 'Xenova/all-MiniLM-L6-v2'",
  ],
  assetsUrl: [isFilledText, 'an address'],
  modelBaseUrl: [isFilledText, 'an address'],
  pooling: [(value) => value === 'mean' || value === 'cls', "'mean' or 'cls'"],
  quantized: [(value) => typeof value === 'boolean', 'true or false'],
  onProgress: [(value) => typeof value === 'function', 'a function'],
  worker: [(value) => typeof value === 'function', 'a function that returns a Worker'],
  batchSize: [(value) => isWhole(value) && value >= 1, 'a whole number from 1'],
  cacheSize: [(value) => isWhole(value) && value >= 0, 'a whole number from 0'],
};

/** Returns the checked options with their defaults. @throws MnemoraError `invalid-option` if one is invalid */
export function resolveOptions(options: TransformersEmbedderOptions): EmbedderSettings {
  checkOptionNames('transformersEmbedder', options, OPTION_NAMES);
  for (const name of OPTION_NAMES) checkValue(name, options[name]);
  const model = options.model ?? OFFLINE_MODEL;
  const isOffline = model === OFFLINE_MODEL;
  if (isOffline && options.quantized === false)
    throw new MnemoraError(
      'invalid-option',
      `The model ${OFFLINE_MODEL} comes as int8 only. Leave out quantized, or name another model.`,
    );
  return {
    ...options,
    model,
    isOffline,
    pooling: options.pooling ?? 'mean',
    quantized: options.quantized ?? true,
    batchSize: options.batchSize ?? DEFAULT_BATCH_SIZE,
    cacheSize: options.cacheSize ?? DEFAULT_CACHE_SIZE,
    maxTextLength: isOffline ? OFFLINE_MAX_TEXT_LENGTH : HUB_MAX_TEXT_LENGTH,
  };
}

const OPTION_NAMES = Object.keys(CHECKS) as (keyof TransformersEmbedderOptions)[];

function checkValue(name: keyof TransformersEmbedderOptions, value: unknown): void {
  const [isValid, wanted] = CHECKS[name];
  if (value !== undefined && !isValid(value))
    throw new MnemoraError('invalid-option', `The option ${name} of transformersEmbedder must be ${wanted}.`);
}

function isFilledText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value);
}
