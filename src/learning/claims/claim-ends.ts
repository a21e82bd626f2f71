import type { ClaimRow, FactRow } from '../../storage/schema.ts';
import { partsOf, withoutWords } from './claim-parts.ts';

/** How a claim, or a part of it, ended. */
export interface ClaimEnd {
  /** Id of the claim that ended it; absent if the user did so directly. */
  readonly by?: string;
  /** Id of the message that ended it; absent if the user did so directly. */
  readonly byMessageId?: string;
  /** Time since which it no longer holds, in milliseconds since 1970. */
  readonly at: number;
  /** The words that are over, if not all of them. */
  readonly text?: string;
  /** True if it never held, as the user has said by a correction. */
  readonly isRetracted?: true;
  /** True if the user does not accept it. */
  readonly isRejected?: true;
}

/** Returns the end of what a later claim says to be over. @param text the words that are over, if not all */
export function endBy({ id, messageId, saidAt }: ClaimRow, text: string | undefined): ClaimEnd {
  return { by: id, byMessageId: messageId, at: saidAt, ...(text === undefined ? {} : { text }) };
}

/** Returns the end of what the user does not accept. */
export function rejection({ retraction }: FactRow): ClaimEnd {
  return { at: retraction?.recordedAt ?? 0, isRejected: true };
}

/** Whether the user has ended something directly, which need not be in the words of a fact. */
export function isDecided({ by, byMessageId }: ClaimEnd): boolean {
  return by === undefined && byMessageId === undefined;
}

/** Compares ends: what the user has decided comes first, then what ended first. */
export function byWeight(one: ClaimEnd, other: ClaimEnd): number {
  return Number(isDecided(other)) - Number(isDecided(one)) || one.at - other.at;
}

/** Returns what is left of a claim without its parts that are over. */
export function leftOf({ text }: ClaimRow, ends: readonly ClaimEnd[]): string {
  return withoutWords(text, ...ends.map((end) => end.text ?? text));
}

/**
 * Returns the parts of a claim that can be told: those without words that are over, which would make another sentence of
 * the rest. "I drink 5 coffees a shift" without "5 coffees" says something that the user has not said.
 */
export function withoutEnded({ text }: ClaimRow, ends: readonly ClaimEnd[]): string {
  const parts = partsOf(text);
  const over = ends.map((end) => {
    const words = end.text ?? text;
    const start = text.indexOf(words);
    const around = parts.filter((part) => part.start < start + words.length && part.end > start);
    return start < 0 ? words : text.slice(around[0]?.start, around.at(-1)?.end);
  });
  return withoutWords(text, ...over);
}
