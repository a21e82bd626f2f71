import { chooseExtractor } from './extractor-options.ts';
import { checkName, checkWord } from '../../model/check-options.ts';
import type { ChatMessage, StoredMessage } from '../../model/message.ts';
import type { Tokenizer } from '../../tokens/tokenizer.ts';
import { HistoryConnection } from './history-connection.ts';
import type { SaveContextOptions, Values } from './memory.ts';
import {
  MAX_STEP_CHARACTERS,
  RunningSummary,
  type RunningSummaryOptions,
  type SummaryView,
} from './running-summary.ts';
import { batchMessages, batchTurns } from './summary-batches.ts';
import type { SummaryBatch } from './summary-batches.ts';
import { SummaryQueue } from './summary-queue.ts';
import type { CatchUpOptions, SummaryOptions } from './summary-options.ts';

export interface SummarizedHistoryOptions {
  readonly component: string;
  readonly options: SummaryOptions;
  readonly defaultMemoryId: string;
  /** Chooses, of the turns that no summary covers, those that are to leave the prompt: a beginning of the list. */
  readonly chooseTurns: (turns: readonly StoredMessage[][]) => Promise<readonly StoredMessage[][]>;
  readonly limit?: NonNullable<RunningSummaryOptions['limit']>;
}

/** What the memories with a running summary share: a turn goes in, and what is to leave the prompt is summarised. */
export class SummarizedHistory {
  readonly connection: HistoryConnection;
  readonly #summary: RunningSummary;
  readonly #chooseTurns: SummarizedHistoryOptions['chooseTurns'];
  /** Undefined where `saveContext` waits for the summary. */
  readonly #queue: SummaryQueue | undefined;
  /** What this tab does beside the queue. */
  #unqueued: Promise<void> = Promise.resolve();
  /** Whether the model has failed since the last save: the next save asks it again, not each load. */
  #hasFailed = false;

  /** @throws MnemoraError `invalid-option` */
  constructor({ component, options, defaultMemoryId, chooseTurns, limit }: SummarizedHistoryOptions) {
    this.connection = new HistoryConnection(options);
    const { history } = this.connection;
    const enrichment = checkWord('enrichment', options.enrichment ?? 'inline', ['inline', 'background']);
    const memoryId = checkName('memoryId', options.memoryId ?? defaultMemoryId);
    const { onWarning } = options;
    this.#chooseTurns = chooseTurns;
    const extractor = chooseExtractor(component, options, ['summary'], ['summarize']);
    this.#queue =
      enrichment === 'background' ? new SummaryQueue(component, history, memoryId, onWarning) : undefined;
    this.#summary = new RunningSummary({
      history,
      memoryId,
      extractor,
      toText: (messages) => this.connection.toText(messages),
      ...(limit ? { limit } : {}),
      ...(this.#queue ? { queue: this.#queue.name } : {}),
      onWarning,
    });
    this.#queue?.serve(this.#summary, (turns) => this.#batchesFor(turns));
  }

  /** Stores the turn, and has summarised, or queued, what is to leave the prompt. */
  async save(
    inputs: Values,
    outputs: Values,
    options: SaveContextOptions,
    tokenizer?: Tokenizer,
  ): Promise<void> {
    const counted = tokenizer ? { tokenizer } : {};
    if (!this.#queue) {
      await this.connection.save(inputs, outputs, options, counted);
      await this.#catchUpOrWarn(options.signal);
      return;
    }
    await this.connection.save(inputs, outputs, options, { ...counted, jobs: this.#queue.newJobs() });
    this.#hasFailed = false;
    this.#queue.wake();
    this.#catchUpUnqueued();
  }

  /**
   * The session as a prompt is made of it. What is to leave the prompt is summarised before, unless that is done in the
   * background.
   *
   * @param onFailure what a load does after a failure: `wait` for the next save, or `retry`
   */
  async load(onFailure: 'wait' | 'retry'): Promise<SummaryView> {
    const view = await this.#summary.view();
    const isWaiting = this.#hasFailed && onFailure === 'wait';
    if (view.turns.length === 0 || isWaiting || (await this.#chooseTurns(view.turns)).length === 0)
      return view;
    if (this.#queue) {
      this.#catchUpUnqueued();
      return view;
    }
    await this.#catchUpOrWarn();
    return this.#summary.view();
  }

  /** Summarises it in small steps, each stored when it is done. Rejects where a step fails. */
  async catchUp({ summarizeStep, onProgress, signal }: CatchUpOptions): Promise<void> {
    const plan = async (turns: readonly StoredMessage[][]): Promise<SummaryBatch[]> => {
      const chosen = await this.#chooseTurns(turns);
      return summarizeStep === undefined
        ? batchTurns(chosen, { characters: MAX_STEP_CHARACTERS, messages: 2 }, this.#lengthOf)
        : batchMessages(chosen, summarizeStep);
    };
    await this.#summary.cover(plan, {
      onBatch: (summarized, total) => onProgress?.({ summarized, total }),
      ...(signal ? { signal } : {}),
    });
  }

  async settled(): Promise<void> {
    await this.#unqueued;
    await this.#queue?.settled();
    await this.#summary.idle();
  }

  clear(): Promise<void> {
    return this.#summary.clear();
  }

  async #catchUpOrWarn(signal?: AbortSignal): Promise<void> {
    this.#hasFailed = !(await this.#summary.coverOrWarn((turns) => this.#batchesFor(turns), signal));
  }

  /**
   * Summarises in this tab what no job is there for: a history that was there before, and turns that another memory of
   * the session has stored. Nobody waits for it.
   */
  #catchUpUnqueued(): void {
    this.#unqueued = this.#unqueued.then(async () => {
      try {
        if (!this.#hasFailed && (await this.#queue?.isEmpty())) await this.#catchUpOrWarn();
      } catch {
        // The database was closed meanwhile: it is tried again when it is open.
      }
    });
  }

  async #batchesFor(turns: readonly StoredMessage[][]): Promise<SummaryBatch[]> {
    return batchTurns(await this.#chooseTurns(turns), { characters: MAX_STEP_CHARACTERS }, this.#lengthOf);
  }

  readonly #lengthOf = (turn: readonly ChatMessage[]): number => this.connection.toText(turn).length;
}
