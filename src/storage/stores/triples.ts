import { checkTripleRecord } from '../../graph/check-triple.ts';
import type { TripleRecord } from '../../graph/triple.ts';
import { checkNameKey } from '../codec/backup-names.ts';
import type { BackupRows } from '../codec/backup-rows.ts';
import { RowFields } from '../codec/row-fields.ts';
import { factWithoutMessages } from '../remove-sources.ts';
import { planKnowledgeErasure } from '../knowledge-erasure.ts';
import type { StoreRules } from './rules.ts';

export const triples: StoreRules<'triples'> = {
  erase: planKnowledgeErasure,
  backup: {
    keyOf: ({ id }) => [id],
    read: checkFact,
    /** Leaves out facts that are derived only from messages that are not in the file. */
    write(fact, contents) {
      const left = contents.isWanted(fact.scope) && factWithoutMessages(fact, contents.missing(fact));
      if (!left) return undefined;
      const { messageIds: _ids, ...rest } = left;
      return rest;
    },
  },
};

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

function checkFact(row: unknown): BackupRows['triples'] {
  const fields = new RowFields(row, [...TRIPLE_FIELDS, 'scope', 'subjectKey', 'objectKey', 'isPinned']);
  const given = TRIPLE_FIELDS.filter((name) => fields.has(name));
  const triple = checkTripleRecord(Object.fromEntries(given.map((name) => [name, fields.raw(name)])));
  fields.count('seq'); // beyond this limit the next numbers would not be distinct
  return {
    ...triple,
    scope: fields.id('scope'),
    subjectKey: checkNameKey(fields, 'subjectKey'),
    objectKey: checkNameKey(fields, 'objectKey'),
    ...fields.optional('isPinned', (name) => fields.flag(name)),
  };
}
