import { tokensLost } from '../../language/quotable-text.ts';
import { messageText, type StoredMessage } from '../../model/message.ts';
import type { Tokenizer } from '../../tokens/tokenizer.ts';
import type { ContextNote } from './context-item.ts';
import { sentOf, type CountedTurn, type FoundTurn } from './context-layout.ts';
import { quoteNotes } from './fence.ts';
import { SLACK_TOKENS } from './fill-budget.ts';
import { quoteDays, type QuotedDay } from './quote-days.ts';

/** Returns the tokens of what is quoted day by day, counted piece by piece. */
export function costOfDays(
  turns: readonly FoundTurn[],
  notes: readonly ContextNote[],
  tokenizer: Tokenizer,
): number {
  const costOf = (day: QuotedDay<FoundTurn, ContextNote>): number =>
    countedOnce(day, tokenizer, () => [
      `${day.heading}\n`,
      ...day.entries.map(({ endedLines }) => endedLines),
    ]);
  return quoteDays(turns, notes).reduce((sum, day) => sum + costOf(day), 0);
}

/** Returns the tokens of notes that are quoted line by line, counted one by one. */
export function costOfNotes(notes: readonly ContextNote[], tokenizer: Tokenizer): number {
  const costOf = (note: ContextNote): number =>
    countedOnce(note, tokenizer, () => [quoteNotes('', [note.text])]);
  return notes.reduce((sum, note) => sum + costOf(note), 0);
}

/** A message can cost a few tokens less in a request, where the one in front of it is joined to it. */
export function leastSent(window: readonly CountedTurn[], tokenizerId: string): number {
  return sentOf(window).reduce(
    (sum, { tokens }) => sum + Math.max(0, (tokens?.[tokenizerId] ?? 0) - 2 * SLACK_TOKENS),
    0,
  );
}

/** A quoted text costs at least its tokens as a message, without those of what quoting removes. */
export function leastQuoted(message: StoredMessage, tokenizerId: string): number {
  const known = message.tokens?.[tokenizerId];
  if (known === undefined) return 0;
  return known - tokensLost(messageText(message)) - 2 * SLACK_TOKENS;
}

/** Tokens of days and notes: each candidate for a budget changes one of them. */
const counts = new WeakMap<object, { readonly tokens: number; readonly tokenizer: Tokenizer }>();

function countedOnce(source: object, tokenizer: Tokenizer, textsOf: () => readonly string[]): number {
  const counted = counts.get(source);
  if (counted?.tokenizer === tokenizer) return counted.tokens;
  const tokens = textsOf().reduce((sum, text) => sum + tokenizer.countText(text), 0);
  counts.set(source, { tokens, tokenizer });
  return tokens;
}
