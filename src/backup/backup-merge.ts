import { newId } from '../model/id.ts';
import { applyPlans } from '../storage/plan.ts';
import type { BackupRows, BackupStore } from '../storage/codec/backup-rows.ts';
import { groupedBy } from '../storage/rows.ts';
import { planWithoutNames } from '../storage/forgetting/plan-without-names.ts';
import { enqueueJobs } from '../storage/jobs/job-store.ts';
import { countName, emptyImportReceipt, type CountedStore, type ImportReceipt } from '../storage/receipts.ts';
import type { Schema, StoreName } from '../storage/schema.ts';
import type { WriteTransaction } from '../storage/storage-engine.ts';
import { BACKUP_STORES } from '../storage/store-rules.ts';
import { backupOf, keyOf, type BackupEntry } from './backup-format.ts';
import { ImportedTombstones } from './imported-tombstones.ts';
import { KnowledgeMerge } from './knowledge-merge.ts';
import { TranscriptMerge } from './transcript-merge.ts';
import { VectorMerge } from './vectors.ts';

/** A record with the same shape in the file and in the database. */
type PlainEntry = Exclude<
  BackupEntry,
  {
    store: 'tombstones' | 'sessions' | 'messages' | 'summaries' | 'triples' | 'entities' | 'vectors' | 'jobs';
  }
>;

/** Merges the records of a file, in their order, into the database, within one transaction. */
export class BackupMerge {
  readonly #transaction: WriteTransaction;
  readonly #receipt = emptyImportReceipt();
  readonly #transcript: TranscriptMerge;
  readonly #knowledge: KnowledgeMerge;
  readonly #vectors: VectorMerge;
  readonly #forgotten: ImportedTombstones;
  /** Summaries to rebuild, because the session here differs from the one that they summarize. */
  readonly #outdated: BackupRows['summaries'][] = [];
  readonly #scopes: Iterable<string>;
  #position = 0;
  #isChanged = false;

  /**
   * @param scopes - Scopes that the records are imported into.
   * @param scope - The only one, if the import is limited to it.
   */
  constructor(
    transaction: WriteTransaction,
    scopes: Iterable<string>,
    restoreForgotten: boolean,
    scope: string | undefined,
  ) {
    this.#transaction = transaction;
    this.#scopes = scopes;
    this.#forgotten = new ImportedTombstones(transaction, restoreForgotten, scope);
    this.#transcript = new TranscriptMerge(transaction, this.#receipt, this.#forgotten);
    this.#knowledge = new KnowledgeMerge(transaction, this.#forgotten, this.#transcript.isHere);
    this.#vectors = new VectorMerge(transaction);
  }

  /** Merges records. @throws MnemoraError `turn-conflict` if they conflict with stored data */
  async put(entries: readonly BackupEntry[]): Promise<void> {
    // The records of a file come store by store.
    for (const run of groupedBy(entries, ({ store }) => store).values()) {
      await this.#advanceTo(run[0]?.store);
      const messages = run.flatMap((entry) => (entry.store === 'messages' ? [entry.row] : []));
      if (messages.length > 0) this.#changed(await this.#transcript.putMessages(messages));
      else for (const entry of run) await this.#putOne(entry);
    }
  }

