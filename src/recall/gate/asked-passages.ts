import { isOnePassage, passagesIn } from '../../language/passages.ts';
import { analyze } from '../../language/terms.ts';
import type { Steps } from '../../model/event-loop.ts';
import { messageText, type StoredMessage } from '../../model/message.ts';
import type { FoundTurn } from '../layout/context-layout.ts';
import { isQuotable } from '../layout/fence.ts';

/** Number of best turns whose long messages are read. */
const READ_TURNS = 10;

/**
 * Shares of a question's words, weighted by rarity, that make it one about a passage, by how many of its words stand
 * there together.
 */
const ASKED_SHARES: readonly (readonly [words: number, share: number])[] = [
  [3, 0.4],
  [2, 0.6],
];

/**
 * Marks the turns that have the words that a question asks about, those with a passage of a long answer or document that
 * has them, and the best turn if it has a long message with one of the words. "How much madeira did the pie need" has the
 * form of a question for general knowledge, and the turn with the recipe that of an everyday request.
 *
 * @param found the best turn first
 * @param terms content terms of the question
 * @param rarity returns the inverse document frequency of a term
 */
export function* withAskedPassages(
  found: readonly FoundTurn[],
  terms: ReadonlySet<string>,
  rarity: (term: string) => number,
): Steps<FoundTurn[]> {
  const sumOf = (some: Iterable<string>): number => {
    let sum = 0;
    for (const term of some) sum += rarity(term);
    return sum;
  };
  const total = sumOf(terms);
  const isAsked = (passage: ReadonlySet<string>): boolean => {
    const shared = [...terms].filter((term) => passage.has(term));
    const share = sumOf(shared) / total;
    return ASKED_SHARES.some(([words, least]) => shared.length >= words && share >= least);
  };
  // Long messages are judged passage by passage.
  const hasAskedWords = ({ messages }: FoundTurn): boolean => {
    const texts = messages.map(messageText).filter(isOnePassage);
    const said = new Set(texts.flatMap((text) => analyze(text)));
    return isAsked(said) || (terms.size === 1 && [...terms].every((term) => said.has(term)));
  };
  const marked: FoundTurn[] = [];
  for (const [rank, turn] of found.entries()) {
    let isOfQuestion = false;
    let hasAskedPassage = false;
    for (const message of rank < READ_TURNS ? turn.messages : []) {
      for (const passage of longPassages(message)) {
        isOfQuestion ||= [...terms].some((term) => passage.has(term));
        hasAskedPassage = isAsked(passage);
        if (hasAskedPassage) break;
        yield;
      }
      if (hasAskedPassage) break;
    }
    const isBestLong = isOfQuestion && rank === 0;
    yield;
    marked.push({
      ...turn,
      ...(hasAskedPassage ? { hasAskedPassage } : {}),
      ...(rank < READ_TURNS && hasAskedWords(turn) ? { hasAskedWords: true } : {}),
      ...(isBestLong ? { isBestLong } : {}),
    });
  }
  return marked;
}

/** Yields the terms of each passage of a long message, with those of the heading that it stands under. */
function* longPassages(message: StoredMessage): Generator<ReadonlySet<string>, void> {
  const text = messageText(message);
  if (!isQuotable(message) || isOnePassage(text)) return;
  for (const { start, end, heading } of passagesIn(text))
    yield new Set([...analyze(heading), ...analyze(text.slice(start, end))]);
}
