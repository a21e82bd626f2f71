import { checkOptionNames } from '../model/check-options.ts';
import { MnemoraError } from '../model/error.ts';
import type { ProgressListener } from './embedder.ts';

/** The model that comes with this library: Universal Sentence Encoder Lite, int8, 7 MB, English. */
export const OFFLINE_MODEL = 'use-lite';

/** Settings of `transformersEmbedder`. */
export interface TransformersEmbedderOptions {
  /**
   * The offline model, or the id of a feature-extraction model of the Hugging Face hub, as in
   * `Xenova/all-MiniLM-L6-v2`: it is then loaded from the hub, or from `modelBaseUrl`.
   * @default 'use-lite'
   */
  model?: string;
  /** Folder of worker, wasm and offline model. @default the folder of this library's script */
  assetsUrl?: string;
  /** Folder that holds the model's own folder. @default `models/` in `assetsUrl`; for other models the hub */
  modelBaseUrl?: string;
  /** How the vectors of the tokens become one: their mean, or the first one. @default 'mean' */
  pooling?: 'mean' | 'cls';
  /** Loads the model's int8 file, a quarter in size. The offline model has no other. @default true */
  quantized?: boolean;
  /** Told of every piece of a file that arrives. */
  onProgress?: ProgressListener;
  /** Makes the worker, where the default way of starting it does not suit the page. */
  worker?: () => Worker;
  /** Texts sent to the worker at once. A cancelled call stops, and a question is embedded, after one text at the latest. @default 16 */
  batchSize?: number;
  /** Vectors kept, so that a text that comes again is not embedded again. @default 2000 */
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
  /** UTF-16 units of a text that are read. */
  readonly maxTextLength: number;
}

const DEFAULT_BATCH_SIZE = 16;
const DEFAULT_CACHE_SIZE = 2000;
// The offline model reads 128 tokens, the models of the hub 8,192 at most; no usual token is longer than 16.
const OFFLINE_MAX_TEXT_LENGTH = 4096;
const HUB_MAX_TEXT_LENGTH = 131_072;
// One or two plain names: an id ends up in an address, and must not lead out of the folder.
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

/** @throws MnemoraError `invalid-option` */
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
