import { requireTime, type Clock } from '../../model/clock.ts';
import { MnemoraError } from '../../model/error.ts';
import { newId } from '../../model/id.ts';
import {
  messageText,
  saidAfter,
  sameMessage,
  type CountedMessage,
  type TurnState,
} from '../../model/message.ts';
import { DEFAULT_SCOPE } from '../../model/scope.ts';
import type { NewJob } from '../jobs/job-plan.ts';
import type { Change, MessageRecord, SessionRecord } from '../schema.ts';

/** Messages to append to a session. */
export interface AppendInput {
  sessionId: string;
  /** Scope of the session. @default `DEFAULT_SCOPE` */
  scope?: string;
  messages: readonly CountedMessage[];
  /**
   * Stores the messages as one turn with this id. Without it, each user message opens a turn, and messages before the
   * first user message continue the last turn.
   */
  turnId?: string;
  /** Refuses a turn that is not stored yet, or no longer, such as one that was forgotten while it was being answered. */
  continues?: boolean;
  state: TurnState;
  /**
   * Time of the turn, or a clock. A clock is read when all turns before this one are stored, so that the times have the
   * order of the turns, whichever tabs wrote them.
   */
  createdAt: number | Clock;
  metadata?: Readonly<Record<string, unknown>>;
  /** Id of the database opening that is to end the turn, if it is pending. @default the opening of the store */
  openedBy?: string;
  /** Ids of the turns of the session that this one replaces once it is complete: see `replace-turn.ts`. */
  replaces?: readonly string[];
  /** Jobs to queue for the turns in the same transaction, if they are complete and were not stored before. */
  jobs?: readonly NewJob[];
}

/** An append whose time is known. */
export type TimedAppend = AppendInput & { createdAt: number };

/** A turn that has begun and not ended. */
export interface PendingTurn {
  turnId: string;
  /** Id of the database opening that is to end it; undefined if none is, and in memory. */
  openedBy: string | undefined;
  createdAt: number;
}

/** Stored rows that affect an append. */
export interface AppendContext {
  session: SessionRecord | undefined;
  /** Newest message of the session. */
  last: MessageRecord | undefined;
  /** Messages stored under the turn id of the input, in order. */
  sameTurn: readonly MessageRecord[];
}

export interface AppendPlan {
  session: SessionRecord;
  /** Rows to write: new messages, and those of a pending turn that ends. */
  messages: MessageRecord[];
  /** All messages of the last turn written to, after the append. */
  turn: readonly MessageRecord[];
  /** True if the same complete turn was already stored, so that there is nothing to write. */
  duplicate: boolean;
}

/**
 * Decides what an append writes. Pure, so that every store appends in the same way.
 *
 * @throws MnemoraError `turn-conflict` if the turn id belongs to other content, `not-found` if the turn to continue is not
 *   stored, `invalid-input` if the time is not a valid time
 */
export function planAppend(input: TimedAppend, stored: AppendContext): AppendPlan {
  requireTime(input.createdAt, 'The time of a turn');
  const session =
    stored.session ?? newSession(input.sessionId, input.scope ?? DEFAULT_SCOPE, input.createdAt);
  const { turnId } = input;
  if (turnId === undefined) return append(input, session, groupWithoutId(input, session, stored.last));
  if (stored.sameTurn.length > 0) return endOrRepeat(input, session, stored.sameTurn);
  if (input.continues) throw new MnemoraError('not-found', 'The turn was forgotten.');
  const turn = session.nextTurn;
  return append(
    input,
    session,
    input.messages.map((message) => ({ message, turnId, turn })),
  );
}

export function newSession(id: string, scope: string, createdAt: number): SessionRecord {
  return {
    id,
    scope,
    title: '',
    createdAt,
    updatedAt: createdAt,
    nextSeq: 0,
    nextTurn: 0,
    messageCount: 0,
  };
}

/** Returns the ids of the pending turns among these messages for which `isMeant` is true. */
export function pendingTurns(
  messages: readonly MessageRecord[],
  isMeant: (turn: PendingTurn) => boolean,
): ReadonlySet<string> {
  const pending = messages.filter((message) => message.state === 'pending');
  const meant = pending.filter(({ turnId, openedBy, createdAt }) =>
    isMeant({ turnId, openedBy: openedBy || undefined, createdAt }),
  );
  return new Set(meant.map((message) => message.turnId));
}

/** Returns the message as part of a turn that nobody will end. */
export function abandoned(message: MessageRecord): MessageRecord {
  return { ...inState(message, 'failed'), isAbandoned: true };
}

/** Returns the message with another turn state. */
export function inState(message: MessageRecord, state: TurnState): MessageRecord {
  const { openedBy, isAbandoned: _isAbandoned, replaces, ...rest } = message;
  const hasReplaced = state === 'complete' || state === 'replaced';
  return {
    ...rest,
    state,
    ...(state === 'pending' && openedBy !== undefined ? { openedBy } : {}),
    ...(!hasReplaced && replaces !== undefined ? { replaces } : {}),
  };
}

