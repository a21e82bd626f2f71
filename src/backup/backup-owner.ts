import { isNotice } from '../model/message.ts';
import type { BackupEntry } from './backup-format.ts';

/** Whose file a backup is: the person's own, or somebody else's. */
export type BackupOwner = 'own' | 'foreign';

export const BACKUP_OWNERS: readonly BackupOwner[] = ['own', 'foreign'];

/**
 * A record of a file as it comes in, by whose file it is. What a foreign one says is nobody's word here: its messages are
 * marked as imported, and its facts wait for a review, unpinned, whoever had entered them there. What was forgotten there
 * stays here, and summaries are made again, if at all, from the messages: undefined.
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
