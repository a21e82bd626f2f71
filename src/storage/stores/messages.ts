import type { TurnState } from '../../model/message.ts';
import { checkMetadata, checkWire, encodeContent, WIRE_FIELDS } from '../codec/backup-messages.ts';
import type { BackupRows } from '../codec/backup-rows.ts';
import { encodePlain } from '../codec/plain-value.ts';
import { RowFields } from '../codec/row-fields.ts';
import { entityTombstoneRange } from '../tombstones-of.ts';
import { byScope } from '../erasure.ts';
import type { StoreRules } from './rules.ts';

export const messages: StoreRules<'messages'> = {
  erase: async (_transaction, erasure) => ({
    deletes: erasure.messages.flatMap(({ sessionId, seq, id }) => [
      { store: 'messages', key: [sessionId, seq] },
      { store: 'tombstones', key: entityTombstoneRange(id) },
    ]),
    puts: erasure.messages.map(({ id }) => ({ store: 'tombstones', row: true, key: id })),
    changes: Array.from(byScope(erasure), ([scope, rows]) => ({
      kind: 'removed',
      scope,
      ids: rows.map((row) => row.id),
    })),
    counts: {
      messages: erasure.ids.size,
      turns: new Set(erasure.messages.map((row) => row.turnId)).size,
    },
  }),
  backup: {
    keyOf: ({ sessionId, seq }) => [sessionId, seq],
    read: checkMessage,
    write(message, contents) {
      const isThere = contents.session(message.sessionId)?.scope === message.scope;
      if (!isThere || contents.isForgotten(message.id)) return undefined;
      contents.addMessage(message);
      const { scope: _scope, openedBy: _openedBy, isAbandoned: _isAbandoned, ...rest } = message;
      return {
        ...rest,
        ...encodeContent(message),
        ...(message.metadata === undefined ? {} : { metadata: encodePlain(message.metadata) }),
      };
    },
  },
};

const STATES: readonly TurnState[] = ['pending', 'complete', 'failed', 'cancelled', 'replaced'];
const STORED_FIELDS = [
  'id',
  'sessionId',
  'turnId',
  'seq',
  'turn',
  'createdAt',
  'state',
  'tokens',
  'metadata',
] as const;

function checkMessage(row: unknown): BackupRows['messages'] {
  const fields = new RowFields(row, [...STORED_FIELDS, ...WIRE_FIELDS]);
  return {
    ...checkWire(fields),
    id: fields.id('id'),
    sessionId: fields.id('sessionId'),
    turnId: fields.id('turnId'),
    seq: fields.count('seq'),
    turn: fields.count('turn'),
    createdAt: fields.time('createdAt'),
    state: fields.word('state', STATES),
    ...fields.optional('tokens', (name) => fields.counts(name)),
    ...fields.optional('metadata', (name) => checkMetadata(fields, name)),
  };
}
