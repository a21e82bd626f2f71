import { SortedList } from '../../model/ordered/sorted-list.ts';
import type { ClaimRow } from '../../storage/schema.ts';
import { worthUnasked } from './claim-worth.ts';

/** Provides the current claims, also those that are only kept because they may end others. */
export interface CurrentClaims {
  claim(id: string): ClaimRow | undefined;
}

/** A message with claims, and by how much they are worth telling if all of them hold. */
export interface ClaimingMessage {
  readonly messageId: string;
  readonly saidAt: number;
  readonly worth: number;
}

/**
 * The claims in the orders in which questions need them, kept up change by change, so that a question reads only the first
 * ones. Weak claims are found by their message alone. Changed rows are queued and listed later: see `SentenceIndex`.
 */
export class ClaimLists {
  readonly #rows: CurrentClaims;
  readonly #waiting = new Set<string>();
  readonly #listed = new Map<string, ClaimRow>();
  readonly #byMessage = new Map<string, readonly ClaimRow[]>();
  readonly #messages = new Map<string, ClaimingMessage>();
  readonly #byTime = new SortedList(byTime);
  readonly #byScore = new SortedList(byScore);
  readonly #messagesByTime = new SortedList(bySaying);
  readonly #messagesByWorth = new SortedList(byWorth);

  constructor(rows: CurrentClaims) {
    this.#rows = rows;
  }

  /** Notes that a claim was added, changed or removed. */
  touch(id: string): void {
    this.#waiting.add(id);
  }

  /** Lists up to this number of queued claims. Returns whether there are more. */
  read(atMost: number): boolean {
    let left = atMost;
    const messageIds = new Set<string>();
    for (const id of this.#waiting) {
      if (left-- <= 0) break;
      this.#waiting.delete(id);
      for (const row of [this.#listed.get(id), this.#rows.claim(id)]) if (row) messageIds.add(row.messageId);
      this.#list(id, this.#rows.claim(id));
    }
    for (const messageId of messageIds) this.#listMessage(messageId);
    return this.#waiting.size > 0;
  }

  /** Returns the claims of a message in the order of its text. */
  in(messageId: string): readonly ClaimRow[] {
    this.read(Infinity);
    return this.#byMessage.get(messageId) ?? [];
  }

  /** Yields the claims, those said last first. */
  newest(): Iterable<ClaimRow> {
    this.read(Infinity);
    return this.#byTime.fromLast();
  }

  /** Yields the claims, those with the best scores first. */
  best(): Iterable<ClaimRow> {
    this.read(Infinity);
    return this.#byScore.fromLast();
  }

  /** Yields the messages, those with the claims most worth telling first. */
  worthiest(): Iterable<ClaimingMessage> {
    this.read(Infinity);
    return this.#messagesByWorth.fromLast();
  }

  /** Returns the ids of a message with claims and of the ones with claims before and after it. */
  around(messageId: string): string[] {
    this.read(Infinity);
    const message = this.#messages.get(messageId);
    return message ? this.#messagesByTime.around(message).map((each) => each.messageId) : [];
  }

  #list(id: string, row: ClaimRow | undefined): void {
    const before = this.#listed.get(id);
    if (before) {
      const others = this.#byMessage.get(before.messageId)?.filter((other) => other.id !== id) ?? [];
      if (others.length > 0) this.#byMessage.set(before.messageId, others);
      else this.#byMessage.delete(before.messageId);
      this.#byTime.delete(before);
      this.#byScore.delete(before);
      this.#listed.delete(id);
    }
    if (!row) return;
    this.#listed.set(id, row);
    this.#byMessage.set(row.messageId, [...(this.#byMessage.get(row.messageId) ?? []), row]);
    if (row.isWeak === true) return;
    this.#byTime.add(row);
    this.#byScore.add(row);
  }

  #listMessage(messageId: string): void {
    const before = this.#messages.get(messageId);
    if (before) {
      this.#messagesByTime.delete(before);
      this.#messagesByWorth.delete(before);
      this.#messages.delete(messageId);
    }
    const rows = this.#byMessage.get(messageId)?.toSorted(byPlace) ?? [];
    if (rows.length > 0) this.#byMessage.set(messageId, rows);
    const listed = rows.filter(({ isWeak }) => isWeak !== true);
    if (listed.length === 0) return;
    const message = { messageId, saidAt: listed[0]?.saidAt ?? 0, worth: worthUnasked(listed) };
    this.#messages.set(messageId, message);
    this.#messagesByTime.add(message);
    this.#messagesByWorth.add(message);
  }
}

function byText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function byPlace(a: ClaimRow, b: ClaimRow): number {
  return a.start - b.start || byText(a.id, b.id);
}

function byTime(a: ClaimRow, b: ClaimRow): number {
  return a.saidAt - b.saidAt || byText(a.id, b.id);
}

function byScore(a: ClaimRow, b: ClaimRow): number {
  return a.score - b.score || byText(a.id, b.id);
}

function bySaying(a: ClaimingMessage, b: ClaimingMessage): number {
  return a.saidAt - b.saidAt || byText(a.messageId, b.messageId);
}

/** Compares messages by worth; of equal ones, the older is less. */
export function byWorth(a: ClaimingMessage, b: ClaimingMessage): number {
  return a.worth - b.worth || a.saidAt - b.saidAt || byText(b.messageId, a.messageId);
}
