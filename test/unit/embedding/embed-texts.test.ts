import { expect, it } from 'vitest';
import { embedTexts } from '../../../src/recall/index/embed-texts.ts';
import { hashEmbedder } from '../../fakes/hash-embedder.ts';

/** Embeds one text with an embedder that returns this vector, though it should be a `Float32Array`. */
const embedAs = (vector: unknown): Promise<Float32Array[]> =>
  embedTexts(
    { ...hashEmbedder(), embed: async () => [vector as Float32Array] },
    ['a'],
    'document',
    undefined,
  );

it.each([
  ['too large for single precision', [1e39, 1]],
  ['infinite', [Infinity, 1]],
  ['not numbers', [null, '1']],
  ['missing', []],
])('EMB-33: a vector whose numbers are %s is refused', async (_, vector) => {
  await expect(embedAs(vector)).rejects.toMatchObject({ code: 'model-unavailable' });
});

it.each([[[3.4e38, -3.4e38]], [[1e-60, 1]], [Float32Array.of(1, 2)]])(
  'EMB-33: the vector %j is accepted',
  async (vector) => {
    expect(await embedAs(vector)).toEqual([vector]);
  },
);
