import { abortable } from '../../model/abortable.ts';
import { MnemoraError } from '../../model/error.ts';
import type { StoredMessage, TokenCounts } from '../../model/message.ts';
import { oneAtATime } from '../../model/named-queue.ts';
import type { SessionSummaries, NewSummary } from '../../sessions/chat-message-history.ts';
import { turnsBeyond, inReadingOrder, lastSeq, type TurnSource } from '../../sessions/read-turns.ts';
import type { JobTicket } from '../../storage/jobs/job-store.ts';
import type { SummaryState } from '../../storage/summary-store.ts';
import type { Extractor } from '../extractor.ts';
import type { SummaryPolicy } from './summary-policy.ts';
import { cutIntoPieces, withoutForgotten } from './summary-text.ts';

/**
 * A summary of the beginning of a session, and the cursor up to which it covers the session. Messages are never
 * removed: the cursor moves, in the transaction that stores the summary.
 */
export interface RunningSummary {
  /** Provides the messages of the session. */
  readonly source: TurnSource;
  readonly summaries: SessionSummaries;
  /** Identifies the summary among those of the session. */
  readonly memoryId: string;
  readonly extractor: Pick<Extractor, 'summarize'>;
  readonly policy: SummaryPolicy;
  /** Returns the messages as the text that the extractor reads. */
  readonly toText: (messages: readonly StoredMessage[]) => string | Promise<string>;
  /** Token limit for the extractor, and the function that cuts longer replies. @default only a safety limit */
  readonly limit?: { readonly maxTokens: number; readonly shorten?: (text: string) => Promise<string> };
  /** Counts the tokens of a summary; the counts are stored with it. */
  readonly countText?: (text: string) => TokenCounts;
  /** Whether an empty summary is valid. @default false: an empty summary is an error of the model */
  readonly mayBeEmpty?: boolean;
  /** The queue that makes the summary again if it had to be erased. */
  readonly queue?: string;
}

/** A session as it appears in a prompt: the summary, and the turns that it does not cover. */
export interface SummaryView {
  readonly state: SummaryState;
  /** Empty if there is no summary. */
  readonly text: string;
  /** The turns that the summary does not cover, in the order in which they ended. */
  readonly turns: readonly StoredMessage[][];
}

/** The messages summarized in one step. */
export interface SummaryBatch {
  readonly messages: readonly StoredMessage[];
  /** The summary covers the session up to this `seq` after this batch and all before it. */
  readonly coversSeq: number;
}

export interface CoverOptions {
  /** The job to end in the transaction that stores the last batch. */
  readonly ticket?: JobTicket;
  /** Called before the work is repeated because messages were erased in the meantime. @default always repeated */
  readonly isWanted?: () => Promise<boolean>;
  /** Splits turns into batches, one call each. @default whole turns, up to what any model can take */
  readonly batch?: (
    turns: readonly StoredMessage[][],
  ) => readonly SummaryBatch[] | Promise<readonly SummaryBatch[]>;
  /** Called after a batch is stored, with the number of messages stored by this call so far, and their total number. */
  readonly onBatch?: (done: number, total: number) => void;
  readonly signal?: AbortSignal;
}

/** Returns the summary, and the turns that it does not cover. */
export async function readSummary(
  { source, summaries, memoryId }: Pick<RunningSummary, 'source' | 'summaries' | 'memoryId'>,
  signal?: AbortSignal,
): Promise<SummaryView> {
  // In this order, turns that another tab covers in the meantime appear in both rather than in neither.
  const state = await summaries.load(memoryId, signal);
  const turns = await turnsBeyond(source, state.summary?.coversSeq ?? -1, signal);
  return { state, text: state.summary?.text ?? '', turns };
}

/**
 * Summarizes the turns that the policy selects, one call at a time in this tab. Each batch is stored when it is done;
 * the last one ends the job. If there is nothing to do, the job is left to the caller.
 *
 * @returns the number of messages summarized
 */
export function coverTurns(summary: RunningSummary, options: CoverOptions = {}): Promise<number> {
  const covering = oneAtATime(summary.summaries, summary.memoryId, async () => {
    for (;;) {
      const covered = await tryToCover(summary, options);
      // If messages were erased in the meantime, the summary may contain them: it is rebuilt from the rest.
      if (covered !== 'erased') return covered;
      if (options.isWanted && !(await options.isWanted())) return 0;
    }
  });
  return abortable(covering, options.signal);
}

/** Resolves when no summary is being made in this tab. */
export async function summaryIdle({ summaries, memoryId }: RunningSummary): Promise<void> {
  await oneAtATime(summaries, memoryId, async () => undefined);
}

