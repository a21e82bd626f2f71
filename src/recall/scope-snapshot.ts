import { MnemoraError } from '../model/error.ts';
import type { ConversationSnapshot } from '../search/conversation-index.ts';
import { packStrings, unpackStrings } from '../search/packed-strings.ts';
import type { ChangeCursor } from '../storage/transcript-store.ts';
import type { IndexedMessage } from './scope-index.ts';

/** What a scope's index knew at a cursor, vectors apart: a cold open restores it and replays what came after. */
export interface ScopeSnapshot {
  readonly version: typeof SNAPSHOT_VERSION;
  readonly cursor: ChangeCursor;
  readonly conversations: ConversationSnapshot;
  readonly messages: MessageColumns;
}

/** Where the messages stand, column by column, in the order of the ids of the conversations' keyword index. */
export interface MessageColumns {
  /** Packed by `packStrings`. */
  readonly turnIds: Uint8Array;
  /** Of each message: its turn, as a position in `turnIds`. */
  readonly turns: Uint32Array;
  /** Milliseconds since 1970. */
  readonly createdAt: Float64Array;
  /** Packed by `packStrings`; the first, an empty name, stands for none. */
  readonly names: Uint8Array;
  /** Of each message: who said it, as a position in `names`. */
  readonly speakers: Uint32Array;
}

export const SNAPSHOT_VERSION = 1;

/** The columns of some messages, in their order. */
export function toColumns(messages: readonly IndexedMessage[]): MessageColumns {
  const turnIds = new Map<string, number>();
  const names = new Map<string, number>([['', 0]]);
  const turns = Uint32Array.from(messages, ({ turnId }) => positionOf(turnId, turnIds));
  const speakers = Uint32Array.from(messages, ({ speaker = '' }) => positionOf(speaker, names));
  return {
    turnIds: packStrings([...turnIds.keys()]),
    turns,
    createdAt: Float64Array.from(messages, ({ createdAt }) => createdAt),
    names: packStrings([...names.keys()]),
    speakers,
  };
}

/**
 * The messages of a snapshot.
 *
 * @throws MnemoraError `invalid-input` where the snapshot has another version or is damaged: read everything anew
 */
export function readMessages({ version, conversations, messages }: ScopeSnapshot): IndexedMessage[] {
  const ids = unpackStrings(conversations.keywords.ids);
  const sessionIds = unpackStrings(conversations.sessionIds);
  const turnIds = unpackStrings(messages.turnIds);
  const names = unpackStrings(messages.names);
  const { turns, createdAt, speakers } = messages;
  if (version !== SNAPSHOT_VERSION || !ids || !sessionIds || !turnIds || !names) throw damaged();
  if ([turns, createdAt, speakers].some((column) => column.length !== ids.length)) throw damaged();
  return ids.map((id, row) => {
    const sessionId = sessionIds[conversations.sessions[row] ?? -1];
    const turnId = turnIds[turns[row] ?? -1];
    const speaker = names[speakers[row] ?? -1];
    const time = createdAt[row];
    if (sessionId === undefined || turnId === undefined || speaker === undefined || time === undefined) {
      throw damaged();
    }
    return { id, sessionId, turnId, createdAt: time, ...(speaker === '' ? {} : { speaker }) };
  });
}

function positionOf(text: string, positions: Map<string, number>): number {
  const known = positions.get(text) ?? positions.size;
  positions.set(text, known);
  return known;
}

function damaged(): MnemoraError {
  return new MnemoraError(
    'invalid-input',
    'A snapshot of the search index cannot be used: it is damaged, or of another version. Read everything anew.',
  );
}
