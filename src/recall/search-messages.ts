import { isOnePassage } from '../language/passages.ts';
import { readText } from '../language/read-text.ts';
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
import { isRecord } from '../model/is-record.ts';
import { messageText, type StoredMessage } from '../model/message.ts';
import type { FusedHit } from '../search/fuse.ts';
import { askQuestion, loadTurns, rankMessages, type RankedQuestion } from './ask-question.ts';
import { duplicateKey } from './index/indexed-text.ts';
import { CANDIDATES } from './rank/rank-messages.ts';
import type { RecallParts } from './recall-parts.ts';
import { callerScores, RERANKED, type Rerank } from './rerank.ts';

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
  /** The passage that fits the query best, verbatim: all of a short message, some hundred characters of a long one. */
  text: string;
  /** Where the passage begins in the text of the message (its text parts, joined by a line feed), in UTF-16 units. */
  start: number;
  /** Where the passage ends: the first position after it, in UTF-16 units. */
  end: number;
  /** Higher fits better; comparable within one search only. */
  score: number;
  /** Parts of the score by name. `rerank` alone if the caller's own function gave the score. */
  why: Readonly<Record<string, number>>;
}

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
  const whole = await bestResults(parts, asked, options, rerank ? Math.max(limit, RERANKED) : limit);
  const results = await withBestPassages(whole, query, signal);
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
  // If a filter admits few, more are ranked until enough pass, or until there are no more. Without one, only repetitions
  // leave too few: then more are ranked once, because ranking thousands would block the page.
  for (let limit = Math.max(CANDIDATES, count), before = -1; ; limit *= MORE_CANDIDATES) {
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
    const isAll = hits.length <= before || hits.length < limit || (!isFiltered && before >= 0);
    if (isAll || results.size === count) return [...results.values()];
    before = hits.length;
  }
}

async function loadResults(
  parts: RecallParts,
  hits: readonly FusedHit[],
  signal: AbortSignal | undefined,
): Promise<SearchResult[]> {
  const turns = await loadTurns(parts, hits, {}, signal);
  const messages = new Map(turns.flatMap((turn) => turn.messages.map((message) => [message.id, message])));
  return hits.flatMap(({ id, score, parts: why }) => {
    const message = messages.get(id);
    if (!message) return []; // forgotten since the index was searched
    const text = messageText(message);
    return [{ message, text, start: 0, end: text.length, score, why }];
  });
}

/** Narrows the results down to the passages of their messages that fit the query best. */
async function withBestPassages(
  results: readonly SearchResult[],
  query: string,
  signal: AbortSignal | undefined,
): Promise<SearchResult[]> {
  if (results.every(({ text }) => isOnePassage(text))) return [...results];
  const { bestPassage } = await import('./layout/best-passages.ts');
  const words = readText(query).askedTerms;
  const narrowed: SearchResult[] = [];
  for (const result of results) {
    signal?.throwIfAborted();
    const { start, end } = await bestPassage(result.text, words);
    narrowed.push({ ...result, text: result.text.slice(start, end), start, end });
  }
  return narrowed;
}

/**
 * Returns the first {@link RERANKED} results in the order of the caller's scores, which become their scores; equal
 * ones, and the others behind them, keep their order. If `rerank` fails, everything stays as it is.
 */
async function rerankResults(
  parts: RecallParts,
  query: string,
  results: readonly SearchResult[],
  rerank: Rerank,
  signal: AbortSignal | undefined,
): Promise<readonly SearchResult[]> {
  const head = results.slice(0, RERANKED);
  const candidates = head.map(({ message: { id, role, createdAt }, text, score }) => {
    return { id, text, role, createdAt, score };
  });
  const scores = await callerScores(parts, query, candidates, rerank, signal);
  if (!scores) return results;
  const reranked = head.map((result, at) => {
    const score = scores[at] ?? 0;
    return { ...result, score, why: { rerank: score } };
  });
  return [...reranked.toSorted((a, b) => b.score - a.score), ...results.slice(RERANKED)];
}
