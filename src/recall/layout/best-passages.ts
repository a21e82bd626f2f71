import { isOnePassage, passagesIn, widthOf, type Passage } from '../../language/passages.ts';
import { analyze } from '../../language/terms.ts';
import { yieldToEventLoop } from '../../model/event-loop.ts';
import { messageText } from '../../model/message.ts';
import type { FoundTurn } from './context-layout.ts';
import { isQuotable, type Passages } from './fence.ts';

/** Share of the tokens for the passages of a turn: the only one with a long message, the best of several, any other. */
const SHARES = { only: 0.65, best: 0.4, other: 0.25 };
/** Width of a token; see `passages.ts`. */
const TOKEN_WIDTH = 4;
/** Characters of a token at most, in text: what is longer than the budget by this measure is not even counted. */
const MOST_WIDTH = 16;

/**
 * Chooses the passages that are quoted of the long messages in turns.
 *
 * @param found the best turn first
 * @param words content terms of the question
 * @param tokens how many the turns may cost together
 */
export async function withPassages(
  found: readonly FoundTurn[],
  words: ReadonlySet<string>,
  tokens: number,
): Promise<FoundTurn[]> {
  const chosen: FoundTurn[] = [];
  const long = found.filter(({ messages }) => messages.some((each) => !isOnePassage(messageText(each))));
  for (const turn of found) {
    const share = long.length === 1 ? SHARES.only : turn === long[0] ? SHARES.best : SHARES.other;
    const width = tokens * TOKEN_WIDTH * share;
    const ranked: { id: string; text: string; passages: Passage[] }[] = [];
    for (const message of turn.messages) {
      const text = messageText(message);
      if (!isQuotable(message) || (isOnePassage(text) && widthOf(text) <= width)) continue;
      const passages = (await rankPassages(text, words)).filter(
        (each) => each.end - each.start <= tokens * MOST_WIDTH,
      );
      ranked.push({ id: message.id, text, passages });
    }
    if (ranked.length === 0) {
      chosen.push(turn);
      continue;
    }
    const within = (most: number): Passages =>
      new Map(ranked.map(({ id, text, passages }) => [id, bestWithin(text, passages, most)]));
    chosen.push({ ...turn, passages: within(width), bestPassages: within(0) });
  }
  return chosen;
}

/** Returns the passage of a text that fits a question best; a short one is one passage. */
export async function bestPassage(
  text: string,
  words: ReadonlySet<string>,
): Promise<Pick<Passage, 'start' | 'end'>> {
  const [best] = isOnePassage(text) ? [] : await rankPassages(text, words);
  return best ?? { start: 0, end: text.length };
}

/** Number of passages that are read in one task. */
const PASSAGES_AT_ONCE = 256;
/** Weight of the words in a heading, compared with those of the passage. */
const HEADING_WEIGHT = 0.5;
/** How much a word says more if it stands in a passage again; see {@link saturated}. */
const SATURATION = 1.2;
/** Weight of what the passages beside a passage say: an answer often stands next to the words of the question. */
const NEIGHBOR_WEIGHT = 0.2;

/**
 * Returns the passages of a text, those that fit a question best first. Words are weighted as in BM25, with the
 * passages of the text as the collection: a word that stands in each of them does not tell them apart.
 */
async function rankPassages(text: string, words: ReadonlySet<string>): Promise<Passage[]> {
  const passages = passagesIn(text);
  const scores = withNeighbors(await scoresOf(text, passages, words));
  return passages
    .map((passage, index) => ({ ...passage, score: scores[index] ?? 0 }))
    .toSorted((a, b) => b.score - a.score || a.start - b.start);
}

/** Returns the best passages up to a total width, in the order of the text; the best one even if it is wider. */
function bestWithin(text: string, ranked: readonly Passage[], width: number): Passage[] {
  const chosen: Passage[] = [];
  let left = width;
  for (const passage of ranked) {
    const needed = widthOf(text.slice(passage.start, passage.end));
    if (chosen.length > 0 && needed > left) continue;
    chosen.push(passage);
    left -= needed;
    if (left <= 0) break;
  }
  return chosen.toSorted((a, b) => a.start - b.start);
}

async function scoresOf(
  text: string,
  passages: readonly Passage[],
  words: ReadonlySet<string>,
): Promise<number[]> {
  const counted: Map<string, number>[] = [];
  for (const [index, { start, end, heading }] of passages.entries()) {
    if (index % PASSAGES_AT_ONCE === 0) await yieldToEventLoop();
    const counts = new Map<string, number>();
    const add = (part: string, weight: number): void => {
      for (const term of analyze(part)) {
        if (words.has(term)) counts.set(term, (counts.get(term) ?? 0) + weight);
      }
    };
    add(text.slice(start, end), 1);
    if (heading !== '') add(heading, HEADING_WEIGHT);
    counted.push(counts);
  }
  const weights = new Map(
    [...words].map((word) => {
      const frequency = counted.filter((counts) => counts.has(word)).length;
      return [word, Math.log(1 + (passages.length - frequency + 0.5) / (frequency + 0.5))] as const;
    }),
  );
  return counted.map((counts) =>
    [...counts].reduce((sum, [word, count]) => sum + (weights.get(word) ?? 0) * saturated(count), 0),
  );
}

function saturated(count: number): number {
  return ((SATURATION + 1) * count) / (SATURATION + count);
}

function withNeighbors(scores: readonly number[]): number[] {
  return scores.map(
    (score, index) => score + NEIGHBOR_WEIGHT * ((scores[index - 1] ?? 0) + (scores[index + 1] ?? 0)),
  );
}
