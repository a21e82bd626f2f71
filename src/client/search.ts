import type { KnownAtQuery } from '../graph/graph-query.ts';
import { requireTime } from '../model/clock.ts';
import { MnemoraError } from '../model/error.ts';
import { MAX_MESSAGE_CHARACTERS, type StoredMessage } from '../model/message.ts';
import { resolveQuery } from '../learning/facts-about.ts';
import type { FoundTurn } from '../recall/context-layout.ts';
import type { QueryKnowledge } from '../recall/query-knowledge.ts';
import { duplicateKey } from '../recall/duplicate-key.ts';
import { timesNamed } from '../recall/time-window.ts';
import { rankMessages as rankByFeatures } from '../recall/rank-messages.ts';
import { CANDIDATES, type RankingInput } from '../recall/ranking-input.ts';
import type { FusedHit } from '../search/fuse.ts';
import { parseQuery, type ParsedQuery } from '../search/parsed-query.ts';
import type { MessageMetadata } from '../search/metadata-columns.ts';
import { isInRange, isUnlimited, type MessageRange } from '../search/vector-search.ts';
import type { WarningListener } from '../model/warning.ts';
import type { Engine } from './engine.ts';
import { knowledgeOf } from './query-knowledge.ts';
import { RERANKED, rerankResults } from './rerank.ts';
import type { SearchResult } from './search-result.ts';
import { checkSearchOptions, messageFilter, type SearchOptions } from './search-options.ts';

/** So many times as many messages are ranked again where a filter has let too few through. */
const MORE_CANDIDATES = 8;

/**
 * Ranks single messages. Of those that say the same but for case, marks and endings, in whatever session, only the best
 * takes one of the `limit` places.
 */
export async function searchMessages(
  engine: Engine,
  query: string,
  options: SearchOptions,
): Promise<SearchResult[]> {
  checkSearchOptions(options);
  const { limit = 10, sessionId, from = -Infinity, to = Infinity, rerank, signal } = options;
  if (typeof query !== 'string' || query.length > MAX_MESSAGE_CHARACTERS) {
    throw invalid(`A query must be a string of at most ${MAX_MESSAGE_CHARACTERS} characters.`);
  }
  signal?.throwIfAborted();
  if (query.trim() === '' || limit === 0) return [];
  const asked = await askQuestion(engine, query, signal);
  const range = { ...(sessionId === undefined ? {} : { sessionId }), from, to };
  const wanted = {
    count: rerank ? Math.max(limit, RERANKED) : limit,
    isWanted: messageFilter(options),
    range,
    signal,
  };
  const results = await bestResults(engine, asked, wanted);
  if (!rerank) return results;
  const onWarning: WarningListener = (warning) => engine.events.warn(warning);
  return (await rerankResults(query, results, rerank, { onWarning, signal })).slice(0, limit);
}

interface Wanted {
  readonly count: number;
  /** Undefined where all are. */
  readonly isWanted: ((message: StoredMessage) => boolean) | undefined;
  readonly range: MessageRange;
  readonly signal: AbortSignal | undefined;
}

/** The first results that are wanted and say different things. */
async function bestResults(
  engine: Engine,
  asked: RankedQuestion,
  { count, isWanted, range, signal }: Wanted,
): Promise<SearchResult[]> {
  // Where a filter lets few through, more are ranked until enough pass, or until there are no more.
  for (let limit = CANDIDATES, before = -1; ; limit *= MORE_CANDIDATES) {
    const hits = await rankMessages(engine, asked, range, { limit, signal });
    const results: SearchResult[] = [];
    const said = new Set<string>();
    // As many as are wanted, and twice as many again as long as too few are left of them.
    for (let at = 0, size = count; results.length < count && at < hits.length; at += size, size *= 2) {
      for (const result of await loadResults(engine, hits.slice(at, at + size), signal)) {
        const words = duplicateKey([result]);
        if (results.length === count || isWanted?.(result) === false || (words !== '' && said.has(words)))
          continue;
        said.add(words);
        results.push(result);
      }
    }
    if (!isWanted || results.length === count || hits.length <= before || hits.length < limit) return results;
    before = hits.length;
  }
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
    return message ? [{ ...message, score, why: parts }] : []; // forgotten since the index was asked
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

/** How many messages of each list are ranked. */
interface RankOptions {
  /** @default {@link CANDIDATES} */
  readonly limit?: number;
  readonly signal: AbortSignal | undefined;
}

/** Ranks the messages that are in the index now; none for a question without a word. */
export async function rankMessages(
  engine: Engine,
  asked: RankedQuestion,
  range: MessageRange & KnownAtQuery,
  options: RankOptions,
): Promise<FusedHit[]> {
  const input = await rankingInput(engine, asked, range, options);
  return input ? rankByFeatures(input) : [];
}

/** What messages are ranked by for a question; undefined for one without a word. */
export async function rankingInput(
  engine: Engine,
  { question, vector, known }: RankedQuestion,
  range: MessageRange & KnownAtQuery,
  { limit = CANDIDATES, signal }: RankOptions,
): Promise<RankingInput | undefined> {
  if (question.text.trim() === '') return undefined;
  const { knownAt, ...within } = range;
  const limits = knownAt === undefined ? within : { ...within, to: knownAt };
  const similar = vector ? await engine.nearest(vector, limits, limit, signal) : [];
  // Where every message stands is looked up only if it matters.
  const admits = isUnlimited(limits)
    ? undefined
    : (place: MessageMetadata): boolean => isInRange(place, limits);
  return { ...engine.index.rankingInput(question, similar, admits, known), limit };
}

/** A query with all that is known of it now. */
export async function askQuestion(
  engine: Engine,
  query: string,
  signal: AbortSignal | undefined,
): Promise<RankedQuestion> {
  const now = requireTime(engine.settings.clock(), 'The time of the clock');
  const question = parseQuery(query, engine.index.analyze);
  const times = timesNamed(query, now);
  // Where the memory was closed this throws, and nothing is begun that nobody waits for.
  const catchingUp = engine.catchUp(
    (rows) => knowledgeOf(rows, resolveQuery(rows, question), times, now, {}),
    signal,
  );
  const [known, vector] = await Promise.all([catchingUp, engine.embedQuery(query, signal)]);
  return { question, vector, known };
}

function invalid(message: string): MnemoraError {
  return new MnemoraError('invalid-input', message);
}
