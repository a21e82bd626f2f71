import type { StoredMessage } from '../../model/message.ts';
import { listNewest, loadTurn } from './message-rows.ts';
import { readBack, type SessionPages, type SessionReach } from './read-back.ts';
import type { SessionRecord, SummaryRecord } from '../schema.ts';
import type { StorageEngine } from '../storage-engine.ts';

/** The part of a session to read. */
export interface SessionQuery {
  /** Id of the memory whose summary is read. */
  memoryId: string;
  /** Returns how far back to read for the given summary, or undefined to read no messages. */
  reach: (summary: SummaryRecord | undefined) => SessionReach | undefined;
  signal?: AbortSignal;
}

export interface SessionSnapshot {
  session: SessionRecord | undefined;
  /** Undefined if there is no summary, or if it was erased. */
  summary: SummaryRecord | undefined;
  /** Number of times that messages of the session were erased. */
  erasures: number;
  /** Messages of whole complete turns, turn by turn, oldest first. */
  messages: StoredMessage[];
}

/**
 * Reads everything that a request for a session is made from, in one transaction. Writes nothing. A session that was
 * never written to has neither row nor messages.
 */
export function readSession(
  engine: StorageEngine,
  sessionId: string,
  { memoryId, reach, signal }: SessionQuery,
): Promise<SessionSnapshot> {
  return engine.read(
    ['sessions', 'summaries', 'messages'],
    async (transaction) => {
      const [session, summary] = await Promise.all([
        transaction.objectStore('sessions').get(sessionId),
        transaction.objectStore('summaries').get([sessionId, memoryId]),
      ]);
      const back = reach(summary);
      const pages: SessionPages = {
        page: (afterSeq, beforeSeq, last) =>
          listNewest(transaction, sessionId, { afterSeq, beforeSeq, last }),
        turn: (turnId) => loadTurn(transaction, turnId),
      };
      const messages = back ? await readBack(pages, back) : [];
      return { session, summary, erasures: session?.erasures ?? 0, messages };
    },
    signal,
  );
}
