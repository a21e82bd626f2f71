import { requireTime } from '../model/clock.ts';
import { MnemoraError } from '../model/error.ts';
import { MAX_MESSAGE_CHARACTERS, type StoredMessage } from '../model/message.ts';
import { inTurnOrder, splitTurns } from '../model/turn.ts';
import { assembleContext, type CountedTurn, type RecalledContext } from '../recall/assemble-context.ts';
import { requireScope } from '../storage/append-plan.ts';
import type { Tokenizer } from '../tokens/tokenizer.ts';
import type { Engine } from './engine.ts';
import { requireCount } from './options.ts';
import { searchTurns } from './search.ts';

export interface RecallOptions {
  /** The host page's system text. @default none */
  system?: string;
  /** Tokens of the whole request. @default that of `createMemory` */
  maxTokens?: number;
  /** @default the session of this memory */
  sessionId?: string;
  signal?: AbortSignal;
}

export const RECALL_OPTIONS: readonly (keyof RecallOptions)[] = [
  'system',
  'maxTokens',
  'sessionId',
  'signal',
];

/** Turns that are considered for the fence; the budget keeps far fewer. */
const FOUND_TURNS = 32;
const PAGE_MESSAGES = 64;

export async function recallContext(
  engine: Engine,
  input: string,
  options: RecallOptions & { sessionId: string },
): Promise<RecalledContext> {
  const { system = '', maxTokens = engine.settings.maxTokens, sessionId, signal } = options;
  if (typeof input !== 'string' || input.length > MAX_MESSAGE_CHARACTERS) {
    throw new MnemoraError(
      'invalid-input',
      `The input must be a string of at most ${MAX_MESSAGE_CHARACTERS} characters.`,
    );
  }
  if (typeof system !== 'string')
    throw new MnemoraError('invalid-input', 'The system text must be a string.');
  requireCount(maxTokens, 'maxTokens', 1);
  signal?.throwIfAborted();
  const { scope, clock, recentTurns } = engine.settings;
  const session = await engine.store.ensureSession(
    sessionId,
    scope,
    requireTime(clock(), 'The time of the clock'),
  );
  requireScope(session, scope);
  const [tokenizer, recent] = await Promise.all([engine.tokenizer(), listRecent(engine, sessionId, signal)]);
  const turns = await countTurns(engine, tokenizer, recent);
  // Those in the window are found too, and left out when the window is known.
  const found = await searchTurns(engine, input, FOUND_TURNS + turns.length, signal);
  const context = assembleContext({
    system: system.toWellFormed(),
    input: input.toWellFormed(),
    mark: session.fenceMark,
    turns,
    found,
    recentTurns,
    maxTokens,
    tokenizer,
  });
  if (context.overBudget) {
    engine.events.warn({
      code: 'over-budget',
      message: `The system text and the input alone need ${context.tokens} tokens; ${maxTokens} were allowed. They are sent without memory.`,
    });
  }
  return context;
}

/** The complete turns that the window may hold, turn after turn, oldest first: reads back no further than that. */
async function listRecent(
  engine: Engine,
  sessionId: string,
  signal: AbortSignal | undefined,
): Promise<StoredMessage[]> {
  const { recentTurns } = engine.settings;
  if (recentTurns === 0) return [];
  let messages: StoredMessage[] = [];
  for (;;) {
    const beforeSeq = messages[0]?.seq ?? Infinity;
    const page = await engine.store.listMessages(sessionId, {
      last: PAGE_MESSAGES,
      beforeSeq,
      ...(signal ? { signal } : {}),
    });
    messages = [...page, ...messages];
    const complete = inTurnOrder(messages.filter((message) => message.state === 'complete'));
    const turnIds = [...new Set(complete.map((message) => message.turnId))];
    const recent = turnIds.slice(-recentTurns);
    if (page.length < PAGE_MESSAGES) return complete.filter((message) => recent.includes(message.turnId));
    // One more than needed: the oldest may have been read in part. Where two tabs answer at the same time, others may
    // have been as well, so that the turns are read once more, each as a whole.
    if (turnIds.length > recentTurns) return (await engine.store.loadTurns(recent, signal)).flat();
  }
}

/** Counts what has not been counted yet by this tokenizer, and keeps the counts. */
async function countTurns(
  engine: Engine,
  tokenizer: Tokenizer,
  messages: readonly StoredMessage[],
): Promise<CountedTurn[]> {
  const fresh = new Map<string, number>();
  const count = (message: StoredMessage): number => {
    const known = message.tokens?.[tokenizer.id];
    if (known !== undefined) return known;
    const counted = tokenizer.countMessage(message);
    fresh.set(message.id, counted);
    return counted;
  };
  // System messages of old turns are not sent again.
  const said = messages.filter((message) => message.role !== 'system');
  const turns = splitTurns(said).map((turn) => ({
    turn: turn[0]?.turn ?? 0,
    tokens: turn.reduce((sum, message) => sum + count(message), 0),
    messages: turn,
  }));
  if (fresh.size > 0) {
    await engine.store.recordTokens(tokenizer.id, fresh).catch((cause: unknown) => {
      engine.events.warn({ code: 'save-failed', message: 'Token counts could not be kept.', cause });
    });
  }
  return turns;
}
