import type { StoredMessage } from '../../model/message.ts';
import { listNewest, loadTurn } from './message-rows.ts';
import { readBack, type SessionPages, type SessionReach } from './read-back.ts';
import type { SessionRecord, SummaryRecord } from '../schema.ts';
import type { StorageEngine } from '../storage-engine.ts';

/** How much of a session is to be read. */
export interface SessionQuery {
  /** Whose summary. */
  memoryId: string;
  /** How far back to read, given the summary that there is; undefined for no messages at all. */
  reach: (summary: SummaryRecord | undefined) => SessionReach | undefined;
  signal?: AbortSignal;
}

export interface SessionSnapshot {
  session: SessionRecord | undefined;
  /** Undefined where there is none yet, or where it had to be erased. */
  summary: SummaryRecord | undefined;
  /** How often messages of the session were erased. */
  erasures: number;
  /** Of whole turns that are complete, turn after turn, oldest first. */
  messages: StoredMessage[];
}

/**
 * What a request of a session is made from, of one state. Writes nothing; a session that was never written to has
 * neither row nor messages.
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
