import type { KnownAtQuery } from '../graph/graph-query.ts';
import { requireTime } from '../model/clock.ts';
import { MnemoraError } from '../model/error.ts';
import { MAX_MESSAGE_CHARACTERS, type StoredMessage } from '../model/message.ts';
import { askedOf } from '../learning/asked-question.ts';
import type { FoundTurn } from '../recall/context-layout.ts';
import type { QueryKnowledge } from '../recall/query-knowledge.ts';
import { sameWords } from '../recall/same-words.ts';
import { timesNamed } from '../recall/time-window.ts';
import type { FusedHit } from '../search/fuse.ts';
import { parseQuery, type ParsedQuery } from '../search/parsed-query.ts';
import type { Place } from '../search/place-columns.ts';
import { isInRange, isUnlimited, type MessageRange } from '../search/vector-search.ts';
import type { Engine } from './engine.ts';
import { knowledgeOf } from './query-knowledge.ts';

export interface SearchOptions {
  /** Messages returned at most. @default 10 */
  k?: number;
  /** Only this session. @default all sessions of the scope */
  sessionId?: string;
  /** Only messages of this time or later, in milliseconds since 1970. */
  from?: number;
  /** Only messages of this time or earlier. */
  to?: number;
  signal?: AbortSignal;
}

export const SEARCH_OPTIONS: readonly (keyof SearchOptions)[] = ['k', 'sessionId', 'from', 'to', 'signal'];

/** A message that search has found. */
export type SearchResult = StoredMessage & {
  /** Higher fits better; comparable within one search only. */
  score: number;
  /** What the score is the sum of, by name: see `WEIGHTS` of the ranking. */
  parts: Readonly<Record<string, number>>;
};

/**
 * Ranks single messages. Of those that say the same but for case, marks and endings, in whatever session, only the best
 * takes one of the `k` places.
 */
export async function searchMessages(
  engine: Engine,
  query: string,
  options: SearchOptions,
): Promise<SearchResult[]> {
  const { k = 10, sessionId, from = -Infinity, to = Infinity, signal } = options;
  if (!Number.isSafeInteger(k) || k < 0) throw invalid(`k must be a whole number from 0, not ${String(k)}.`);
  for (const time of [from, to]) {
    if (typeof time !== 'number' || Number.isNaN(time)) {
      throw invalid('from and to must be times in milliseconds since 1970.');
    }
  }
  const range = { ...(sessionId === undefined ? {} : { sessionId }), from, to };
  const hits = await rank(engine, query, range, signal);
  const results: SearchResult[] = [];
  const said = new Set<string>();
  // As many as are wanted, and twice as many again as long as too many say the same.
  for (let at = 0, size = k; results.length < k && at < hits.length; at += size, size *= 2) {
    for (const result of await loadResults(engine, hits.slice(at, at + size), signal)) {
      const words = sameWords([result]);
      if (results.length === k || (words !== '' && said.has(words))) continue;
      said.add(words);
      results.push(result);
    }
  }
  return results;
}

async function loadResults(
  engine: Engine,
  hits: readonly FusedHit[],
  signal: AbortSignal | undefined,
): Promise<SearchResult[]> {
  const turnIds = [...new Set(hits.flatMap((hit) => engine.index.get(hit.id)?.turnId ?? []))];
  const turns = await engine.stores.transcript.loadTurns(turnIds, signal);
  const messages = new Map(turns.flat().map((message) => [message.id, message]));
  return hits.flatMap(({ id, score, parts }) => {
    const message = messages.get(id);
    return message ? [{ ...message, score, parts }] : []; // forgotten since the index was asked
  });
}

/** The turns of the best messages, each with the score of its best one, as far as they are still there. */
export async function loadTurns(
  engine: Engine,
  hits: readonly FusedHit[],
  limit: number,
  signal: AbortSignal | undefined,
): Promise<FoundTurn[]> {
  const best = new Map<string, { score: number; why: Readonly<Record<string, number>> }>();
  for (const { id, score, parts } of hits) {
    const turnId = engine.index.get(id)?.turnId;
    if (turnId === undefined || best.has(turnId)) continue; // best first: what is there already is better
    best.set(turnId, { score, why: parts });
    if (best.size >= limit) break;
  }
  if (best.size === 0) return [];
  const turns = await engine.stores.transcript.loadTurns([...best.keys()], signal);
  return turns.flatMap((messages) => {
    const found = best.get(messages[0]?.turnId ?? '');
    return found ? [{ messages, ...found }] : [];
  });
}

/** A question with all that is known of it when its messages are ranked. */
export interface RankedQuestion {
  readonly question: ParsedQuery;
  /** Undefined without a model. */
  readonly vector: Float32Array | undefined;
  readonly known: QueryKnowledge;
}

/** Ranks the messages that are in the index now; none for a question without a word. */
export async function rankMessages(
  engine: Engine,
  { question, vector, known }: RankedQuestion,
  range: MessageRange & KnownAtQuery,
  signal: AbortSignal | undefined,
): Promise<FusedHit[]> {
  if (question.text.trim() === '') return [];
  const { knownAt, ...within } = range;
  const limits = knownAt === undefined ? within : { ...within, to: knownAt };
  const similar = vector ? await engine.nearest(vector, limits, signal) : [];
  // Where every message stands is looked up only if it matters.
  const admits = isUnlimited(limits) ? undefined : (place: Place): boolean => isInRange(place, limits);
  return engine.index.search(question, similar, admits, known);
}

async function rank(
  engine: Engine,
  query: string,
  range: MessageRange,
  signal: AbortSignal | undefined,
): Promise<FusedHit[]> {
  if (typeof query !== 'string' || query.length > MAX_MESSAGE_CHARACTERS) {
    throw invalid(`A query must be a string of at most ${MAX_MESSAGE_CHARACTERS} characters.`);
  }
  signal?.throwIfAborted();
  if (query.trim() === '') return [];
  const now = requireTime(engine.settings.clock(), 'The time of the clock');
  const question = parseQuery(query, engine.index.analyze);
  const times = timesNamed(query, now);
  const [vector, known] = await Promise.all([
    engine.embedQuery(query, signal),
    engine.catchUp((rows) => knowledgeOf(rows, askedOf(rows, question), times, now, {}), signal),
  ]);
  return rankMessages(engine, { question, vector, known }, range, signal);
}

function invalid(message: string): MnemoraError {
  return new MnemoraError('invalid-input', message);
}
