import type { Clock } from '../../model/clock.ts';
import { MnemoraError } from '../../model/error.ts';
import { newId } from '../../model/id.ts';
import type { StoredMessage } from '../../model/message.ts';
import { erasureOf, type Erasure, type ErasureSelector } from '../erasure.ts';
import type { ForgetReceipt } from '../receipts.ts';
import { startingWith } from '../key-range.ts';
import { STORE_NAMES, type SessionKey, type SessionRecord } from '../schema.ts';
import type { StorageEngine, Transaction } from '../storage-engine.ts';
import type { AppendInput } from './append-plan.ts';
import { appendStores, appendTurn, type RememberReceipt } from './append-turn.ts';
import { listNewest, loadTurn, sessionRange, type ListOptions } from './read-session.ts';

const loadOnDemand = () => import('../on-demand.ts');

/**
 * Stores the transcript of all sessions. Each method is one transaction.
 */
export class TranscriptStore {
  readonly #engine: StorageEngine;
  readonly #machineClock: Clock;
  #secret: string | undefined;

  /** @param machineClock decides when jobs are due; turns bring their own times */
  constructor(engine: StorageEngine, machineClock: Clock = Date.now) {
    this.#engine = engine;
    this.#machineClock = machineClock;
  }

  /** Appends messages. @throws MnemoraError `turn-conflict` */
  async append(given: AppendInput, signal?: AbortSignal): Promise<RememberReceipt> {
    const { presence } = this.#engine;
    // Other tabs may see the turn as soon as it is written, and must then see that this tab will end it.
    if (given.state === 'pending') await presence?.show();
    const input = { ...(presence ? { openedBy: presence.id } : {}), ...given };
    const append = async (
      replacing?: Awaited<ReturnType<typeof loadOnDemand>>,
    ): ReturnType<typeof appendTurn> =>
      this.#engine.write(
        replacing ? [...replacing.REPLACEMENT_STORES] : appendStores(input),
        (transaction) => appendTurn(transaction, input, this.#machineClock(), replacing?.planReplacement),
        signal,
      );
    // Only the stored turn tells whether it replaces others, and few turns do.
    const receipt = input.replaces === undefined ? await append() : undefined;
    return receipt ?? ((await append(await loadOnDemand())) as RememberReceipt);
  }

  /** Lists messages, oldest first. Reads no more rows than it returns. */
  listMessages(session: SessionKey, options: ListOptions = {}): Promise<StoredMessage[]> {
    const { last = Infinity, beforeSeq = Infinity, afterSeq = -1, signal } = options;
    return this.#engine.read(
      ['messages'],
      (transaction) => listNewest(transaction, session, { last, beforeSeq, afterSeq }),
      signal,
    );
  }

  /** Returns the messages of each turn that a scope still has. */
  loadTurns(scope: string, turnIds: readonly string[], signal?: AbortSignal): Promise<StoredMessage[][]> {
    return this.#engine.read(
      ['messages'],
      async (transaction) => {
        const turns = await Promise.all(turnIds.map((turnId) => loadTurn(transaction, scope, turnId)));
        return turns.filter((turn) => turn.length > 0);
      },
      signal,
    );
  }

  /**
   * Returns the random secret of this database, which is in no backup, so that values computed from it cannot be
   * predicted.
   */
  async secret(): Promise<string> {
    this.#secret ??= await this.#engine.read(['meta'], async (transaction) => {
      const row = await transaction.objectStore('meta').get('secret');
      return row?.key === 'secret' ? row.value : '';
    });
    return this.#secret;
  }

  /** Returns a session, or undefined if nothing was ever written to it. */
  session(key: SessionKey): Promise<SessionRecord | undefined> {
    return this.#engine.read(['sessions'], (transaction) => transaction.objectStore('sessions').get(key));
  }

  /** Lists sessions that have messages, newest first, of one scope or of all scopes. */
  async listSessions(scope?: string): Promise<SessionRecord[]> {
    const sessions = await this.#engine.read(['sessions'], (transaction) => {
      const store = transaction.objectStore('sessions');
      return store.getAll(scope === undefined ? undefined : startingWith(scope));
    });
    return sessions
      .filter((session) => session.messageCount > 0)
      .toSorted((a, b) => b.updatedAt - a.updatedAt);
  }

  /**
   * Erases the selected messages and what is derived from them, and leaves tombstones. Erasing a session, a period or
   * everything also erases the documents that retrievers of the scope have stored. A preview changes nothing.
   */
  async forget(
    selector: ErasureSelector,
    scope: string,
    { isPreview = false }: { isPreview?: boolean } = {},
  ): Promise<ForgetReceipt> {
    const { erase, eraseOrPreview, selectErasure } = await loadOnDemand();
    if (!isPreview) return this.#erase((transaction) => selectErasure(transaction, selector, scope));
    return eraseOrPreview(this.#engine, true, async (transaction) =>
      erase(transaction, await selectErasure(transaction, selector, scope)),
    );
  }

  /**
   * Erases a session's messages and what is derived from them; with `drop-row`, also its documents and the session
   * itself.
   */
  clearSession(key: SessionKey, row: 'keep-row' | 'drop-row'): Promise<ForgetReceipt> {
    return this.#erase(async (transaction) =>
      erasureOf(await transaction.objectStore('messages').getAll(sessionRange(key)), {
        scope: key[0],
        sessionIds: new Set(row === 'drop-row' ? [key[1]] : []),
      }),
    );
  }

  recordTokens(tokenizerId: string, counts: ReadonlyMap<string, number>): Promise<void> {
    return this.#engine.write(['messages'], async (transaction) => {
      const store = transaction.objectStore('messages');
      await Promise.all(
        [...counts].map(async ([id, count]) => {
          const row = await store.index('id').get(id);
          if (row) await store.put({ ...row, tokens: { ...row.tokens, [tokenizerId]: count } });
        }),
      );
    });
  }

  close(): void {
    this.#engine.close();
  }

  /** Erases in one transaction. A full disk has no room for tombstones, so an earlier transaction then makes room. */
  async #erase(select: (transaction: Transaction) => Promise<Erasure>): Promise<ForgetReceipt> {
    const { erase, makeRoom } = await loadOnDemand();
    try {
      return await this.#engine.write([...STORE_NAMES], async (transaction) =>
        erase(transaction, await select(transaction)),
      );
    } catch (error) {
      if (!(error instanceof MnemoraError) || error.code !== 'storage-full') throw error;
    }
    const first = await this.#engine.write(
      ['sessions', 'messages', 'vectors', 'postings', 'meta'],
      async (transaction) => {
        const selected = await select(transaction);
        await makeRoom(transaction, selected.messages);
        return selected;
      },
    );
    return this.#engine.write([...STORE_NAMES], async (transaction) => {
      await transaction.objectStore('meta').put({ key: 'generation', value: newId() });
      const written = await select(transaction); // written by other tabs since then
      return erase(transaction, erasureOf([...first.messages, ...written.messages], written));
    });
  }
}
