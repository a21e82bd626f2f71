import { checkAttributes, checkName, checkTripleRecord } from '../graph/check-triple.ts';
import { nameKey } from '../graph/entity-name.ts';
import type { TripleRecord } from '../graph/triple.ts';
import { MnemoraError } from '../model/error.ts';
import { parseMessage, type ChatMessage, type CountedMessage, type TurnState } from '../model/message.ts';
import type { EntityMention } from '../storage/schema.ts';
import type { BackupEntry, BackupRows, BackupStore } from './backup-format.ts';
import { decodePlain } from './plain-value.ts';
import { RowFields } from './row-fields.ts';
import { vectorFromText } from './vector-text.ts';

/** A record of a file, checked field by field. @throws MnemoraError of any code, which says what is wrong with it */
export function checkRow(store: BackupStore, row: unknown, line: number): BackupEntry {
  return { store, row: CHECKS[store](row), line } as BackupEntry;
}

const CHECKS: { readonly [Store in BackupStore]: (row: unknown) => BackupRows[Store] } = {
  tombstones: (row) => ({ key: new RowFields(row, ['key']).id('key') }),
  sessions: checkSession,
  messages: checkMessage,
  summaries: checkSummary,
  chatMemories: checkChatMemory,
  documents: checkDocument,
  triples: checkFact,
  entities: checkEntity,
  vectors: checkVector,
  jobs: checkJob,
};

const STATES: readonly TurnState[] = ['pending', 'complete', 'failed', 'cancelled'];
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
const WIRE_FIELDS = ['role', 'content', 'name', 'tool_calls', 'tool_call_id'] as const;

const TRIPLE_FIELDS = [
  'id',
  'seq',
  'subject',
  'predicate',
  'object',
  'validFrom',
  'validTo',
  'recordedAt',
  'retraction',
  'supersedes',
  'source',
  'sources',
  'attributes',
] as const satisfies readonly (keyof TripleRecord)[];

function checkSession(row: unknown): BackupRows['sessions'] {
  const names = ['id', 'scope', 'title', 'titleFrom', 'createdAt', 'updatedAt', 'nextSeq', 'nextTurn'];
  const fields = new RowFields(row, names);
  return {
    id: fields.id('id'),
    scope: fields.id('scope'),
    title: fields.text('title'),
    ...fields.optional('titleFrom', (name) => fields.id(name)),
    createdAt: fields.time('createdAt'),
    updatedAt: fields.time('updatedAt'),
    nextSeq: fields.count('nextSeq'),
    nextTurn: fields.count('nextTurn'),
  };
}

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

function checkWire(fields: RowFields): ChatMessage {
  const present = WIRE_FIELDS.filter((name) => fields.has(name));
  return parseMessage(
    Object.fromEntries(
      present.map((name) => [name, name === 'content' ? decodePlain(fields.raw(name)) : fields.raw(name)]),
    ),
  );
}

function checkMetadata(fields: RowFields, name: string): Record<string, unknown> {
  const value = decodePlain(fields.raw(name));
  const isObject =
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
  if (!isObject) throw new MnemoraError('backup-invalid', `the field "${name}" must be an object`);
  return value as Record<string, unknown>;
}

function checkSummary(row: unknown): BackupRows['summaries'] {
  const names = ['sessionId', 'memoryId', 'text', 'coversSeq', 'updatedAt', 'tokens', 'queue'];
  const fields = new RowFields(row, names);
  return {
    sessionId: fields.id('sessionId'),
    memoryId: fields.id('memoryId'),
    text: fields.text('text'),
    coversSeq: fields.count('coversSeq'),
    updatedAt: fields.time('updatedAt'),
    ...fields.optional('tokens', (name) => fields.counts(name)),
    ...fields.optional('queue', (name) => fields.id(name)),
  };
}

