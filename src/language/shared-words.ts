import { fold } from './fold.ts';
import { analyze } from './terms.ts';

/** Whether a text has all words of another one, or longer words of the same stems, in any order. */
export function hasWords(text: string, words: string): boolean {
  return wordsSought(words)(saidWords(text));
}

/** A text as {@link wordsSought} reads it. */
export interface SaidWords {
  readonly words: ReadonlySet<string>;
  readonly stems: ReadonlySet<string>;
}

export function saidWords(text: string): SaidWords {
  return { words: new Set(wordsIn(text)), stems: new Set(analyze(text)) };
}

/** Does the same as {@link hasWords} for words that are looked for in many texts. */
export function wordsSought(words: string): (said: SaidWords) => boolean {
  const sought = wordsIn(words);
  const stems = new Map<string, string[]>();
  const stemsOf = (word: string): string[] => {
    const known = stems.get(word) ?? analyze(word).filter((stem) => stem.length >= STEM_LENGTH);
    stems.set(word, known);
    return known;
  };
  return (said) =>
    sought.every((word) => said.words.has(word) || stemsOf(word).some((stem) => said.stems.has(stem)));
}

/** Shorter stems are those of many words: "Ines" and "in". */
const STEM_LENGTH = 4;

function wordsIn(text: string): string[] {
  return fold(text).match(/[\p{L}\p{N}]+/gu) ?? [];
}
