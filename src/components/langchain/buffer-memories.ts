import { checkOptions, objectWith, wholeNumber } from '../../model/check-options.ts';
import { invalidOption } from '../../model/error.ts';
import type { ChatMessage, StoredMessage } from '../../model/message.ts';
import { inTurnOrder } from '../../model/turn.ts';
import { recentTurns, turnsNewestFirst } from '../../sessions/read-turns.ts';
import { CountedTokens, TurnBudget } from '../../sessions/turn-budget.ts';
import { lazyTokenizer } from '../../tokens/lazy-tokenizer.ts';
import type { Tokenizer } from '../../tokens/tokenizer.ts';
import type { Values } from './base-memory.ts';
import { CHAT_HISTORY_CHECKS, HistoryMemory, type ChatHistoryOptions } from './history-memory.ts';

/** Number of characters, about 25,000 tokens, above which loading a history without a limit raises a warning. */
const LONG_HISTORY = 100_000;

export interface ConversationBufferMemoryOptions extends ChatHistoryOptions {
  /**
   * Number of tokens above which loading raises an `over-budget` warning. The whole history is loaded anyway; use
   * ConversationTokenBufferMemory to load less.
   * @default no limit, and one warning above 100,000 characters; 2000 if a tokenizer is given
   */
  maxTokenLimit?: number;
  /** Counts tokens for `maxTokenLimit`. @default tiktokenTokenizer(), loaded on first use */
  tokenizer?: Tokenizer;
}

/**
 * A memory that loads the whole history.
 *
 * @example
 * const memory = new ConversationBufferMemory();
 * await memory.saveContext({ input: 'hi' }, { output: 'hello' });
 * await memory.loadMemoryVariables({}); // { history: 'Human: hi\nAI: hello' }
 */
export class ConversationBufferMemory extends HistoryMemory {
  readonly #options: ConversationBufferMemoryOptions;
  readonly #tokenizer: () => Promise<Tokenizer>;

  /** @throws MnemoraError `invalid-option` */
  constructor(options: ConversationBufferMemoryOptions = {}) {
    if ('k' in Object(options))
      throw invalidOption(
        'ConversationBufferMemory has no option k. Use new ConversationBufferWindowMemory({ k }).',
      );
    super(checkOptions('ConversationBufferMemory', options, TOKEN_CHECKS));
    this.#options = options;
    this.#tokenizer = lazyTokenizer(options).get;
  }

  override async loadMemoryVariables(_inputs: Values = {}): Promise<Record<string, unknown>> {
    const { tokenizer, maxTokenLimit = tokenizer && 2000 } = this.#options;
    if (maxTokenLimit === undefined) {
      const messages = await this.chatHistory.getMessages();
      this.#warnIfLong(messages);
      return this.render(messages);
    }
    const rows = (await this.chatHistory.list()).filter(({ state }) => state === 'complete');
    const counted = new CountedTokens(await this.#tokenizer());
    await counted.countAhead(rows);
    const tokens = rows.reduce((sum, row) => sum + counted.of(row), 0);
    await counted.record(this.chatHistory);
    if (tokens > maxTokenLimit) {
      const message = `The whole history of ${tokens} tokens was loaded, but maxTokenLimit is ${maxTokenLimit}. Use ConversationTokenBufferMemory to load only what fits.`;
      this.warn({ code: 'over-budget', message });
    }
    return this.render(inTurnOrder(rows));
  }

  /** Without a limit no tokens are counted, and the tokenizer is not loaded. */
  #warnIfLong(messages: readonly ChatMessage[]): void {
    const { length } = this.toText(messages);
    if (length <= LONG_HISTORY) return;
    this.warnOnce({
      code: 'over-budget',
      message: `The whole history of ${length} characters was loaded, which may exceed the model's context. Use ConversationTokenBufferMemory to load only what fits, or set maxTokenLimit to change when this warning is raised.`,
    });
  }
}

