import { foldName } from '../../language/fold.ts';
import { checkAttributes, checkName, checkTripleRecord } from '../../graph/check-triple.ts';
import type { TripleRecord } from '../../graph/triple.ts';
import { messageText } from '../../model/message.ts';
import type { BackupRows, StoreRules } from '../codec/backup-rows.ts';
import { requireField } from '../codec/damaged.ts';
import { RowFields } from '../codec/row-fields.ts';
import { entityWithoutMessages, factWithoutMessages } from '../facts-and-entities.ts';
import { knowledgeChange } from '../change-log.ts';
import { planReadingAgain } from '../forgetting/read-again.ts';
import { planForgetting, planKnowledgeErasure } from '../forgetting/knowledge-erasure.ts';
import type { Plan } from '../plan.ts';
import { rebuiltKey, rebuiltRange } from '../rebuilt/rebuilt-rows.ts';
import { getAllOf, groupedBy, uniqueBy } from '../rows.ts';
import type { EntityMention, ClaimRow } from '../schema.ts';
import type { Transaction } from '../storage-engine.ts';

export const triples: StoreRules<'triples'> = {
  erase: planKnowledgeErasure,
  refersTo: ({ sources }) => ({ messageIds: sources.map(({ messageId }) => messageId), field: 'sources' }),
  tombstones: {
    keyOf: ({ id }) => id,
    planWithout: (transaction, facts) =>
      planForgetting(transaction, facts, [], { fact: () => undefined, entity: (entity) => entity }),
  },
  async *problems({ scope, sources, ...fact }, contents, transaction) {
    for (const end of ['subjectKey', 'objectKey'] as const)
      if (!contents.hasEntity(scope, fact[end])) yield `the entity of its ${end} is not there`;
    const messages = transaction.objectStore('messages').index('id');
    for (const { messageId, quote } of sources) {
      const message = quote === undefined ? undefined : await messages.get(messageId);
      if (message && !foldName(messageText(message)).includes(foldName(quote ?? '')))
        yield `its quote is not in the message "${messageId}"`;
    }
  },
  backup: {
    keyOf: ({ id }) => [id],
    read: checkFact,
    /**
     * The entities of a fact come later in the file. A fact may supersede older facts only, because of two facts that
     * supersede each other neither would hold. Superseded facts may be missing.
     */
    check({ id, scope, seq, subjectKey, objectKey, supersedes }, contents) {
      requireField(contents.first(['seq', scope, seq], id) === id, 'seq', 'is taken by another fact');
      contents.first(['fact', scope, id], seq);
      contents.atEnd(() => {
        for (const [field, key] of Object.entries({ subjectKey, objectKey }))
          requireField(contents.hasEntity(scope, key), field, 'refers to an entity that is missing');
        const newer = supersedes.find((other) => Number(contents.first(['fact', scope, other], -1)) >= seq);
        requireField(newer === undefined, 'supersedes', `names "${newer}", which is not older`);
      });
    },
    /** Leaves out facts about entities, or derived only from messages, that are not in the file. */
    write(fact, contents) {
      const { scope, subjectKey, objectKey } = fact;
      const areThere = contents.hasEntity(scope, subjectKey) && contents.hasEntity(scope, objectKey);
      const isWanted = contents.isWanted(scope) && areThere;
      const left = isWanted && factWithoutMessages(fact, contents.missing(scope, fact.messageIds));
      if (!left) return undefined;
      const { messageIds: _ids, ...rest } = left;
      return rest;
    },
    foreign({ isPinned: _isPinned, ...fact }) {
      return { ...fact, source: 'extracted', attributes: { ...fact.attributes, statedBy: 'import' } };
    },
  },
};

/** Entities are erased together with their facts. */
export const entities: StoreRules<'entities'> = {
  refersTo: ({ mentions }) => ({ messageIds: mentions.flatMap((mention) => mention.messageIds) }),
  backup: {
    keyOf: ({ scope, key }) => [scope, key],
    read: checkEntity,
    check({ id, scope, key }, contents) {
      const place = JSON.stringify([scope, key]);
      requireField(contents.first(['entity', id], place) === place, 'id', 'is taken by another entity');
      contents.addEntity(scope, key);
    },
    write(entity, contents) {
      const { scope, messageIds } = entity;
      if (!contents.isWanted(scope)) return undefined;
      const { messageIds: _ids, ...rest } = entityWithoutMessages(
        entity,
        contents.missing(scope, messageIds),
      );
      return rest;
    },
  },
};

