import type { WarningListener } from '../model/warning.ts';
import { describeLoss, type DataLoss } from './data-loss.ts';
import { lossKey, markKey, removeEntry } from './loss-entries.ts';
import { hmacSha256 } from '../model/sha256.ts';
import type { StorageEngine } from './storage-engine.ts';

/** The state that a database had reached: ids and numbers only, no text. */
export interface Mark {
  /** Computed from the secret of the database, so that it is as old and as random as the database. */
  readonly id: string;
  /** Newest entry of the change log that is known to be on disk. */
  readonly revision: number;
  /** Time when it was written. */
  readonly at: number;
}

/**
 * Records in `localStorage`, separately from IndexedDB, that a database exists and which state it has reached. When a
 * database is opened, this reveals whether it is empty or in an earlier state.
 *
 * A mark is written only after the commit that it describes, so it is never ahead of the disk. It may be behind if two
 * tabs write it or the storage is full: a loss may then be missed, but a loss that did not happen is never reported.
 */
export interface LossMarker {
  /** Returns the last loss, until it is acknowledged. */
  loss(): DataLoss | undefined;
  acknowledge(): void;
  /** Calls the listener if a loss was not acknowledged yet. */
  warn(listener: WarningListener): void;
  /** Records that everything up to this entry of the change log is on disk. */
  note(revision: number): void;
  /** Returns the state that this page knows to be on disk. */
  mark(): Mark;
}

/**
 * Compares a database that was just opened with its mark.
 *
 * @param reached state that this page knows of, if the browser has closed the database since: where the data of the site
 *   were cleared, the mark is gone with it
 * @throws MnemoraError the `storage-…` codes
 */
export async function openLossMarker(
  engine: Pick<StorageEngine, 'name' | 'read'>,
  reached?: Mark,
): Promise<LossMarker> {
  const { name } = engine;
  // Before the database is read: what another tab writes in between must not look lost.
  const known = readEntry(markKey(name));
  const found = await engine.read(['meta', 'changes'], async (transaction) => {
    const [secret, newest] = await Promise.all([
      transaction.objectStore('meta').get('secret'),
      transaction.objectStore('changes').lastKey(),
    ]);
    const key = secret?.key === 'secret' ? secret.value : '';
    return { id: hmacSha256(key, 'loss marker'), revision: newest ?? 0 };
  });
  let own: Mark = { ...found, at: Date.now() };
  const marker: LossMarker = {
    loss: () => parseLoss(readEntry(lossKey(name))),
    acknowledge: () => removeEntry(lossKey(name)),
    warn(listener) {
      const loss = marker.loss();
      if (loss) listener({ code: 'data-lost', message: describeLoss(name, loss) });
    },
    mark: () => own,
    note(revision) {
      if (revision > own.revision) own = { id: found.id, revision, at: Date.now() };
      const noted = parseMark(readEntry(markKey(name)));
      // A mark with another id is newer: another tab has deleted this database and created another.
      const isNoted = noted && (noted.id !== found.id || noted.revision >= revision);
      if (!isNoted && revision > 0) writeEntry(markKey(name), { id: found.id, revision, at: Date.now() });
    },
  };
  const mark = parseMark(known) ?? (reached && reached.revision > 0 ? reached : undefined);
  const loss = mark && lossBetween(mark, found, Date.now());
  // Another tab may have deleted the database, and its mark with it, while this one was reading.
  const isOwn = loss && readEntry(markKey(name)) === known && writeEntry(lossKey(name), loss);
  if (isOwn) removeEntry(markKey(name));
  if (isOwn || !loss) marker.note(found.revision);
  return marker;
}

/** Returns what the database that left the mark has lost, or undefined if it is complete. */
function lossBetween(
  mark: Mark,
  { id, revision }: Pick<Mark, 'id' | 'revision'>,
  now: number,
): DataLoss | undefined {
  const isSame = id === mark.id;
  if (isSame && revision >= mark.revision) return undefined;
  return {
    kind: isSame ? 'older' : revision === 0 ? 'gone' : 'replaced',
    at: now,
    lastWriteAt: mark.at,
    missingChanges: isSame ? mark.revision - revision : mark.revision,
  };
}

function parseMark(text: string | undefined): Mark | undefined {
  const { id, revision, at } = parseObject(text);
  const isMark = typeof id === 'string' && isNumber(revision) && isTime(at);
  return isMark ? { id, revision, at } : undefined;
}

function parseLoss(text: string | undefined): DataLoss | undefined {
  const { kind, at, lastWriteAt, missingChanges } = parseObject(text);
  const known = (['gone', 'replaced', 'older'] as const).find((candidate) => candidate === kind);
  const isLoss = known && isTime(at) && isTime(lastWriteAt) && isNumber(missingChanges);
  return isLoss ? { kind: known, at, lastWriteAt, missingChanges } : undefined;
}

/** Returns the fields of a JSON object; none of a text that anything else on this site has written. */
function parseObject(text = ''): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text)) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}

function isNumber(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0;
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Math.abs(value) <= 8.64e15;
}

// Workers have no localStorage, a sandboxed frame may not use it, and it may be full: there is no mark then.

function readEntry(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

function writeEntry(key: string, value: Mark | DataLoss): boolean {
  try {
    localStorage.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}
