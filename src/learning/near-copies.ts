import { splitSentences } from '../language/sentences.ts';
import { analyze } from '../language/terms.ts';
import { ENGLISH_STOP_WORDS } from '../language/words/stop-words.ts';

/** Minimum share of content words that a near copy takes from what is known. */
const COPIED_PART = 0.8;
/** Minimum share of the words of earlier notes that a note must contain to replace them. */
const REWRITTEN_PART = 0.5;
/** Minimum number of words shared with a known sentence: single words can match by chance. */
const MIN_SHARED = 2;

/** Returns whether a sentence only repeats what is known. */
export type CopyDetector = (sentence: string) => boolean;

/**
 * Returns a detector of sentences that only repeat: at least 80 % of their content words are in known sentences about
 * the same subject, or in `said`, the text right before. A number, capitalized name or negation that is not known
 * makes a sentence new, however much of the rest is known.
 */
export function copyDetector(known: readonly string[], said: string): CopyDetector {
  // A text can repeat a sentence many times, and each would be compared with all.
  const sentences = new Map(
    known
      .flatMap(splitSentences)
      .map(contentTerms)
      .map((terms) => [[...terms].toSorted().join(' '), terms]),
  );
  const byTerm = new Map<string, number[]>();
  for (const [index, terms] of [...sentences.values()].entries()) {
    for (const term of terms) {
      const found = byTerm.get(term);
      if (found) found.push(index);
      else byTerm.set(term, [index]);
    }
  }
  const saidTerms = contentTerms(said);
  return (sentence) => {
    const terms = contentTerms(sentence);
    if (terms.size === 0) return true;
    const shared = new Map<number, number>();
    for (const term of terms) {
      for (const index of byTerm.get(term) ?? []) shared.set(index, (shared.get(index) ?? 0) + 1);
    }
    const needed = Math.min(MIN_SHARED, terms.size);
    const isCovered = (term: string): boolean =>
      saidTerms.has(term) || (byTerm.get(term) ?? []).some((index) => (shared.get(index) ?? 0) >= needed);
    const open = [...terms].filter((term) => !isCovered(term));
    if (open.length > terms.size * (1 - COPIED_PART)) return false;
    const telling = distinctiveTerms(sentence);
    return !open.some((term) => telling.has(term));
  };
}

/**
 * Returns the ids of those among many known sentences that `copyDetector` needs in order to judge the sentences of a
 * text. The others share too few words with any of them.
 *
 * @param sharing returns the known sentences that contain any of these terms, with the number of terms in each
 */
export function sharedSentences(
  text: string,
  sharing: (terms: readonly string[]) => ReadonlyMap<string, number>,
): string[] {
  const ids = new Set<string>();
  for (const sentence of splitSentences(text)) {
    const terms = contentTerms(sentence);
    const needed = Math.min(MIN_SHARED, terms.size);
    const spelled = [...terms].flatMap((term) => (term === NEGATION ? [...NEGATIONS] : [term]));
    for (const [id, count] of sharing(spelled)) if (count >= needed) ids.add(id);
  }
  return [...ids];
}

/** Whether a note contains enough of the earlier notes about an entity to replace them. */
export function isRewriting(note: string, before: string, name: string): boolean {
  const own = new Set(analyze(name));
  const known = [...contentTerms(before)].filter((term) => !own.has(term));
  const said = contentTerms(note);
  return known.length > 0 && known.filter((term) => said.has(term)).length >= known.length * REWRITTEN_PART;
}

/** Returns the words that alone can change what a sentence says: numbers, capitalized words inside it, negations. */
function distinctiveTerms(sentence: string): ReadonlySet<string> {
  const names = Array.from(
    sentence.matchAll(/(?=\p{Lu})(?<=[\p{L}\p{N},;:]\s+["“'(*_]*)\p{Lu}\p{L}*/gu),
    ([name]) => name,
  );
  const numbers = analyze(sentence).filter((term) => /\p{N}/u.test(term));
  return new Set([...names.flatMap(analyze), ...numbers, NEGATION]);
}

/** Returns the content words, without filler words of chats; a negation counts as one. */
function contentTerms(text: string): ReadonlySet<string> {
  const terms = analyze(text).map((term) => (NEGATIONS.has(term) ? NEGATION : term));
  return new Set(
    terms.filter((term) => term === NEGATION || !(ENGLISH_STOP_WORDS.has(term) || FILLERS.has(term))),
  );
}

const NEGATION = 'not';
const NEGATIONS: ReadonlySet<string> = new Set(['not', 'no', 'never', 'neither', 'nor', 'cannot']);
/** Stems of words with which answers begin or refer to themselves. `user` is what facts call the person addressed. */
const FILLERS: ReadonlySet<string> = new Set(
  `accord actual alreadi also awesom base chat convers cool cours earlier exactli fact glad good great happi hello hi
  inde keep known let memori mention mind nice note ok okai perfect pleas previou previous recal rememb said sai see
  sound sure tell thank told understood user well wonder ye`.split(/\s+/u),
);