interface Placed {
  message: CountedMessage;
  turnId: string;
  turn: number;
}

function groupWithoutId(
  input: AppendInput,
  session: SessionRecord,
  last: MessageRecord | undefined,
): Placed[] {
  let current =
    last?.state === 'complete' && input.state === 'complete'
      ? { turnId: last.turnId, turn: last.turn }
      : undefined;
  let nextTurn = session.nextTurn;
  return input.messages.map((message) => {
    if (!current || message.role === 'user') current = { turnId: newId(), turn: nextTurn++ };
    return { message, ...current };
  });
}

function endOrRepeat(
  input: TimedAppend,
  session: SessionRecord,
  stored: readonly MessageRecord[],
): AppendPlan {
  const first = stored[0] as MessageRecord;
  const given = input.messages;
  const alike = stored.filter((message, index) => given[index] && sameMessage(message, given[index])).length;
  if (first.sessionId !== input.sessionId) throw conflict(input);
  if (first.state !== 'pending' && !first.isAbandoned) {
    if (alike < stored.length || stored.length !== given.length || first.state !== input.state)
      throw conflict(input);
    return { session, messages: [], turn: stored, duplicate: true };
  }
  // Either the whole turn again or only its new messages: part of each would store messages twice.
  if (alike > 0 && alike < stored.length) throw conflict(input);
  const rest = given.slice(alike);
  const placed = rest.map((message) => ({ message, turnId: first.turnId, turn: first.turn }));
  return append(
    input,
    session,
    placed,
    stored.map((message) => inState(message, input.state)),
  );
}

function append(
  input: TimedAppend,
  session: SessionRecord,
  placed: readonly Placed[],
  known: readonly MessageRecord[] = [],
): AppendPlan {
  const added = placed.map(({ message, turnId, turn }, index) =>
    saidAfter<MessageRecord>(session.updatedAt, {
      ...message,
      id: newId(),
      sessionId: session.id,
      scope: session.scope,
      turnId,
      seq: session.nextSeq + index,
      turn,
      createdAt: input.createdAt,
      state: input.state,
      ...(input.state === 'pending' && input.openedBy !== undefined ? { openedBy: input.openedBy } : {}),
      ...(input.metadata ? { metadata: input.metadata } : {}),
    }),
  );
  const newest = added.at(-1) ?? known.at(-1);
  const messages = [...known, ...added];
  return {
    session: {
      ...session,
      ...(session.title ? {} : titleFrom(added.find(({ role }) => role === 'user'))),
      updatedAt: Math.max(session.updatedAt, input.createdAt),
      nextSeq: session.nextSeq + added.length,
      nextTurn: Math.max(session.nextTurn, ...added.map((message) => message.turn + 1)),
      messageCount: session.messageCount + added.length,
    },
    messages,
    turn: messages.filter((message) => message.turnId === newest?.turnId),
    duplicate: false,
  };
}

/** Returns the log entry for messages of a session that were written. */
export function turnChange(
  { id, scope }: Pick<SessionRecord, 'id' | 'scope'>,
  rows: readonly MessageRecord[],
): Change {
  const seqs = rows.map((row) => row.seq);
  return { kind: 'turn', scope, sessionId: id, fromSeq: Math.min(...seqs), toSeq: Math.max(...seqs) };
}

/** Number of UTF-16 units of a message that its session's title is made from. */
const TITLE_SOURCE_CHARACTERS = 400;

/** Returns the part of a message that its session's title is made from. */
export function titleSource(message: MessageRecord): string {
  return messageText(message).slice(0, TITLE_SOURCE_CHARACTERS);
}

/**
 * Returns the row of a session after part of it was erased, so that no result that a model is deriving from it is
 * stored.
 */
export function erasedSession(session: SessionRecord): SessionRecord {
  return { ...session, erasures: (session.erasures ?? 0) + 1 };
}

/** Returns the row of a session with the title that a message gives it, or without one. */
export function retitled(session: SessionRecord, opening: MessageRecord | undefined): SessionRecord {
  const { titleFrom: _titleFrom, ...rest } = session;
  return { ...rest, ...titleFrom(opening) };
}

/** Returns the first words of a message, as a title for lists of sessions. Without a message there is no title. */
export function titleFrom(opening: MessageRecord | undefined): Pick<SessionRecord, 'title' | 'titleFrom'> {
  if (!opening) return { title: '' };
  const text = titleSource(opening).replaceAll(/\s+/g, ' ').trim();
  return { title: text.length <= 60 ? text : `${text.slice(0, 59).toWellFormed()}…`, titleFrom: opening.id };
}

function conflict(input: AppendInput): MnemoraError {
  return new MnemoraError(
    'turn-conflict',
    `The turn "${input.turnId}" is already stored with different content. Use another id. Nothing was changed.`,
  );
}
