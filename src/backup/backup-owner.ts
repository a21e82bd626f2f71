import { isNotice } from '../model/message.ts';
import type { BackupEntry } from './backup-format.ts';

/** Owner of a backup: the user of this database, or somebody else. */
export type BackupOwner = 'own' | 'foreign';

export const BACKUP_OWNERS: readonly BackupOwner[] = ['own', 'foreign'];

/**
 * Returns a record of a file as it is imported for this owner. Nothing in a foreign file counts as the word of the
 * user here: its messages are marked as imported, and its facts wait for a review, unpinned, even those entered by
 * hand there. Its tombstones and summaries are skipped (undefined): they must not erase anything here, and summaries
 * are made again from the messages.
 */
export function asOwnedBy(entry: BackupEntry, owner: BackupOwner): BackupEntry | undefined {
  if (owner === 'own') return entry;
  switch (entry.store) {
    case 'messages': {
      const { row } = entry;
      return row.role === 'system' || isNotice(row) ? entry : { ...entry, row: { ...row, origin: 'import' } };
    }
    case 'triples': {
      const { isPinned: _isPinned, ...row } = entry.row;
      const attributes = { ...row.attributes, statedBy: 'import' };
      return { ...entry, row: { ...row, source: 'extracted', attributes } };
    }
    case 'tombstones':
    case 'summaries':
      return undefined;
    case 'sessions':
    case 'entities':
    case 'vectors':
    case 'records':
    case 'documents':
    case 'jobs':
    case 'chatMemories':
      return entry;
  }
}
