import type nlp from 'compromise/two';
import { MnemoraError } from '../model/error.ts';

/** A word as the tagger cut it: where it stands in the text, and its word classes (`Verb`, `PastTense`, `Place`, …). */
export interface TaggedTerm {
  readonly start: number;
  readonly end: number;
  readonly tags: readonly string[];
}

/** Gives the words of an English sentence their classes. */
export type Tagger = (sentence: string) => readonly TaggedTerm[];

/**
 * The tagger, loaded at the first call and shared by all later ones; a load that failed is tried again by the next call.
 *
 * @throws MnemoraError `model-unavailable` where its script cannot be loaded
 */
export function loadTagger(): Promise<Tagger> {
  if (running) return running;
  const load = loadPackage();
  running = load;
  // The caller gets the rejection from the promise itself; this only makes room for another try.
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