  /** Ends the import, and makes open tabs read everything again. */
  async finish(): Promise<ImportReceipt> {
    await this.#advanceTo(undefined);
    await this.#vectors.flush();
    this.#changed(this.#knowledge.hasNewSources);
    this.#changed(await this.#knowledge.keepTombstones());
    // Runs before the sources are erased, because they show in which messages somebody was forgotten.
    for (const scope of this.#scopes) this.#changed(await this.#eraseNames(scope));
    await this.#knowledge.eraseForgotten();
    for (const { queue, scope, sessionId, updatedAt } of this.#outdated) {
      if (queue !== undefined && this.#transcript.session(scope, sessionId)?.hasNew)
        await this.#enqueue({ queue, scope, sessionId, turnIds: [], createdAt: updatedAt });
    }
    if (this.#isChanged) {
      await this.#transaction.objectStore('meta').put({ key: 'generation', value: newId() });
      await this.#transaction.objectStore('packedKnowledge').clear(); // it may contain what the backup has erased
    }
    return this.#receipt;
  }

  async #putOne(entry: BackupEntry): Promise<void> {
    switch (entry.store) {
      case 'tombstones':
        return this.#changed(await this.#transcript.putTombstone(entry.row));
      case 'sessions':
        return this.#transcript.putSession(entry.row);
      case 'messages':
        return undefined;
      case 'summaries':
        return this.#count(entry.store, await this.#putSummary(entry.row));
      case 'triples':
        return this.#count(entry.store, await this.#knowledge.putFact(entry.row));
      case 'entities':
        return this.#count(entry.store, await this.#knowledge.putEntity(entry.row));
      case 'vectors': {
        const isHere = this.#transcript.isHere(entry.row.id);
        return this.#count(entry.store, isHere && (await this.#vectors.put(entry.row)));
      }
      case 'jobs':
        return this.#putWork(entry.row);
      default:
        return this.#count(entry.store, await this.#putUnlessPresent(entry));
    }
  }

  /** Does the pending work of all stores before the given one, whose records have been read completely. */
  async #advanceTo(store: BackupStore | undefined): Promise<void> {
    const position = store === undefined ? BACKUP_STORES.length : BACKUP_STORES.indexOf(store);
    for (; this.#position < position; this.#position++) {
      const passed = BACKUP_STORES[this.#position];
      if (passed === 'tombstones') await this.#transcript.eraseForgotten();
      if (passed === 'messages') this.#changed(await this.#transcript.putSessions());
    }
  }

  async #putSummary(row: BackupRows['summaries']): Promise<boolean> {
    const summaries = this.#transaction.objectStore('summaries');
    const { scope, sessionId, memoryId } = row;
    const session = this.#transcript.session(scope, sessionId);
    if (!session || (await summaries.getKey([scope, sessionId, memoryId])) !== undefined) return false;
    const isNamed = (await this.#forgotten.names()).inTextOfSession([scope, sessionId], row.text);
    if (isNamed || !session.isSameUpTo(row.coversSeq)) {
      this.#outdated.push(row);
      return false;
    }
    await summaries.put(row);
    return true;
  }

  /**
   * Erases the names that were forgotten here or where the file was made, also from what was entered by hand: it is
   * unknown which came first, and all orders of imports have to give the same result.
   */
  async #eraseNames(scope: string): Promise<boolean> {
    const plans = await planWithoutNames(this.#transaction, scope, await this.#forgotten.names());
    const isChanged = plans
      .flatMap(({ puts = {}, deletes = {} }) => [...Object.values(puts), ...Object.values(deletes)])
      .some((rows) => rows.length > 0);
    if (isChanged) await applyPlans(this.#transaction, plans);
    return isChanged;
  }

  /**
   * Stores a record, unless one with its key is here already, it was forgotten here, or it belongs to something that
   * was.
   */
  async #putUnlessPresent(entry: PlainEntry): Promise<boolean> {
    const { store: name, row } = entry;
    const {
      scope = '',
      sessionId = '',
      messageIds = [],
      tombstone = '',
    } = backupOf(name).refersTo?.(row) ?? {};
    const isForgotten =
      this.#transcript.session(scope, sessionId)?.isWithheld === true ||
      !messageIds.every(this.#transcript.isHere);
    const store = this.#transaction.objectStore<StoreName>(name);
    const key = keyOf(entry);
    const storedUnder = (key.length === 1 ? key[0] : [...key]) as Schema[StoreName]['key'];
    const [known, grave] = await Promise.all([
      store.getKey(storedUnder),
      this.#transaction.objectStore('tombstones').getKey(tombstone),
    ]);
    const isBuried = grave !== undefined && !this.#forgotten.isRestoring;
    if (known !== undefined || isBuried || isForgotten) return false;
    if (grave !== undefined) await this.#transaction.objectStore('tombstones').delete(grave);
    await store.put(row);
    return true;
  }

  /** Queues the jobs of new messages. Turns that were already here have had their jobs queued here. */
  async #putWork(row: BackupRows['jobs']): Promise<void> {
    const { scope, sessionId } = row;
    const turnIds = row.turnIds.filter((turnId) => this.#transcript.isNewTurn(scope, turnId));
    const isWanted =
      row.turnIds.length > 0 ? turnIds.length > 0 : this.#transcript.session(scope, sessionId)?.hasNew;
    if (isWanted) await this.#enqueue({ ...row, turnIds });
  }

  async #enqueue({ queue, scope, sessionId, turnIds, createdAt }: BackupRows['jobs']): Promise<void> {
    if (!this.#transcript.session(scope, sessionId)) return;
    await enqueueJobs(this.#transaction, [{ queue }], { scope, sessionId, turnIds, now: createdAt });
    this.#isChanged = true;
  }

  #count(store: CountedStore, cameIn: boolean): void {
    const name = cameIn ? countName(store) : 'skipped';
    this.#receipt[name] = (this.#receipt[name] ?? 0) + 1;
    this.#changed(cameIn);
  }

  #changed(isChanged: boolean): void {
    this.#isChanged ||= isChanged;
  }
}
