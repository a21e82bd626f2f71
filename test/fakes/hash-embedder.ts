import type { Embedder } from '../../src/embedding/embedder.ts';

export interface HashEmbedder extends Embedder {
  /** Every document that was asked to be embedded, in order, repeats included. */
  readonly documents: string[];
  readonly queries: string[];
}

export interface HashEmbedderOptions {
  id?: string;
  dimensions?: number;
  /** Runs before each batch: throw to make the batch fail, wait to hold it up. */
  before?: (texts: readonly string[], kind: 'query' | 'document') => unknown;
  ready?: () => unknown;
}

/** Embeds without a model: each word counts in one of the dimensions, the same in every page. */
export function hashEmbedder(options: HashEmbedderOptions = {}): HashEmbedder {
  const { id = 'hash/1', dimensions = 64, before, ready } = options;
  const documents: string[] = [];
  const queries: string[] = [];
  return {
    id,
    documents,
    queries,
    ready: async () => {
      await ready?.();
      return { dimensions };
    },
    embed: async (texts, { kind = 'document' } = {}) => {
      (kind === 'query' ? queries : documents).push(...texts);
      await before?.(texts, kind);
      return texts.map((text) => vectorOf(text, dimensions));
    },
    close: async () => undefined,
  };
}

function vectorOf(text: string, dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions);
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
    let hash = 0;
    for (const character of word) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003;
    vector[hash % dimensions] = (vector[hash % dimensions] ?? 0) + 1;
  }
  return vector;
}
