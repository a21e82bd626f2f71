import { defined } from '../../model/defined.ts';
import { MnemoraError } from '../../model/error.ts';
import { saidAfter, sameMessage, timeSaid, type StoredMessage } from '../../model/message.ts';
import type { BackupRows } from '../codec/backup-rows.ts';
import type { MessageRecord, SessionRecord } from '../schema.ts';
import { inState, newSession, titleFrom } from '../transcript/append-plan.ts';

/** Result of merging one message of the file. */
export interface MessageDecision {
  /** Row to write, if any. */
  put?: MessageRecord;
  /** True if the message was not in the session before. */
  isNew: boolean;
  /** True if the session now has the message with the content of the file. */
  isHere: boolean;
}

/**
 * Merges one session of a file into the stored one, message by message, in the order of the file. Stored messages
 * stay. New messages keep their numbers; if the stored session has continued on its own, they come after its
 * messages, so that nothing gets between messages that a summary covers.
 */
export class SessionMerge {
  readonly row: BackupRows['sessions'];
  readonly present: SessionRecord | undefined;
  /** Stored messages that the file has not had so far. */
  readonly #known = new Map<string, MessageRecord>();
  /** Positions of turns that are taken. */
  readonly #takenTurns = new Set<number>();
  readonly #turns = new Map<string, number>();
  /** True if the message that gives the file's session its title was forgotten here. */
  #isTitleForgotten = false;
  /** Ids of turns that are replaced in the file, or by a turn that has ended in it, and not here. */
  readonly replaced: Set<string> = new Set();
  #nextSeq: number;
  #nextTurn: number;
  /** Time of the latest message that a new one comes after. */
  #latest: number;
  #isRenumbering = false;
  #messages = 0;
  #added = 0;
  /** Sequence number from which on the stored session and that of the file differ. */
  #divergesAt = Infinity;

  constructor(row: BackupRows['sessions'], present: SessionRecord | undefined) {
    this.row = row;
    this.present = present;
    this.#nextSeq = Math.max(row.nextSeq, present?.nextSeq ?? 0);
    this.#nextTurn = Math.max(row.nextTurn, present?.nextTurn ?? 0);
    this.#latest = present?.updatedAt ?? 0;
  }

  /** Takes over all stored messages. Call it before the first message of the file is added. */
  load(rows: readonly MessageRecord[]): void {
    for (const message of rows) {
      this.#known.set(message.id, message);
      this.#takenTurns.add(message.turn);
      this.#turns.set(message.turnId, message.turn);
    }
  }

  /** True if any message of the file was imported. */
  get hasNew(): boolean {
    return this.#added > 0;
  }

  /**
   * True if all messages of the file were forgotten here or belong to another session, so that the session must not
   * come back empty.
   */
  get isWithheld(): boolean {
    return !this.present && this.#messages > 0 && this.#added === 0;
  }

  /** Skips a message that was forgotten here, or that another session has. */
  withhold(message: StoredMessage): void {
    this.#messages += 1;
    this.#diverge(message.seq);
    this.#isTitleForgotten ||= message.id === this.row.titleFrom;
  }

  /** Merges a message. @throws MnemoraError `turn-conflict` if its turn belongs to another session */
  add(message: StoredMessage, turnOwner: string | undefined): MessageDecision {
    this.#messages += 1;
    const known = this.#known.get(message.id);
    if (known) return this.#meet(known, message);
    if (turnOwner !== undefined && turnOwner !== this.row.id) {
      throw new MnemoraError(
        'turn-conflict',
        `The turn "${message.turnId}" of the backup's session "${this.row.id}" is already stored in another session. Forget that session, or do not import this backup; nothing was changed.`,
      );
    }
    this.#isRenumbering ||= message.seq < (this.present?.nextSeq ?? 0);
    if (this.#isRenumbering) this.#diverge(message.seq);
    const seq = this.#isRenumbering ? this.#nextSeq++ : message.seq;
    this.#added += 1;
    const turn = this.#placeTurn(message);
    // Recomputed whatever the file says, because a number must not be used twice.
    this.#nextSeq = Math.max(this.#nextSeq, seq + 1);
    this.#nextTurn = Math.max(this.#nextTurn, turn + 1);
    const opened = message.state === 'pending' ? { openedBy: '' } : {}; // no opening of this database will end it
    const put = saidAfter(this.#latest, { ...message, scope: this.row.scope, seq, turn, ...opened });
    this.#latest = timeSaid(put);
    return { put, isNew: true, isHere: true };
  }

  /**
   * Returns whether the merged session equals the file's session up to a sequence number, so that a summary is still
   * right. Call it when the merge is finished.
   */
  isSameUpTo(seq: number): boolean {
    return !this.isWithheld && seq < this.#divergesAt;
  }

  /**
   * Returns the row of the merged session, or undefined if it does not change.
   *
   * @param count number of messages in the merged session
   * @param opening first user message of the merged session
   */
  finish(count: number, opening: MessageRecord | undefined): SessionRecord | undefined {
    const { row, present } = this;
    if (this.isWithheld) return undefined;
    for (const { seq } of this.#known.values()) this.#diverge(seq);
    this.#known.clear();
    const isSame = this.#nextSeq === present?.nextSeq && this.#nextTurn === present.nextTurn;
    if (isSame && this.#added === 0) return undefined;
    const counters = { nextSeq: this.#nextSeq, nextTurn: this.#nextTurn, messageCount: count };
    const ofFile = defined({ title: row.title, titleFrom: row.titleFrom });
    if (present) {
      const updatedAt = Math.max(present.updatedAt, this.#added > 0 ? row.updatedAt : 0);
      const title = present.title === '' && !this.#isTitleForgotten ? ofFile : {};
      return { ...present, ...title, ...counters, updatedAt };
    }
    // If the message that gave the title was forgotten, the title changes too.
    const title = this.#isTitleForgotten ? titleFrom(opening) : ofFile;
    const made = newSession(row.id, row.scope, row.createdAt);
    return { ...made, ...title, ...counters, updatedAt: row.updatedAt };
  }

  #meet(known: MessageRecord, message: StoredMessage): MessageDecision {
    this.#known.delete(message.id);
    if (known.seq !== message.seq) this.#diverge(Math.min(known.seq, message.seq));
    // What was derived from a turn before it was replaced here must not come back.
    const isReplaced = known.state === 'replaced' && message.state !== 'replaced';
    if (isReplaced || !sameMessage(known, message)) {
      this.#diverge(message.seq);
      return { isNew: false, isHere: false };
    }
    const isEnded = known.state === 'pending' && message.state !== 'pending';
    if (message.state === 'replaced' && known.state === 'complete') this.replaced.add(known.turnId);
    if (isEnded && message.state === 'complete')
      for (const turnId of known.replaces ?? []) this.replaced.add(turnId);
    return { ...(isEnded ? { put: inState(known, message.state) } : {}), isNew: false, isHere: true };
  }

  #placeTurn({ turnId, turn }: StoredMessage): number {
    const known = this.#turns.get(turnId);
    if (known !== undefined) return known;
    const isFree = !this.#isRenumbering && !this.#takenTurns.has(turn);
    const place = isFree ? turn : this.#nextTurn++;
    this.#turns.set(turnId, place);
    this.#takenTurns.add(place);
    return place;
  }

  #diverge(seq: number): void {
    this.#divergesAt = Math.min(this.#divergesAt, seq);
  }
}
