/** How a model was trained to read texts, according to its authors' model card. */
export interface ModelHabits {
  readonly pooling: 'mean' | 'cls';
  readonly queryPrefix: string;
  readonly documentPrefix: string;
}

const PLAIN: ModelHabits = { pooling: 'mean', queryPrefix: '', documentPrefix: '' };
const SEARCH = 'Represent this sentence for searching relevant passages: ';

/** Families of models of the hub, by a part of their name. */
const FAMILIES: readonly (readonly [name: RegExp, habits: ModelHabits])[] = [
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
  return FAMILIES.find(([family]) => family.test(name))?.[1] ?? PLAIN;
}
