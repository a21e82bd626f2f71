import { checkAttributes, checkName, checkTripleRecord } from '../../graph/check-triple.ts';
import type { TripleRecord } from '../../graph/triple.ts';
import type { BackupRows, StoreRules } from '../codec/backup-rows.ts';
import { RowFields } from '../codec/row-fields.ts';
import { entityWithoutMessages, factWithoutMessages } from '../facts-and-entities.ts';
import { knowledgeChange } from '../change-log.ts';
import { planKnowledgeErasure } from '../forgetting/knowledge-erasure.ts';
import type { Plan } from '../plan.ts';
import { getAllOf, groupedBy, uniqueBy } from '../rows.ts';
import type { EntityMention, StatementRow } from '../schema.ts';
import type { Transaction } from '../storage-engine.ts';

export const triples: StoreRules<'triples'> = {
  erase: planKnowledgeErasure,
  backup: {
    keyOf: ({ id }) => [id],
    read: checkFact,
    /** Leaves out facts about entities, or derived only from messages, that are not in the file. */
    write(fact, contents) {
      const { scope, subjectKey, objectKey } = fact;
      const areThere = contents.hasEntity(scope, subjectKey) && contents.hasEntity(scope, objectKey);
      const isWanted = contents.isWanted(scope) && areThere;
      const left = isWanted && factWithoutMessages(fact, contents.missing(fact));
      if (!left) return undefined;
      const { messageIds: _ids, ...rest } = left;
      return rest;
    },
  },
};

/** Entities are erased together with their facts. */
export const entities: StoreRules<'entities'> = {
  backup: {
    keyOf: ({ scope, key }) => [scope, key],
    read: checkEntity,
    write(entity, contents) {
      if (!contents.isWanted(entity.scope)) return undefined;
      const { messageIds: _ids, ...rest } = entityWithoutMessages(entity, contents.missing(entity));
      return rest;
    },
  },
};

/** Statements are derived from messages, and rebuilt if missing, so a backup has none. */
export const statements: StoreRules<'statements'> = {
  /** A statement is erased with its message, in every scope, because a memory may learn under another one. */
  async erase(transaction, { ids, wholeScopes }) {
    const store = transaction.objectStore('statements');
    const found = await Promise.all([
      getAllOf(store.index('scope'), wholeScopes),
      getAllOf(store.index('messageId'), ids),
    ]);
    const rows = uniqueBy(found.flat(), (row) => row.id);
    return [await planWithoutStatements(transaction, rows)];
  },
  refersTo: ({ scope, messageId }) => ({ scope, messageIds: [messageId] }),
};

/** Plans the removal of statements. Statements that they had ended count again. */
export async function planWithoutStatements(
  transaction: Transaction,
  selected: readonly StatementRow[],
): Promise<Plan> {
  const scopes = new Set(selected.map((row) => row.scope));
  const gone = new Set(selected.map((row) => row.id));
  const others = await getAllOf(transaction.objectStore('statements').index('scope'), scopes);
  const freed = others.filter(({ id, endedBy = '' }) => gone.has(endedBy) && !gone.has(id));
  return {
    deletes: { statements: [...gone], packedKnowledge: [...scopes] },
    puts: { statements: freed.map(({ endedBy: _endedBy, ...row }) => row) },
    changes: Array.from(
      groupedBy([...selected, ...freed], (row) => row.scope),
      ([scope, rows]) => knowledgeChange(scope, { statements: rows.map(({ id }) => id) }, true),
    ),
  };
}

const TRIPLE_FIELDS = [
  ...['id', 'seq', 'subject', 'predicate', 'object', 'validFrom', 'validTo', 'recordedAt', 'retraction'],
  ...['supersedes', 'source', 'sources', 'attributes'],
] as const satisfies readonly (keyof TripleRecord)[];

function checkFact(row: unknown): BackupRows['triples'] {
  const fields = new RowFields(row, [...TRIPLE_FIELDS, 'scope', 'subjectKey', 'objectKey', 'isPinned']);
  const triple = checkTripleRecord(fields.rawFields(TRIPLE_FIELDS));
  fields.count('seq'); // beyond this limit the next numbers would not be distinct
  return {
    ...triple,
    scope: fields.id('scope'),
    subjectKey: fields.nameKey('subjectKey'),
    objectKey: fields.nameKey('objectKey'),
    ...fields.optional('isPinned', (name) => fields.flag(name)),
  };
}

function checkEntity(row: unknown): BackupRows['entities'] {
  const fields = new RowFields(row, ['scope', 'key', 'id', 'name', 'attributes', 'isStandalone', 'mentions']);
  return {
    scope: fields.id('scope'),
    key: fields.nameKey('key'),
    id: fields.id('id'),
    name: checkName(fields.raw('name'), 'the field "name"'),
    attributes: checkAttributes(fields.raw('attributes')),
    isStandalone: fields.flag('isStandalone'),
    mentions: fields.list('mentions').map((mention, index): EntityMention => {
      const names = ['messageIds', 'note', 'aliases', 'recordedAt', 'rewrites'];
      const given = new RowFields(mention, names, `mention ${index}`);
      return {
        messageIds: given.ids('messageIds'),
        note: given.text('note'),
        aliases: given.list('aliases').map((alias) => checkName(alias, `an alias in mention ${index}`)),
        recordedAt: given.time('recordedAt'),
        ...(given.raw('rewrites') !== undefined && given.flag('rewrites') ? { rewrites: true } : {}),
      };
    }),
  };
}
