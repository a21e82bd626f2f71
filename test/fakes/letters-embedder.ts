import type { Embedder } from '../../src/embedding/embedder.ts';

/** Embeds a text as how often each letter occurs in it, a to z, at unit length. */
export const LETTERS_EMBEDDER: Embedder = {
  id: 'test/letters',
  ready: async () => ({ dimensions: 26 }),
  embed: async (texts) => texts.map(embedLetters),
  close: async () => undefined,
};

function embedLetters(text: string): Float32Array {
  const counts = new Float32Array(26);
  for (const character of text.toLowerCase()) {
    const index = character.charCodeAt(0) - 97;
    if (index >= 0 && index < 26) counts[index] = (counts[index] ?? 0) + 1;
  }
  const length = Math.hypot(...counts);
  return length === 0 ? counts : counts.map((count) => count / length);
}
