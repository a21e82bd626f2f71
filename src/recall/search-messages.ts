import { withTimeLimit } from '../model/abortable.ts';
import { checkSignal, checkText, checkSessionId } from '../model/call-options.ts';
import {
  checkOptions,
  argument,
  checkFunction,
  mustBe,
  oneOf,
  wholeNumber,
  type OptionChecks,
} from '../model/check-options.ts';
import { invalidInput } from '../model/error.ts';
import { isRecord } from '../model/is-record.ts';
import { messageText, type StoredMessage } from '../model/message.ts';
import type { FusedHit } from '../search/fuse.ts';
import { askQuestion, loadTurns, rankMessages, type RankedQuestion } from './ask-question.ts';
import { duplicateKey } from './index/indexed-text.ts';
import { CANDIDATES } from './rank/rank-messages.ts';
import type { RecallParts } from './recall-parts.ts';

export interface SearchOptions {
  /** Maximum number of messages. @default 10 */
  limit?: number;
  /** Searches only this session. @default all sessions of the scope */
  sessionId?: string;
  /** Returns only messages of this time or later, in milliseconds since 1970. */
  from?: number;
  /** Returns only messages of this time or earlier. */
  to?: number;
  /** Returns only messages of the user, or only those of the assistant. @default both */
  role?: 'user' | 'assistant';
  /**
   * Returns only messages whose metadata has these values, compared with `===`. The filter is applied to ranked
   * messages, and more of them are read until `limit` messages pass, so a filter that few messages pass is slow.
   *
   * @default any
   */
  metadata?: Readonly<Record<string, string | number | boolean | null>>;
  /**
   * Orders the best 50 results by the caller's own scores. If it throws, takes longer than 2 s, or does not return one
   * finite number for each, the order stays and a `rerank-failed` warning is raised.
   *
   * @default none
   */
  rerank?: Rerank;
  signal?: AbortSignal;
}

/** A passage of a message that search has found. */
export interface SearchResult {
  /** The message that contains the passage. */
  message: StoredMessage;
  /** The passage, verbatim. Today it is the whole text of the message. */
  text: string;
  /** Where the passage begins in the text of the message (its text parts, joined by a line feed), in UTF-16 units. */
  start: number;
  /** Where the passage ends: the first position after it, in UTF-16 units. */
  end: number;
  /** Higher fits better; comparable within one search only. */
  score: number;
  /** Parts of the score by name: see `RankingPart`. `rerank` alone if the caller's own function gave the score. */
  why: Readonly<Record<string, number>>;
}

/** A message found by search, as passed to a `rerank` function. */
export interface RerankCandidate {
  readonly id: string;
  readonly text: string;
  readonly role: StoredMessage['role'];
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** Score of the search. */
  readonly score: number;
}

/**
 * Scores candidates for a query: one finite number each, in their order, higher ones first. The signal aborts when the
 * scores are no longer needed.
 */
export type Rerank = (
  query: string,
  candidates: readonly RerankCandidate[],
  options: { readonly signal: AbortSignal },
) => readonly number[] | Promise<readonly number[]>;

const checkTime = argument(
  mustBe('a time in milliseconds since 1970', (value) => typeof value === 'number' && !Number.isNaN(value)),
);
const isPlain = (value: unknown): boolean =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value);

const CHECKS: OptionChecks<SearchOptions> = {
  limit: argument(wholeNumber(0)),
  sessionId: checkSessionId,
  from: checkTime,
  to: checkTime,
  role: argument(oneOf('user', 'assistant')),
  metadata: argument(
    mustBe(
      'an object of strings, numbers, booleans and null',
      (value) => isRecord(value) && Object.values(value).every(isPlain),
    ),
  ),
  rerank: argument(checkFunction),
  signal: checkSignal('search'),
};

/** Maximum number of results that are reranked; the others keep their order. */
const RERANKED = 50;
const RERANK_TIMEOUT_MS = 2_000;
/** Factor by which more messages are ranked when a filter has admitted too few. */
const MORE_CANDIDATES = 8;

/**
 * Ranks single messages. Of messages that differ in case, punctuation and word endings only, in whatever session, only
 * the best takes one of the `limit` places.
 */
