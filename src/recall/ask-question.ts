import type { KnownAtQuery } from '../graph/graph-query.ts';
import { readText, type ReadText } from '../language/read-text.ts';
import { eventDate, timesNamed, withEvents, type NamedTimes } from '../language/times.ts';
import { resolveQuery, type ResolvedQuery } from '../learning/facts-about.ts';
import type { KnowledgeRows } from '../learning/knowledge-rows.ts';
import { entityMessageScores, queryEvents } from '../learning/sentence-search.ts';
import { requireTime } from '../model/clock.ts';
import { parseQuery, type ParsedQuery } from '../search/analyzer.ts';
import type { MessageMetadata } from '../search/conversation-segment.ts';
import type { FusedHit } from '../search/fuse.ts';
import { isInRange, isUnlimited, type MessageRange } from '../search/vector-search.ts';
import type { QueryKnowledge } from './index/scope-index.ts';
import type { FoundTurn } from './layout/context-layout.ts';
import { rankMessages as rankByFeatures, CANDIDATES, type RankingInput } from './rank/rank-messages.ts';
import type { RecallParts } from './recall-parts.ts';

/** A question and the times that it names from `now`, in milliseconds since 1970. */
export interface TimedQuestion {
  readonly question: ParsedQuery;
  readonly read: ReadText;
  readonly times: NamedTimes;
  readonly now: number;
}

export function timedQuestion({ settings, index }: RecallParts, read: ReadText): TimedQuestion {
  const now = requireTime(settings.clock(), 'The time of the clock');
  const question = parseQuery(read.text, index.analyze);
  return { question, read, times: timesNamed(question.text, now), now };
}

/**
 * Returns what facts and notes say about a question and the times that it names. Call it before anything is awaited,
 * because the rows keep changing.
 */
export function knowledgeOf(
  rows: KnowledgeRows,
  resolved: ResolvedQuery,
  { times, now }: TimedQuestion,
  when: KnownAtQuery,
): QueryKnowledge {
  return {
    now,
    related: entityMessageScores(rows, resolved, when),
    times: withEvents(times, now, (phrase, by) =>
      eventDate(phrase, by, queryEvents(rows, phrase, when), now),
    ),
  };
}

/** A question with everything that its ranking depends on. */
export interface RankedQuestion {
  readonly question: ParsedQuery;
  /** Undefined without a model. */
  readonly vector: Float32Array | undefined;
  readonly known: QueryKnowledge;
}

/** Returns a query with everything that is known about it now. */
export async function askQuestion(
  parts: RecallParts,
  query: string,
  signal?: AbortSignal,
): Promise<RankedQuestion> {
  const asked = timedQuestion(parts, readText(query));
  const { question } = asked;
  const look = (rows: KnowledgeRows) => knowledgeOf(rows, resolveQuery(rows, question), asked, {});
  // If the memory was closed, `catchUp` throws before the question is embedded.
  const [known, vector] = await Promise.all([parts.catchUp(look, signal), parts.embedQuery(query, signal)]);
  return { question, vector, known };
}

/** Ranks the messages that are in the index now; none for a question without a word. */
export async function rankMessages(...asked: Parameters<typeof rankingInput>): Promise<FusedHit[]> {
  const input = await rankingInput(...asked);
  return input ? rankByFeatures(input) : [];
}

/**
 * Returns the input of the ranking; undefined for a question without a word.
 *
 * @param limit number of candidates from each list
 */
export async function rankingInput(
  parts: RecallParts,
  { question, vector, known }: RankedQuestion,
  range: MessageRange,
  signal?: AbortSignal,
  limit: number = CANDIDATES,
): Promise<RankingInput | undefined> {
  if (question.text.trim() === '') return undefined;
  const similar = vector ? await parts.nearest(vector, range, limit, signal) : [];
  const isInside = (place: MessageMetadata): boolean => isInRange(place, range);
  // The metadata of every message is looked up only if it matters.
  const filter = isUnlimited(range) ? undefined : isInside;
  return { ...parts.index.rankingInput(question, similar, filter, known), limit };
}

/**
 * Returns the turns of the best messages that still exist, each with the score of its best message, and those of messages
 * that were not found.
 */
export async function loadTurns(
  parts: RecallParts,
  hits: readonly FusedHit[],
  { limit = Infinity, notFound = [] }: { limit?: number; notFound?: readonly FusedHit[] },
  signal?: AbortSignal,
): Promise<FoundTurn[]> {
  const found = bestOfTurns(parts, hits, limit);
  const best = new Map([...bestOfTurns(parts, notFound, Infinity), ...found]);
  if (best.size === 0) return [];
  const turnIds = new Set([...found.keys(), ...best.keys()]);
  const turns = await parts.stores.transcript.loadTurns(parts.settings.scope, [...turnIds], signal);
  return scoredTurns(turns, best).map((turn) =>
    found.has(turn.messages[0]?.turnId ?? '') ? turn : { ...turn, isNotFound: true },
  );
}

/** Returns turns that are loaded in the order of other hits, with their scores. */
export function inOrderOf(
  parts: RecallParts,
  turns: readonly FoundTurn[],
  hits: readonly FusedHit[],
): FoundTurn[] {
  const loaded = new Map(turns.map((turn) => [turn.messages[0]?.turnId ?? '', turn.messages]));
  const best = bestOfTurns(parts, hits, Infinity);
  const inOrder = [...best.keys()].map((turnId) => loaded.get(turnId) ?? []);
  return scoredTurns(inOrder, best);
}

/** Returns the best hit of each of the first turns. */
function bestOfTurns(parts: RecallParts, hits: readonly FusedHit[], limit: number): Map<string, FusedHit> {
  const best = new Map<string, FusedHit>();
  for (const hit of hits) {
    const turnId = parts.index.get(hit.id)?.turnId;
    if (turnId !== undefined && !best.has(turnId)) best.set(turnId, hit); // the first one is the best
    if (best.size >= limit) break;
  }
  return best;
}

function scoredTurns(
  turns: readonly FoundTurn['messages'][],
  best: ReadonlyMap<string, FusedHit>,
): FoundTurn[] {
  return turns.flatMap((messages) => {
    const hit = best.get(messages[0]?.turnId ?? '');
    return hit ? [{ messages, score: hit.score, why: hit.parts }] : [];
  });
}