async function tryToCover(summary: RunningSummary, options: CoverOptions): Promise<number | 'erased'> {
  const { ticket, onBatch, signal } = options;
  signal?.throwIfAborted();
  const { summaries, memoryId, policy, queue, countText, toText } = summary;
  const { batch = (given) => batchesOf(given, MAX_STEP, toText) } = options;
  const { state, turns, ...read } = await readSummary(summary, signal);
  const batches: SummaryBatch[] = [];
  for (const step of await policy(turns)) batches.push(...(await batch(step)));
  const total = batches.reduce((sum, { messages }) => sum + messages.length, 0);
  let { text } = read;
  let done = 0;
  for (const { messages, coversSeq } of batches) {
    text = await extend(summary, text, messages, signal);
    done += messages.length;
    const step = ticket && done < total ? { ...ticket, partial: { doneTurnIds: [] } } : ticket;
    const row: NewSummary = {
      text,
      coversSeq,
      lastId: messages.find(({ seq }) => seq === coversSeq)?.id ?? '',
      ...(queue === undefined ? {} : { queue }),
      ...(countText ? { tokens: countText(text) } : {}),
    };
    if (!(await summaries.save(memoryId, row, state, step))) return 'erased';
    onBatch?.(done, total);
  }
  return done;
}

/** Groups turns as {@link batchTurns} does, by the length of the text that the extractor reads. */
export async function batchesOf(
  turns: readonly StoredMessage[][],
  size: BatchSize,
  toText: RunningSummary['toText'],
): Promise<SummaryBatch[]> {
  const lengths = new Map<readonly StoredMessage[], number>();
  for (const turn of turns) lengths.set(turn, (await toText(turn)).length);
  return batchTurns(turns, size, (turn) => lengths.get(turn) ?? 0);
}

async function extend(
  { extractor, toText, limit, mayBeEmpty = false, summaries }: RunningSummary,
  before: string,
  messages: readonly StoredMessage[],
  signal: AbortSignal | undefined,
): Promise<string> {
  const forgotten = (await summaries.forgotten?.(messages.map(({ id }) => id))) ?? [];
  const told = messages.map((message) => withoutForgotten(message, forgotten));
  const { withoutSecrets } = await import('../../language/secrets.ts');
  let summary = before;
  for (const newLines of cutIntoPieces(await toText(told), MAX_STEP.characters)) {
    signal?.throwIfAborted();
    // Turns without readable text, such as recalled text only, are covered by the summary as it is.
    if (newLines.trim() === '') continue;
    const tokens = limit ? { maxTokens: limit.maxTokens } : {};
    const request = { summary, newLines, ...tokens, ...(signal ? { signal } : {}) };
    const reply = await abortable(extractor.summarize(request), signal);
    const given = String(reply).slice(0, MAX_SUMMARY_CHARACTERS).toWellFormed().trim();
    const text = withoutSecrets(given, [newLines]);
    summary = limit?.shorten ? await limit.shorten(text) : text;
    if (summary !== '' || mayBeEmpty) continue;
    throw new MnemoraError(
      'llm-reply',
      'The model returned an empty summary. The previous summary was kept.',
    );
  }
  return summary;
}

/** Safety limit for all summaries, because every later call and prompt contains the summary. */
const MAX_SUMMARY_CHARACTERS = 32_000;

/** Size of one step: whole turns, up to a number of characters, or until they reach a number of messages. */
export interface BatchSize {
  readonly characters: number;
  /** Once a batch has this many messages, no further turn is added. @default no limit */
  readonly messages?: number;
}

/** Size of the new lines in one call: about 6,000 tokens, which every model accepts. */
export const MAX_STEP: BatchSize = { characters: 24_000 };

/**
 * Groups turns, in the order in which they ended, into batches of whole turns. A turn above the limit is a batch of
 * its own.
 */
export function batchTurns(
  turns: readonly StoredMessage[][],
  { characters, messages = Number.POSITIVE_INFINITY }: BatchSize,
  lengthOf: (turn: readonly StoredMessage[]) => number,
): SummaryBatch[] {
  const measured = turns.map((turn) => ({ turn, length: lengthOf(turn) }));
  const batches = groupWhile(measured, (next, batch) => {
    const length = batch.reduce((sum, each) => sum + each.length, next.length);
    const count = batch.reduce((sum, { turn }) => sum + turn.length, 0);
    return length <= characters && count < messages;
  });
  return batches.map((batch) => {
    const own = batch.map(({ turn }) => turn);
    return { messages: inReadingOrder(own), coversSeq: Math.max(...own.map(lastSeq)) };
  });
}

/**
 * Groups the messages of turns into batches of a given number, in the order they were written. A batch can end within
 * a turn, but not between a tool call and its results.
 */
export function batchMessages(turns: readonly StoredMessage[][], step: number): SummaryBatch[] {
  const rows = turns.flat().toSorted((a, b) => a.seq - b.seq);
  const batches = groupWhile(rows, (row, batch) => batch.length < step || row.role === 'tool');
  return batches.map((messages) => ({ messages, coversSeq: lastSeq(messages) }));
}

/** Splits items into groups: a new one begins with each item that does not belong to the group before. */
function groupWhile<T>(items: readonly T[], belongs: (item: T, group: readonly T[]) => boolean): T[][] {
  const groups: T[][] = [];
  for (const item of items) {
    const group = groups.at(-1);
    if (group && belongs(item, group)) group.push(item);
    else groups.push([item]);
  }
  return groups;
}
