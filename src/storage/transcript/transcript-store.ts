import type { Clock } from '../../model/clock.ts';
import { memoizeAsync } from '../../model/loading.ts';
import type { StoredMessage } from '../../model/message.ts';
import { erasureOf, type ErasureSelector } from '../erasure.ts';
import type { Select } from '../forgetting/erase.ts';
import type { ForgetReceipt } from '../receipts.ts';
import { startingWith } from '../key-range.ts';
import type { SessionKey, SessionRecord } from '../schema.ts';
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
        replacing ? replacing.REPLACEMENT_STORES : appendStores(input),
        (transaction) => appendTurn(transaction, input, this.#machineClock(), replacing?.planReplacement),
        signal,
      );
    // Only the stored turn tells whether it replaces others, and few turns do.
    const receipt = input.replaces === undefined ? await append() : undefined;
    return receipt ?? ((await append(await loadOnDemand())) as RememberReceipt);
  }

  /** Lists messages, oldest first. Reads no more rows than it returns. */
  listMessages(session: SessionKey, options: ListOptions = {}): Promise<StoredMessage[]> {
    return this.#engine.read(['messages'], (tx) => listNewest(tx, session, options), options.signal);
  }

  /** Returns the messages of each turn that a scope still has. */
  loadTurns(scope: string, turnIds: readonly string[], signal?: AbortSignal): Promise<StoredMessage[][]> {
    const read = async (transaction: Transaction): Promise<StoredMessage[][]> => {
      const turns = await Promise.all(turnIds.map((turnId) => loadTurn(transaction, scope, turnId)));
      return turns.filter((turn) => turn.length > 0);
    };
    return this.#engine.read(['messages'], read, signal);
  }

  /**
   * Returns the random secret of this database, which is in no backup, so that values computed from it cannot be
   * predicted.
   */
  readonly secret: () => Promise<string> = memoizeAsync(() =>
    this.#engine.read(['meta'], async (transaction) => {
      const row = await transaction.objectStore('meta').get('secret');
      return row?.key === 'secret' ? row.value : '';
    }),
  );

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
    const { eraseSelected, selectErasure } = await loadOnDemand();
    const select: Select = (transaction) => selectErasure(transaction, selector, scope);
    return eraseSelected(this.#engine, select, isPreview);
  }

  /**
   * Erases a session's messages and what is derived from them; with `drop-row`, also its documents and the session
   * itself.
   */
  async clearSession(key: SessionKey, row: 'keep-row' | 'drop-row'): Promise<ForgetReceipt> {
    const { eraseSelected } = await loadOnDemand();
    const whole = { scope: key[0], sessions: row === 'drop-row' ? [key] : [] };
    return eraseSelected(this.#engine, async (transaction) =>
      erasureOf(await transaction.objectStore('messages').getAll(sessionRange(key)), whole),
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
}
