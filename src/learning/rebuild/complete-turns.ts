import { yieldToEventLoop } from '../../model/event-loop.ts';
import type { StoredMessage } from '../../model/message.ts';
import type { SessionRecord } from '../../storage/schema.ts';
import type { LearningParts } from '../learning-parts.ts';

/** Number of messages read at once. */
const SLICE_MESSAGES = 256;

/** A complete turn, and its place among all turns. */
export interface CompleteTurn {
  readonly sessionId: string;
  readonly turnId: string;
  /** Sequence number and time of its last message. */
  readonly seq: number;
  readonly createdAt: number;
}

/**
 * Returns the complete turns of all sessions in the order in which they ended. Within a session, the clock does not decide
 * this.
 */
export async function completeTurns(parts: LearningParts, signal: AbortSignal): Promise<CompleteTurn[]> {
  const all: CompleteTurn[] = [];
  for (const { id: sessionId } of await sessionsByAge(parts)) {
    const turns = new Map<string, CompleteTurn>();
    for await (const { turnId, seq, createdAt, state } of messagesBackwards(parts, sessionId, signal))
      if (state === 'complete' && !turns.has(turnId))
        turns.set(turnId, { sessionId, turnId, seq, createdAt });
    let latest = -Infinity;
    for (const turn of [...turns.values()].toReversed()) {
      latest = Math.max(latest, turn.createdAt);
      all.push({ ...turn, createdAt: latest });
    }
  }
  const isOlder = (a: CompleteTurn, b: CompleteTurn): number =>
    a.createdAt - b.createdAt || (a.sessionId < b.sessionId ? -1 : Number(a.sessionId > b.sessionId));
  return all.toSorted((a, b) => isOlder(a, b) || a.seq - b.seq);
}

/** Returns the ids of the messages of turns. */
export async function messagesOf(
  parts: LearningParts,
  turnIds: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for (const { id: sessionId } of await sessionsByAge(parts))
    for await (const { id, turnId } of messagesBackwards(parts, sessionId, signal))
      if (turnIds.has(turnId)) ids.add(id);
  return ids;
}

/** Yields the messages of a session, the newest first, and reads them in slices. */
async function* messagesBackwards(
  { stores, settings }: LearningParts,
  sessionId: string,
  signal: AbortSignal,
): AsyncGenerator<StoredMessage, void> {
  const key: [string, string] = [settings.scope, sessionId];
  for (let beforeSeq: number | undefined = Infinity; beforeSeq !== undefined;) {
    const before = beforeSeq === Infinity ? {} : { beforeSeq };
    const rows = await stores.transcript.listMessages(key, { ...before, last: SLICE_MESSAGES, signal });
    const page = rows.toSorted((a, b) => b.seq - a.seq);
    yield* page;
    beforeSeq = page[SLICE_MESSAGES - 1]?.seq;
    await yieldToEventLoop();
  }
}

/** Lists the sessions of the memory's scope, the oldest first. */
export async function sessionsByAge({ stores, settings }: LearningParts): Promise<SessionRecord[]> {
  const sessions = await stores.transcript.listSessions(settings.scope);
  return sessions.toSorted((a, b) => a.createdAt - b.createdAt);
}
