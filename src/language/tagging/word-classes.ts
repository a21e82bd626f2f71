import type nlp from 'compromise/two';
import { MnemoraError } from '../../model/error.ts';
import { yieldToEventLoop } from '../../model/event-loop.ts';
import { memoizeAsync } from '../../model/loading.ts';

/** A tagged word: its position in the sentence, and its part-of-speech tags (`Verb`, `PastTense`, `Place`, …). */
export interface TaggedTerm {
  readonly start: number;
  readonly end: number;
  readonly tags: readonly string[];
}

/** Returns the words of an English sentence with their part-of-speech tags. */
export type WordClasses = (sentence: string) => readonly TaggedTerm[];

/**
 * Loads the word classes into this thread, on the first call. A failed load is retried on the next call.
 *
 * @throws MnemoraError `model-unavailable` if their script cannot be loaded
 */
export const loadWordClasses: () => Promise<WordClasses> = memoizeAsync(async () => {
  try {
    const { default: parse } = await import('compromise/two');
    // Evaluating the package is a long task that cannot be divided. Compiling its patterns, which it does for the first
    // sentence, takes a third as long again: each gets a task of its own.
    await yieldToEventLoop();
    parse('It is here.');
    await yieldToEventLoop();
    return (sentence) => termsOf(parse, sentence);
  } catch (cause) {
    throw new MnemoraError(
      'model-unavailable',
      'The word classes of offlineExtractor could not be loaded. Check that the page’s scripts can be reached, or use llmExtractor.',
      { cause },
    );
  }
});

function termsOf(parse: typeof nlp, sentence: string): TaggedTerm[] {
  const parts = parse(sentence).json() as readonly { terms: readonly Term[] }[];
  let position = 0;
  return parts
    .flatMap((part) => part.terms)
    .map(({ text, pre, post, tags }) => {
      const start = position + pre.length;
      const end = start + text.length;
      position = end + post.length;
      return { start, end, tags };
    });
}

type Term = Readonly<Record<'text' | 'pre' | 'post', string>> & Pick<TaggedTerm, 'tags'>;
