import { byWorth, type ClaimingMessage } from '../learning/claims/claim-lists.ts';
import { worthUnasked } from '../learning/claims/claim-worth.ts';
import type { OutdatedQuote } from '../learning/claims/outdated-quotes.ts';
import type { Truth } from '../learning/claims/truth.ts';
import type { KnowledgeRows } from '../learning/knowledge-rows.ts';
import type { Steps } from '../model/event-loop.ts';
import type { FusedHit } from '../search/fuse.ts';
import type { ClaimRow } from '../storage/schema.ts';

/** Maximum number of messages that were not found and whose claims are used. */
export const OTHER_MESSAGES = 40;

/** The claims of one message that still hold. */
interface StatingMessage extends ClaimingMessage {
  readonly rows: readonly ClaimRow[];
}

/** The words that are no longer true, by message. */
export type OutdatedByMessage = ReadonlyMap<string, readonly OutdatedQuote[]>;

/** The claims that a question may tell. */
export interface ClaimsByMessage {
  /** Returns what was stated in a message, ended or not. */
  statedIn(messageId: string): readonly ClaimRow[];
  /** The messages with claims that hold, those most worth keeping first. */
  readonly ranked: Iterable<StatingMessage>;
}

/** Messages that a question may tell. */
interface AskedMessages {
  /** Messages that were found, or said last. */
  readonly ids: Iterable<string>;
  /** Further messages that may be told whole. */
  readonly notFoundIds: Iterable<string>;
  /** Whether a message may be told although it was not found. */
  isTellable(messageId: string): boolean;
}

/** Returns what was stated in some messages and those that ended it, and elsewhere. The rows must not change until it is done. */
export function* readTold(
  { claimLists }: KnowledgeRows,
  truth: Truth,
  { ids, notFoundIds, isTellable }: AskedMessages,
): Steps<{ readonly claims: ClaimsByMessage; readonly outdated: OutdatedByMessage }> {
  const asked = new Set(ids);
  const stated = new Map<string, readonly ClaimRow[]>();
  const outdated = new Map<string, readonly OutdatedQuote[]>();
  const read = new Set([...asked, ...notFoundIds]);
  const reached = new Set(read);
  for (const id of reached) {
    const told = truth.toldIn(id);
    const over = truth.outdatedIn(id);
    stated.set(id, told);
    if (over.length > 0) outdated.set(id, over);
    const followed = read.has(id) || isAllOver(told) ? over : [];
    for (const { byMessageId } of followed) if (byMessageId !== undefined) reached.add(byMessageId);
    yield;
  }
  const ranked: StatingMessage[] = [];
  // What has ended something may be told beside it, and is then not told again.
  const most = OTHER_MESSAGES + reached.size - read.size;
  const holding = rankedMessages(claimLists.worthiest(), (id) => truth.toldIn(id));
  for (const message of holding) {
    yield;
    if (message && !asked.has(message.messageId) && isTellable(message.messageId)) ranked.push(message);
    if (ranked.length === most) break;
  }
  return { claims: { statedIn: (id) => stated.get(id) ?? [], ranked }, outdated };
}

/** Maximum number of messages that were not found and whose turns are told whole where they fit. */
const WHOLE_TURNS = 16;
/** Added to the scores of messages that search has not found, which ranks them below all others. */
export const NOT_FOUND = -100;

/** Returns the messages with what is most worth telling, whatever is asked. The rows must not change until it is done. */
export function* worthiestMessages(
  { claimLists }: KnowledgeRows,
  truth: Truth,
  isTellable: AskedMessages['isTellable'],
): Steps<FusedHit[]> {
  const hits: FusedHit[] = [];
  for (const message of rankedMessages(claimLists.worthiest(), (id) => truth.toldIn(id))) {
    yield;
    if (message && isTellable(message.messageId))
      hits.push({ id: message.messageId, score: NOT_FOUND + message.worth, parts: {} });
    if (hits.length === WHOLE_TURNS) break;
  }
  return hits;
}

/**
 * Yields the messages with claims that hold, those most worth keeping first. What holds of a message is never worth more
 * than all of it, so that only the first messages are looked at. Yields undefined after each of them, so that the caller can
 * pause: where all is over, or was said later, many are looked at.
 *
 * @param messages by their worth if all of their claims hold, the greatest first
 */
export function* rankedMessages(
  messages: Iterable<ClaimingMessage>,
  statedIn: ClaimsByMessage['statedIn'],
): Generator<StatingMessage | undefined, void> {
  const waiting: StatingMessage[] = [];
  for (const message of messages) {
    while (waiting[0] && byWorth(waiting[0], message) > 0) yield* waiting.splice(0, 1);
    const rows = statedIn(message.messageId).filter(holds);
    yield undefined;
    if (rows.length === 0) continue;
    waiting.push({ ...message, rows, worth: worthUnasked(rows) });
    waiting.sort((a, b) => byWorth(b, a));
  }
  yield* waiting;
}

/** Whether a message has stated something and none of it holds: what it says was ended by others in its place. */
export function isAllOver(told: readonly ClaimRow[]): boolean {
  return told.length > 0 && !told.some(holds);
}

/** Whether a claim as it is told still holds. */
export function holds({ endedBy }: ClaimRow): boolean {
  return endedBy === undefined;
}
