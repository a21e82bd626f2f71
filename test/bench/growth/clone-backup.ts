import { canonicalJson } from '../../../src/storage/codec/canonical-json.ts';
import { BACKUP_STORES, rulesOf } from '../../../src/storage/store-rules.ts';
import type { BackupEntry } from '../../../src/backup/backup-format.ts';
import { renamed } from './invented-chat.ts';

/** How much earlier the turns of each copy were told, in ms. */
const EARLIER = 30 * 86_400_000;
const ID = /(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])/gu;
const TIME = /(?<!\d)1\d{12}(?!\d)/gu;

/**
 * Returns a backup of other turns: with other ids, times and rare names, and otherwise the same. A memory of many turns
 * learned is made of such copies in the time that an import takes.
 *
 * @param copy from 1; each number gives another copy
 * @param rare the names and things to replace, in lower case
 */
export async function cloneBackup(backup: Blob, copy: number, rare: ReadonlySet<string>): Promise<Blob> {
  const [header = '', ...lines] = (await backup.text()).trimEnd().split('\n');
  const trailer = JSON.parse(lines.pop() ?? '') as { counts: unknown };
  const entries = lines.map((line): BackupEntry => JSON.parse(cloned(line, copy, rare)) as BackupEntry);
  const body = `${[header, ...inOrder(entries).map((entry) => canonicalJson(entry))].join('\n')}\n`;
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(body));
  const sha256 = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return new Blob([body, canonicalJson({ counts: trailer.counts, sha256 }), '\n']);
}

function cloned(line: string, copy: number, rare: ReadonlySet<string>): string {
  return line
    .replaceAll(
      ID,
      (id) => id.slice(0, -4) + (parseInt(id.slice(-4), 16) ^ copy).toString(16).padStart(4, '0'),
    )
    .replaceAll(TIME, (time) => String(Number(time) - copy * EARLIER))
    .replaceAll(/[A-Za-z]+/gu, (word) => (rare.has(word.toLowerCase()) ? renamed(word, copy) : word));
}

function inOrder(entries: readonly BackupEntry[]): BackupEntry[] {
  const keyOf = ({ store, row }: BackupEntry): IDBValidKey => {
    const { backup } = rulesOf(store);
    const key: readonly (string | number | undefined)[] = backup ? backup.keyOf(row as never) : [];
    // A file of one scope leaves out the scope, with which some keys begin.
    return [BACKUP_STORES.indexOf(store), ...key.map((part) => part ?? '')];
  };
  return entries
    .map((entry) => ({ entry, key: keyOf(entry) }))
    .toSorted((a, b) => indexedDB.cmp(a.key, b.key))
    .map(({ entry }) => entry);
}
