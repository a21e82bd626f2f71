import { fold } from './fold.ts';
import { analyze } from './terms.ts';

/** Whether a text has all words of another one, or longer words of the same stems, in any order. */
export function hasWords(text: string, words: string): boolean {
  const said = wordsIn(text);
  const stems = new Set(analyze(text));
  return wordsIn(words).every(
    (word) =>
      said.includes(word) || analyze(word).some((stem) => stem.length >= STEM_LENGTH && stems.has(stem)),
  );
}

/** Shorter stems are those of many words: "Ines" and "in". */
const STEM_LENGTH = 4;

function wordsIn(text: string): string[] {
  return fold(text).match(/[\p{L}\p{N}]+/gu) ?? [];
}
