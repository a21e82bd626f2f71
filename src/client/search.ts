import { withTimeLimit } from '../model/abortable.ts';
import { checkOptions, type OptionChecks } from '../model/check-options.ts';
import { MAX_MESSAGE_CHARACTERS, messageText, type StoredMessage } from '../model/message.ts';
import { duplicateKey } from '../recall/indexed-text.ts';
import { CANDIDATES } from '../recall/rank-messages.ts';
import type { FusedHit } from '../search/fuse.ts';
import { checkId, checkInput, checkSignal } from './call-options.ts';
import { invalidInput } from '../model/error.ts';
import type { Engine } from './engine.ts';
import { askQuestion, loadTurns, rankMessages, type RankedQuestion } from './ranked-question.ts';

export interface SearchOptions {
  /** Maximum number of messages. @default 10 */
  limit?: number;
  /** Only this session. @default all sessions of the scope */
  sessionId?: string;
  /** Only messages of this time or later, in milliseconds since 1970. */
  from?: number;
  /** Only messages of this time or earlier. */
  to?: number;
  /** Only what the user said, or only what the assistant said. @default both */
  role?: 'user' | 'assistant';
  /**
   * Only messages whose metadata has these values, each equal as by `===`. A filter that few messages pass reads many:
   * it is checked on what was found, and more is read until `limit` pass.
   *
   * @default any
   */
  metadata?: Readonly<Record<string, string | number | boolean | null>>;
  /**
   * Orders the best 50 by the caller's own scores. If it throws, takes longer than 2 s, or returns anything but one
   * finite number for each, the order stays, and a warning `rerank-failed` says so.
   *
   * @default none
   */
  rerank?: Rerank;
  signal?: AbortSignal;
}

/** A message that search has found. */
export type SearchResult = StoredMessage & {
  /** Higher fits better; comparable within one search only. */
  score: number;
  /** Parts of the score by name: see `RankingPart`. `rerank` alone if the caller's own function gave the score. */
  why: Readonly<Record<string, number>>;
};

/** A message that search has found, as the caller's own function gets it. */
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
 * Scores candidates for a query: one finite number each, in their order, higher ones first. The signal is aborted when
 * nobody waits for the scores any more.
 */
export type Rerank = (
  query: string,
  candidates: readonly RerankCandidate[],
  options: { readonly signal: AbortSignal },
) => readonly number[] | Promise<readonly number[]>;

const checkTime = checkInput(
  (value) => typeof value === 'number' && !Number.isNaN(value),
  'from and to must be times in milliseconds since 1970.',
);
const isPlain = (value: unknown): boolean =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value);

const CHECKS: OptionChecks<SearchOptions> = {
  limit: checkInput(
    (value) => Number.isSafeInteger(value) && Number(value) >= 0,
    (value) => `limit must be a whole number from 0, not ${String(value)}.`,
  ),
  sessionId: checkId('A session id'),
  from: checkTime,
  to: checkTime,
  role: checkInput(
    (value) => value === 'user' || value === 'assistant',
    (value) => `role must be "user" or "assistant", not ${JSON.stringify(value)}.`,
  ),
  metadata: checkInput(
    (value) => typeof value === 'object' && value !== null && Object.values(value).every(isPlain),
    'metadata must be an object of strings, numbers, booleans and null.',
  ),
  rerank: checkInput((value) => typeof value === 'function', 'rerank must be a function.'),
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
  engine: Engine,
  query: string,
  options: SearchOptions,
): Promise<SearchResult[]> {
  const { limit = 10, rerank, signal } = checkOptions('search', options, CHECKS);
  if (typeof query !== 'string' || query.length > MAX_MESSAGE_CHARACTERS) {
    throw invalidInput(`A query must be a string of at most ${MAX_MESSAGE_CHARACTERS} characters.`);
  }
  signal?.throwIfAborted();
  if (query.trim() === '' || limit === 0) return [];
  const asked = await askQuestion(engine, query, signal);
  const results = await bestResults(engine, asked, options, rerank ? Math.max(limit, RERANKED) : limit);
  return rerank ? (await rerankResults(engine, query, results, rerank, signal)).slice(0, limit) : results;
}

/** Returns the first results that pass the filters and say different things. */
async function bestResults(
  engine: Engine,
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
    const hits = await rankMessages(engine, asked, range, signal, limit);
    const results = new Map<string, SearchResult>();
    // As many as are wanted, and twice as many again as long as too few are left of them.
    for (let at = 0, size = count; results.size < count && at < hits.length; at += size, size *= 2) {
      const loaded = await loadResults(engine, hits.slice(at, at + size), signal);
      for (const result of loaded.filter(passes)) {
        const words = duplicateKey([result]) || result.id;
        if (results.size < count && !results.has(words)) results.set(words, result);
      }
    }
    const isAll = !isFiltered || results.size === count || hits.length <= before || hits.length < limit;
    if (isAll) return [...results.values()];
    before = hits.length;
  }
}

async function loadResults(
  engine: Engine,
  hits: readonly FusedHit[],
  signal: AbortSignal | undefined,
): Promise<SearchResult[]> {
  const turns = await loadTurns(engine, hits, Infinity, signal);
  const messages = new Map(turns.flatMap((turn) => turn.messages.map((message) => [message.id, message])));
  return hits.flatMap(({ id, score, parts }) => {
    const message = messages.get(id);
    return message ? [{ ...message, score, why: parts }] : []; // forgotten since the index was asked
  });
}

/**
 * Returns the first {@link RERANKED} results in the order of the caller's scores, which become their scores; equal
 * ones, and the others behind them, keep their order. If `rerank` fails, everything stays as it is, and a warning is
 * sent; only the caller's own signal rejects.
 */
async function rerankResults(
  { events }: Engine,
  query: string,
  results: readonly SearchResult[],
  rerank: Rerank,
  signal: AbortSignal | undefined,
): Promise<readonly SearchResult[]> {
  const head = results.slice(0, RERANKED);
  if (head.length === 0) return [];
  const late = (): Error => new Error(`It took longer than ${RERANK_TIMEOUT_MS} ms.`);
  try {
    const candidates = head.map((message) => {
      const { id, role, createdAt, score } = message;
      return { id, text: messageText(message), role, createdAt, score };
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
    const message = `The function given as rerank failed; the results are in the order of the search. ${reason}`;
    events.warn({ code: 'rerank-failed', message, cause });
    return results;
  }
}

function checkScores(scores: unknown, count: number): readonly number[] {
  const areScores = Array.isArray(scores) && scores.length === count && scores.every(Number.isFinite);
  if (areScores) return scores as number[];
  throw invalidInput(`It must give ${count} finite numbers, one for each candidate.`);
}