/** Claims are derived from messages, and rebuilt if missing, so a backup has none. */
export const claims: StoreRules<'claims'> = {
  /** A claim is erased with its message, in every scope, because a memory may learn under another one. */
  async erase(transaction, erasure) {
    const { ids, wholeScopes } = erasure;
    const store = transaction.objectStore('claims');
    const found = await Promise.all([
      getAllOf(store.index('scope'), wholeScopes),
      getAllOf(store.index('messageId'), ids),
    ]);
    const rows = uniqueBy(found.flat(), (row) => row.id);
    return [
      await planWithoutClaims(transaction, rows),
      ...(await planReadingAgain(transaction, erasure, new Set(rows.map(({ id }) => id)))),
    ];
  },
  refersTo: ({ messageId }) => ({ messageIds: [messageId] }),
};

/**
 * What is packed is erased together with facts and entities: see `knowledge-erasure.ts`. A rebuild that has learned from
 * an erased message begins again.
 */
export const packedKnowledge: StoreRules<'packedKnowledge'> = {
  async erase(transaction, { messages, wholeScopes }) {
    const store = transaction.objectStore('packedKnowledge');
    const learned = await Promise.all(
      messages.map(async ({ scope, id }) =>
        (await store.getKey(rebuiltKey(scope, 'message', id))) === undefined ? [] : [scope],
      ),
    );
    const scopes = new Set([...wholeScopes, ...learned.flat()]);
    return [{ deletes: { packedKnowledge: Array.from(scopes, (scope) => rebuiltRange(scope)) } }];
  },
};

/** Plans the removal of claims. Claims that they had ended count again. */
export async function planWithoutClaims(
  transaction: Transaction,
  selected: readonly ClaimRow[],
): Promise<Plan> {
  const scopes = new Set(selected.map((row) => row.scope));
  const gone = new Set(selected.map((row) => row.id));
  const ended = await getAllOf(transaction.objectStore('claims').index('endedBy'), gone);
  const freed = ended.filter(({ id }) => !gone.has(id));
  return {
    deletes: { claims: [...gone], packedKnowledge: [...scopes] },
    puts: { claims: freed.map(({ endedBy: _by, endedText: _text, ...row }) => row) },
    changes: Array.from(
      groupedBy([...selected, ...freed], (row) => row.scope),
      ([scope, rows]) => knowledgeChange(scope, { claims: rows.map(({ id }) => id) }, true),
    ),
  };
}

const TRIPLE_FIELDS = [
  ...['id', 'seq', 'subject', 'predicate', 'object', 'validFrom', 'validTo', 'recordedAt', 'retraction'],
  ...['supersedes', 'source', 'sources', 'attributes'],
] as const satisfies readonly (keyof TripleRecord)[];

const FACT_FIELDS = { scope: 'id', subjectKey: 'nameKey', objectKey: 'nameKey', isPinned: 'flag?' } as const;

function checkFact(row: unknown): BackupRows['triples'] {
  const fields = new RowFields(row, [...TRIPLE_FIELDS, ...Object.keys(FACT_FIELDS)]);
  const triple = checkTripleRecord(fields.rawFields(TRIPLE_FIELDS));
  fields.count('seq'); // beyond this limit the next numbers would not be distinct
  return { ...triple, ...fields.all(FACT_FIELDS) };
}

const ENTITY_FIELDS = { scope: 'id', key: 'nameKey', id: 'id', isStandalone: 'flag' } as const;
const MENTION_FIELDS = { messageIds: 'ids', note: 'text', recordedAt: 'time' } as const;

function checkEntity(row: unknown): BackupRows['entities'] {
  const fields = new RowFields(row, [...Object.keys(ENTITY_FIELDS), 'name', 'attributes', 'mentions']);
  return {
    ...fields.all(ENTITY_FIELDS),
    name: checkName(fields.raw('name'), 'the field "name"'),
    attributes: checkAttributes(fields.raw('attributes')),
    mentions: fields.list('mentions').map((mention, index): EntityMention => {
      const names = [...Object.keys(MENTION_FIELDS), 'aliases', 'rewrites'];
      const given = new RowFields(mention, names, { what: `mention ${index}` });
      return {
        ...given.all(MENTION_FIELDS),
        aliases: given.list('aliases').map((alias) => checkName(alias, `an alias in mention ${index}`)),
        ...(given.has('rewrites') && given.flag('rewrites') ? { rewrites: true } : {}),
      };
    }),
  };
}
