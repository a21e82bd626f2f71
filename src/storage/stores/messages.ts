import {
  isUnspoken,
  parseMessage,
  sameMessage,
  type ChatMessage,
  type CountedMessage,
  type TurnState,
} from '../../model/message.ts';
import type { BackupRows, StoreRules } from '../codec/backup-rows.ts';
import { requireField } from '../codec/damaged.ts';
import { decodePlain, encodePlain } from '../codec/plain-value.ts';
import { RowFields, validCounts } from '../codec/row-fields.ts';
import { bySession } from '../erasure.ts';
import { entityTombstoneRange, getEach, groupedBy } from '../rows.ts';
import type { MessageRecord } from '../schema.ts';
import { DEFAULT_SCOPE } from '../../model/scope.ts';

export const messages: StoreRules<'messages'> = {
  erase: async (_transaction, erasure) => [
    {
      deletes: {
        messages: erasure.messages.map(({ scope, sessionId, seq }) => [scope, sessionId, seq]),
        tombstones: erasure.messages.map(({ id }) => entityTombstoneRange(id)),
      },
      tombstones: [...erasure.ids],
      changes: Array.from(
        groupedBy(erasure.messages, (row) => row.scope),
        ([scope, rows]) => ({
          kind: 'removed',
          scope,
          ids: rows.map((row) => row.id),
        }),
      ),
      counts: {
        messages: erasure.ids.size,
        turns: new Set(erasure.messages.map((row) => JSON.stringify([row.scope, row.turnId]))).size,
      },
    },
  ],
  refersTo: ({ sessionId }) => ({ sessionId }),
  *problems({ id }, contents) {
    if (contents.tombstones.has(id)) yield 'it was forgotten, but is still stored';
  },
  backup: {
    keyOf: ({ scope, sessionId, seq }) => [scope, sessionId, seq],
    read: checkMessage,
    check(message, contents) {
      const { id, scope, sessionId, turn, turnId } = message;
      requireField(contents.scopeOf(id) === undefined, 'id', 'is taken by another message');
      requireField(!contents.tombstones.has(id), 'id', 'belongs to a message that was forgotten');
      const place = JSON.stringify([sessionId, turn]);
      const isSame = contents.first(['place', scope, turnId], place) === place;
      requireField(isSame, 'turnId', 'belongs to another turn');
      const isFree = contents.first(['turn', scope, sessionId, turn], turnId) === turnId;
      requireField(isFree, 'turn', 'belongs to another turn');
      contents.addMessage(message);
    },
    foreign: (message) =>
      message.role === 'system' || isUnspoken(message) ? message : { ...message, origin: 'import' },
    write(message, contents) {
      if (!contents.session(message.scope, message.sessionId) || contents.tombstones.has(message.id))
        return undefined;
      contents.addMessage(message);
      const { scope, openedBy: _openedBy, isAbandoned: _isAbandoned, ...rest } = message;
      return contents.scoped(scope, {
        ...rest,
        ...encodeParts(message),
        metadata: message.metadata && encodePlain(message.metadata),
      });
    },
  },
};

export const chatMemories: StoreRules<'chatMemories'> = {
  /**
   * The list of a chat memory belongs to the session of the default scope with its id. It loses its erased messages, and
   * is emptied with the session.
   */
  async erase(transaction, erasure) {
    const erased = new Map<string, readonly MessageRecord[] | 'all'>();
    for (const { key, rows } of bySession(erasure)) if (key[0] === DEFAULT_SCOPE) erased.set(key[1], rows);
    for (const [scope, id] of erasure.sessions) if (scope === DEFAULT_SCOPE) erased.set(id, 'all');
    const lists = await getEach(transaction.objectStore('chatMemories'), erased.keys());
    const changed = lists.flatMap((list) => {
      const rows = erased.get(list.id) ?? [];
      const left =
        rows === 'all'
          ? []
          : list.messages.filter((message) => !rows.some((row) => sameMessage(row, message)));
      // Kept when it is empty, so that no older backup restores it.
      return left.length < list.messages.length ? [{ ...list, messages: left }] : [];
    });
    return [{ puts: { chatMemories: changed } }];
  },
  backup: {
    keyOf: ({ id }) => [id],
    read: checkChatMemory,
    check(_list, { scope }) {
      const isAllowed = scope === undefined;
      requireField(isAllowed, 'id', 'names a list of a chat memory, which a file of one scope cannot hold');
    },
    write: ({ id, messages: list }, { scope }) =>
      scope === undefined
        ? { id, messages: list.map((message) => ({ ...message, ...encodeParts(message) })) }
        : undefined,
  },
};

const STATES: readonly TurnState[] = ['pending', 'complete', 'failed', 'cancelled', 'replaced'];
/** Fields of a message in the wire shape. */
const WIRE_FIELDS = ['role', 'content', 'name', 'tool_calls', 'tool_call_id', 'origin'];
const STORED_FIELDS = {
  id: 'id',
  scope: 'scope',
  sessionId: 'id',
  turnId: 'id',
  seq: 'count',
  turn: 'count',
  createdAt: 'time',
  saidAt: 'time?',
  replaces: 'ids?',
  tokens: 'counts?',
  metadata: 'metadata?',
} as const;

function checkMessage(row: unknown, fileScope: string | undefined): BackupRows['messages'] {
  const names = [...WIRE_FIELDS, ...Object.keys(STORED_FIELDS), 'state'];
  const fields = new RowFields(row, names, { fileScope });
  return { ...checkWire(fields), ...fields.all(STORED_FIELDS), state: fields.word('state', STATES) };
}

function checkChatMemory(row: unknown): BackupRows['chatMemories'] {
  const fields = new RowFields(row, ['id', 'messages']);
  const list = fields.list('messages').map((message, index): CountedMessage => {
    const given = new RowFields(message, [...WIRE_FIELDS, 'tokens'], { what: `message ${index}` });
    return { ...checkWire(given), ...given.all({ tokens: 'counts?' }) };
  });
  return { id: fields.id('id'), messages: list };
}

/** Checks and returns a message of a backup. @throws MnemoraError */
function checkWire(fields: RowFields): ChatMessage {
  const given = fields.rawFields(WIRE_FIELDS);
  return parseMessage('content' in given ? { ...given, content: decodePlain(given['content']) } : given);
}

/** Returns the token counts of a message in the form of a backup, and its content if that is more than text. */
function encodeParts({ content, tokens }: CountedMessage): object {
  return {
    ...(Array.isArray(content) ? { content: encodePlain(content) } : {}),
    ...(tokens ? { tokens: validCounts(tokens) } : {}),
  };
}
