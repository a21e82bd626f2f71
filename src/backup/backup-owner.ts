import type { BackupEntry } from './backup-format.ts';

/** Whose file a backup is: the person's own, or somebody else's. */
export type BackupOwner = 'own' | 'foreign';

export const BACKUP_OWNERS: readonly BackupOwner[] = ['own', 'foreign'];

/** A record of a file as it comes in, by whose file it is: here goes what a foreign file's records are marked with. */
export function asOwnedBy(entry: BackupEntry, _owner: BackupOwner): BackupEntry {
  return entry;
}