export async function searchMessages(
  parts: RecallParts,
  query: string,
  options: SearchOptions,
): Promise<SearchResult[]> {
  const { limit = 10, rerank, signal } = checkOptions('search', options, CHECKS);
  checkText('A query', query);
  signal?.throwIfAborted();
  if (query.trim() === '' || limit === 0) return [];
  const asked = await askQuestion(parts, query, signal);
  const results = await bestResults(parts, asked, options, rerank ? Math.max(limit, RERANKED) : limit);
  return rerank ? (await rerankResults(parts, query, results, rerank, signal)).slice(0, limit) : results;
}

/** Returns the first results that pass the filters and say different things. */
async function bestResults(
  parts: RecallParts,
  asked: RankedQuestion,
  { sessionId, from = -Infinity, to = Infinity, role, metadata = {}, signal }: SearchOptions,
  count: number,
): Promise<SearchResult[]> {
  const range = { ...(sessionId === undefined ? {} : { sessionId }), from, to };
  const wanted = Object.entries(metadata);
  const isFiltered = role !== undefined || wanted.length > 0;
  const passes = (message: StoredMessage): boolean =>
    (role === undefined || message.role === role) &&
    wanted.every(
      ([name, value]) => Object.hasOwn(message.metadata ?? {}, name) && message.metadata?.[name] === value,
    );
  // If a filter admits few, more are ranked until enough pass, or until there are no more.
  for (let limit = CANDIDATES, before = -1; ; limit *= MORE_CANDIDATES) {
    const hits = await rankMessages(parts, asked, range, signal, limit);
    const results = new Map<string, SearchResult>();
    // Loads as many as are wanted, then doubles the number as long as too few results remain.
    for (let at = 0, size = count; results.size < count && at < hits.length; at += size, size *= 2) {
      const loaded = await loadResults(parts, hits.slice(at, at + size), signal);
      for (const result of loaded.filter(({ message }) => passes(message))) {
        const words = duplicateKey([result.message]) || result.message.id;
        if (results.size < count && !results.has(words)) results.set(words, result);
      }
    }
    const isAll = !isFiltered || results.size === count || hits.length <= before || hits.length < limit;
    if (isAll) return [...results.values()];
    before = hits.length;
  }
}

async function loadResults(
  parts: RecallParts,
  hits: readonly FusedHit[],
  signal: AbortSignal | undefined,
): Promise<SearchResult[]> {
  const turns = await loadTurns(parts, hits, Infinity, signal);
  const messages = new Map(turns.flatMap((turn) => turn.messages.map((message) => [message.id, message])));
  return hits.flatMap(({ id, score, parts: why }) => {
    const message = messages.get(id);
    if (!message) return []; // forgotten since the index was searched
    const text = messageText(message);
    return [{ message, text, start: 0, end: text.length, score, why }];
  });
}

/**
 * Returns the first {@link RERANKED} results in the order of the caller's scores, which become their scores; equal
 * ones, and the others behind them, keep their order. If `rerank` fails, everything stays as it is, and a warning is
 * sent; only the caller's own signal rejects.
 */
async function rerankResults(
  { events }: RecallParts,
  query: string,
  results: readonly SearchResult[],
  rerank: Rerank,
  signal: AbortSignal | undefined,
): Promise<readonly SearchResult[]> {
  const head = results.slice(0, RERANKED);
  if (head.length === 0) return [];
  const late = (): Error => new Error(`It took longer than ${RERANK_TIMEOUT_MS} ms.`);
  try {
    const candidates = head.map(({ message: { id, role, createdAt }, text, score }) => {
      return { id, text, role, createdAt, score };
    });
    const answer = await withTimeLimit(RERANK_TIMEOUT_MS, signal, late, async (either) =>
      rerank(query, candidates, { signal: either }),
    );
    const scores = checkScores(answer, head.length);
    const reranked = head.map((result, at) => {
      const score = scores[at] ?? 0;
      return { ...result, score, why: { rerank: score } };
    });
    return [...reranked.toSorted((a, b) => b.score - a.score), ...results.slice(RERANKED)];
  } catch (cause) {
    signal?.throwIfAborted();
    const reason = cause instanceof Error ? cause.message : String(cause);
    const message = `The rerank function failed; the results keep the order of the search. ${reason}`;
    events.warn({ code: 'rerank-failed', message, cause });
    return results;
  }
}

function checkScores(scores: unknown, count: number): readonly number[] {
  const areScores = Array.isArray(scores) && scores.length === count && scores.every(Number.isFinite);
  if (areScores) return scores as number[];
  throw invalidInput(`It must return ${count} finite numbers, one for each candidate.`);
}
