import { checkAttributes, checkName } from '../../graph/check-triple.ts';
import { checkNameKey } from '../codec/backup-names.ts';
import type { BackupRows } from '../codec/backup-rows.ts';
import { RowFields } from '../codec/row-fields.ts';
import type { EntityMention } from '../schema.ts';
import { entityWithoutMessages } from '../remove-sources.ts';
import type { StoreRules } from './rules.ts';

/** Entities are erased together with their facts: see `triples.ts`. */
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

function checkEntity(row: unknown): BackupRows['entities'] {
  const fields = new RowFields(row, ['scope', 'key', 'id', 'name', 'attributes', 'isStandalone', 'mentions']);
  return {
    scope: fields.id('scope'),
    key: checkNameKey(fields, 'key'),
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