function checkChatMemory(row: unknown): BackupRows['chatMemories'] {
  const fields = new RowFields(row, ['id', 'messages']);
  const messages = fields.list('messages').map((message, index): CountedMessage => {
    const given = new RowFields(message, [...WIRE_FIELDS, 'tokens'], `message ${index}`);
    return { ...checkWire(given), ...given.optional('tokens', (name) => given.counts(name)) };
  });
  return { id: fields.id('id'), messages };
}

function checkDocument(row: unknown): BackupRows['documents'] {
  const names = ['id', 'collection', 'sessionId', 'text', 'createdAt', 'metadata', 'embedding'];
  const fields = new RowFields(row, names);
  return {
    id: fields.id('id'),
    collection: fields.id('collection'),
    // The first databases have documents without one.
    ...(fields.optional('sessionId', (name) => fields.id(name)) as { sessionId: string }),
    text: fields.text('text'),
    createdAt: fields.time('createdAt'),
    ...fields.optional('metadata', (name) => checkMetadata(fields, name)),
    ...fields.optional('embedding', (name) => {
      const embedding = new RowFields(fields.raw(name), ['embedder', 'vector'], 'embedding');
      return { embedder: embedding.id('embedder'), vector: vectorFromText(embedding.text('vector')) };
    }),
  };
}

function checkFact(row: unknown): BackupRows['triples'] {
  const fields = new RowFields(row, [...TRIPLE_FIELDS, 'scope', 'subjectKey', 'objectKey', 'isPinned']);
  const given = TRIPLE_FIELDS.filter((name) => fields.has(name));
  const triple = checkTripleRecord(Object.fromEntries(given.map((name) => [name, fields.raw(name)])));
  fields.count('seq'); // above this the next ones could not be told apart
  return {
    ...triple,
    scope: fields.id('scope'),
    subjectKey: checkKey(fields, 'subjectKey'),
    objectKey: checkKey(fields, 'objectKey'),
    ...fields.optional('isPinned', (name) => fields.flag(name)),
  };
}

function checkEntity(row: unknown): BackupRows['entities'] {
  const fields = new RowFields(row, ['scope', 'key', 'id', 'name', 'attributes', 'isStandalone', 'mentions']);
  return {
    scope: fields.id('scope'),
    key: checkKey(fields, 'key'),
    id: fields.id('id'),
    name: checkName(fields.raw('name'), 'the field "name"'),
    attributes: checkAttributes(fields.raw('attributes')),
    isStandalone: fields.flag('isStandalone'),
    mentions: fields.list('mentions').map((mention, index): EntityMention => {
      const names = ['messageIds', 'note', 'aliases', 'recordedAt'];
      const given = new RowFields(mention, names, `mention ${index}`);
      return {
        messageIds: given.ids('messageIds'),
        note: given.text('note'),
        aliases: given.list('aliases').map((alias) => checkName(alias, `an alias in mention ${index}`)),
        recordedAt: given.time('recordedAt'),
      };
    }),
  };
}

/** Under a key that no name has, an entity could never be found. */
function checkKey(fields: RowFields, name: string): string {
  const key = fields.id(name);
  if (nameKey(key) === key) return key;
  throw new MnemoraError('backup-invalid', `the field "${name}" must be the key of a name`);
}

function checkVector(row: unknown): BackupRows['vectors'] {
  const fields = new RowFields(row, ['embedder', 'scope', 'id', 'vector']);
  return {
    embedder: fields.id('embedder'),
    scope: fields.id('scope'),
    id: fields.id('id'),
    vector: vectorFromText(fields.text('vector')),
  };
}

function checkJob(row: unknown): BackupRows['jobs'] {
  const fields = new RowFields(row, ['queue', 'sessionId', 'turnIds', 'createdAt']);
  return {
    queue: fields.id('queue'),
    sessionId: fields.id('sessionId'),
    turnIds: fields.ids('turnIds'),
    createdAt: fields.time('createdAt'),
  };
}
