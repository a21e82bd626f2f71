import type { Embedder } from '../../embedding/embedder.ts';
import { abortable } from '../../model/abortable.ts';
import { MnemoraError } from '../../model/error.ts';

/**
 * Returns one vector for each text. The vectors are checked first, because a stored vector of the wrong length would make
 * every later search fail. An abort takes effect at once, even if the embedder ignores its signal.
 *
 * @throws MnemoraError `model-unavailable` if the embedder does not return one finite vector for each text
 */
export async function embedTexts(
  embedder: Embedder,
  texts: readonly string[],
  kind: 'query' | 'document',
  signal: AbortSignal | undefined,
  knownDimensions?: number,
): Promise<Float32Array[]> {
  signal?.throwIfAborted();
  const embedding = embedder.embed(texts, { kind, ...(signal ? { signal } : {}) });
  const vectors = await abortable(embedding, signal);
  const dimensions = knownDimensions ?? vectors[0]?.length ?? 0;
  const isSound = vectors.every((vector) => vector.length === dimensions && vector.every(isStorable));
  if (vectors.length === texts.length && isSound && (dimensions > 0 || texts.length === 0)) return vectors;
  throw new MnemoraError(
    'model-unavailable',
    `The embedder "${embedder.id}" did not return one vector of ${dimensions || 'some'} finite numbers for each text. Use another model with a different embedder id. Nothing was stored.`,
  );
}

/** Vectors are stored in single precision, in which a large number is infinite. */
function isStorable(value: number): boolean {
  return Number.isFinite(value) && Number.isFinite(Math.fround(value));
}
