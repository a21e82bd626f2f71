import type nlp from 'compromise/two';
import { MnemoraError } from '../model/error.ts';

/** A tagged word: its position in the text, and its part-of-speech tags (`Verb`, `PastTense`, `Place`, …). */
export interface TaggedTerm {
  readonly start: number;
  readonly end: number;
  readonly tags: readonly string[];
}

/** Returns the words of an English sentence with their part-of-speech tags. */
export type Tagger = (sentence: string) => readonly TaggedTerm[];

/**
 * Returns the part-of-speech tagger, which is loaded on the first call. A failed load is retried on the next call.
 *
 * @throws MnemoraError `model-unavailable` if its script cannot be loaded
 */
export function loadTagger(): Promise<Tagger> {
  if (running) return running;
  const load = loadPackage();
  running = load;
  // Callers get the rejection from the promise itself; this handler only allows a retry.
  load.catch(() => {
    running = undefined;
  });
  return load;
}

let running: Promise<Tagger> | undefined;

async function loadPackage(): Promise<Tagger> {
  try {
    const { default: parse } = await import('compromise/two');
    return (sentence) => termsOf(parse, sentence);
  } catch (cause) {
    throw new MnemoraError(
      'model-unavailable',
      'The word classes of offlineExtractor could not be loaded. Check that the page’s scripts can be reached, or use llmExtractor.',
      { cause },
    );
  }
}

function termsOf(parse: typeof nlp, sentence: string): TaggedTerm[] {
  const parts = parse(sentence).json() as readonly { terms: readonly Term[] }[];
  let position = 0;
  return parts
    .flatMap((part) => part.terms)
    .map((term) => {
      const start = position + term.pre.length;
      const end = start + term.text.length;
      position = end + term.post.length;
      return { start, end, tags: term.tags };
    });
}

interface Term {
  readonly text: string;
  readonly pre: string;
  readonly post: string;
  readonly tags: readonly string[];
}
