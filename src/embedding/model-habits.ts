import { WEIGHT_OF_TRAINED } from './embedder.ts';

/** How a model was trained to read texts, according to its authors' model card. */
export interface ModelHabits {
  readonly pooling: 'mean' | 'cls';
  readonly queryPrefix: string;
  readonly documentPrefix: string;
  /** See `rankingWeight` of `Embedder`. */
  readonly rankingWeight: number;
}

const PLAIN: ModelHabits = { pooling: 'mean', queryPrefix: '', documentPrefix: '', rankingWeight: 1 };
const SEARCH = 'Represent this sentence for searching relevant passages: ';

/**
 * Families of models of the hub, by a part of their name. All were trained to find the passage that answers a question. The
 * ranking was fitted with e5-small-v2 and bge-small-en-v1.5; the other families are taken to be alike. Others, such as
 * all-MiniLM-L6-v2, which was trained on pairs of all kinds, are ranked like the offline model.
 */
const FAMILIES: readonly (readonly [name: RegExp, habits: Omit<ModelHabits, 'rankingWeight'>])[] = [
  // L. Wang et al., "Text Embeddings by Weakly-Supervised Contrastive Pre-training", 2022
  [/(?:^|[/-])e5-/u, { pooling: 'mean', queryPrefix: 'query: ', documentPrefix: 'passage: ' }],
  // S. Xiao et al., "C-Pack", 2023
  [/(?:^|[/-])bge-.*-en/u, { pooling: 'cls', queryPrefix: SEARCH, documentPrefix: '' }],
  [/(?:^|[/-])bge-/u, { pooling: 'cls', queryPrefix: '', documentPrefix: '' }],
  [/arctic-embed-/u, { pooling: 'cls', queryPrefix: SEARCH, documentPrefix: '' }],
  [/mxbai-embed-/u, { pooling: 'cls', queryPrefix: SEARCH, documentPrefix: '' }],
  // Z. Nussbaum et al., "Nomic Embed", 2024
  [
    /nomic-embed-text/u,
    { pooling: 'mean', queryPrefix: 'search_query: ', documentPrefix: 'search_document: ' },
  ],
];

/** Returns how a model of a known family reads texts; without prefixes and with `mean` for all others. */
export function habitsOf(model: string): ModelHabits {
  const name = model.toLowerCase();
  const [, habits] = FAMILIES.find(([family]) => family.test(name)) ?? [];
  return habits ? { ...habits, rankingWeight: WEIGHT_OF_TRAINED } : PLAIN;
}
