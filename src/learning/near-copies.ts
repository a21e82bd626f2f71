import { analyze } from '../search/analyze.ts';
import { ENGLISH_STOP_WORDS } from '../search/stop-words.ts';

/** Of the words that mean something, a near copy has at least this part from what is known. */
const COPIED_PART = 0.8;
/** Of the words of the notes before it a note that stands for them has at least this part. */
const REWRITTEN_PART = 0.5;
/** A known sentence counts for another from this many shared words on: single words meet by chance. */
const MIN_SHARED = 2;

/** Tells whether a sentence says nothing but what is known. */
export type CopyDetector = (sentence: string) => boolean;

/**
 * Finds sentences that only repeat: at least 80 % of their content words are in known sentences of the same matter, or
 * in `said`, what was said right before. A number, a name in capitals or a negation that is not there makes a sentence
 * a new one, however much else is known.
 */
export function copyDetector(known: readonly string[], said: string): CopyDetector {
  const sentences = known.flatMap(splitSentences).map(contentTerms);
  const byTerm = new Map<string, number[]>();
  for (const [index, terms] of sentences.entries()) {
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
    const telling = tellingTerms(sentence);
    return !open.some((term) => telling.has(term));
  };
}

/**
 * Those of many known sentences, by id, that `copyDetector` has to know of to judge the sentences of a text: the others
 * share too few words with each.
 *
 * @param sharing the known sentences with any of these terms, and with how many of them
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

/** Whether a note has so much of what was noted of somebody before that it can stand for it. */
export function isRewriting(note: string, before: string, name: string): boolean {
  const own = new Set(analyze(name));
  const known = [...contentTerms(before)].filter((term) => !own.has(term));
  const said = contentTerms(note);
  return known.length > 0 && known.filter((term) => said.has(term)).length >= known.length * REWRITTEN_PART;
}

/** The sentences of a text, with the space behind them: joined, they are the text. */
export function splitSentences(text: string): string[] {
  return text
    .split(/(?<=[.!?…]["”')\]]?\s)(?=\S)|(?<=[。！？])|(?<=\n)/u)
    .filter((sentence) => sentence !== '');
}

/** Words of a sentence that alone make it say something else: numbers, capitals inside of it, negations. */
function tellingTerms(sentence: string): ReadonlySet<string> {
  const names = Array.from(
    sentence.matchAll(/(?=\p{Lu})(?<=[\p{L}\p{N},;:]\s+["“'(*_]*)\p{Lu}\p{L}*/gu),
    ([name]) => name,
  );
  const numbers = analyze(sentence).filter((term) => /\p{N}/u.test(term));
  return new Set([...names.flatMap(analyze), ...numbers, NEGATION]);
}

/** Words that mean something in a chat about it; a negation is one of them. */
function contentTerms(text: string): ReadonlySet<string> {
  const terms = analyze(text).map((term) => (NEGATIONS.has(term) ? NEGATION : term));
  return new Set(
    terms.filter((term) => term === NEGATION || !(ENGLISH_STOP_WORDS.has(term) || FILLERS.has(term))),
  );
}

const NEGATION = 'not';
const NEGATIONS: ReadonlySet<string> = new Set(['not', 'no', 'never', 'neither', 'nor', 'cannot']);
/** Stems of what an answer begins with, or says of itself. `user` is how facts call the one whom it addresses. */
const FILLERS: ReadonlySet<string> = new Set(
  `accord actual alreadi also awesom base chat convers cool cours earlier exactli fact glad good great happi hello hi
  inde keep known let memori mention mind nice note ok okai perfect pleas previou previous recal rememb said sai see
  sound sure tell thank told understood user well wonder ye`.split(/\s+/u),
);