export interface ConversationBufferWindowMemoryOptions extends ChatHistoryOptions {
  /** Number of whole turns to load; 0 loads nothing. @default 5 */
  k?: number;
}

/**
 * A memory that loads the last `k` whole turns, each a user message with everything up to the next one. All messages
 * stay in the history; loading reads only its end.
 */
export class ConversationBufferWindowMemory extends HistoryMemory {
  readonly #k: number;

  /** @throws MnemoraError `invalid-option`, for example if `k` is negative or not a whole number */
  constructor(options: ConversationBufferWindowMemoryOptions = {}) {
    const checks = { ...CHAT_HISTORY_CHECKS, k: wholeNumber(0) };
    super(checkOptions('ConversationBufferWindowMemory', options, checks));
    this.#k = options.k ?? 5;
  }

  override async loadMemoryVariables(_inputs: Values = {}): Promise<Record<string, unknown>> {
    const turns = await recentTurns(this.chatHistory, this.#k);
    return this.render(turns.flat());
  }
}

export interface ConversationTokenBufferMemoryOptions extends ChatHistoryOptions {
  /** Maximum tokens of the loaded messages; 0 loads nothing. @default 2000 */
  maxTokenLimit?: number;
  /** Counts tokens. @default tiktokenTokenizer(), loaded on first use; approximateTokenizer() if that fails */
  tokenizer?: Tokenizer;
}

/**
 * A memory that loads the newest whole turns that fit in a number of tokens. All messages stay in the history; loading
 * reads only its end, and each message is counted once.
 *
 * If not even the newest turn fits, only its user message is loaded and `onWarning` is called with `over-budget`. The
 * limit applies to the sum over the messages, without the 3 extra tokens of each request.
 */
export class ConversationTokenBufferMemory extends HistoryMemory {
  /** @internal */
  protected override readonly counter: () => Promise<Tokenizer>;
  readonly #options: ConversationTokenBufferMemoryOptions;

  /** @throws MnemoraError `invalid-option` */
  constructor(options: ConversationTokenBufferMemoryOptions = {}) {
    super(checkOptions('ConversationTokenBufferMemory', options, TOKEN_CHECKS));
    this.#options = { ...options };
    this.counter = lazyTokenizer(options).get;
  }

  override async loadMemoryVariables(_inputs: Values = {}): Promise<Record<string, unknown>> {
    const { maxTokenLimit = 2000 } = this.#options;
    if (maxTokenLimit === 0) return this.render([]);
    const counted = new CountedTokens(await this.counter());
    const budget = new TurnBudget<StoredMessage>(maxTokenLimit, (message) => counted.of(message));
    const { messages, instead } = await takeNewest(turnsNewestFirst(this.chatHistory), budget, counted);
    await counted.record(this.chatHistory);
    if (instead !== undefined) {
      const message = `The newest turn exceeds the maxTokenLimit of ${maxTokenLimit}: ${instead}.`;
      this.warn({ code: 'over-budget', message });
    }
    return this.render(messages);
  }
}

const TOKEN_CHECKS = {
  ...CHAT_HISTORY_CHECKS,
  maxTokenLimit: wholeNumber(0),
  tokenizer: objectWith('countMessage'),
};

/**
 * Takes the newest whole turns that fit; if not even the newest fits, only its user message, and `instead` says so.
 */
async function takeNewest(
  newestFirst: AsyncIterable<readonly StoredMessage[]>,
  budget: TurnBudget<StoredMessage>,
  counted: CountedTokens,
): Promise<{ messages: readonly StoredMessage[]; instead?: string }> {
  let isTooLarge = false;
  for await (const turn of newestFirst) {
    await counted.countAhead(turn);
    if (!isTooLarge && budget.offer(turn)) continue;
    if (!budget.empty) break;
    isTooLarge = true;
    const question = turn.findLast((message) => message.role === 'user');
    if (question) return { messages: [question], instead: 'only its user message is loaded' };
  }
  return isTooLarge ? { messages: [], instead: 'nothing is loaded' } : { messages: budget.messages() };
}
