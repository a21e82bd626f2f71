import { withTimeLimit } from '../model/abortable.ts';
import { invalidInput } from '../model/error.ts';
import { messageText, type StoredMessage } from '../model/message.ts';
import type { FusedHit } from '../search/fuse.ts';
import type { FoundTurn } from './layout/context-layout.ts';
import type { RecallParts } from './recall-parts.ts';

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

/** Maximum number of candidates; the others keep their order behind them. */
export const RERANKED = 50;
const RERANK_TIMEOUT_MS = 2_000;

/**
 * Returns the caller's scores of candidates; undefined if there are none, or if `rerank` fails, which sends a warning. Only
 * the caller's own signal rejects.
 */
export async function callerScores(
  { events }: RecallParts,
  query: string,
  candidates: readonly RerankCandidate[],
  rerank: Rerank,
  signal: AbortSignal | undefined,
): Promise<readonly number[] | undefined> {
  if (candidates.length === 0) return undefined;
  const late = (): Error => new Error(`It took longer than ${RERANK_TIMEOUT_MS} ms.`);
  try {
    const answer = await withTimeLimit(RERANK_TIMEOUT_MS, signal, late, async (either) =>
      rerank(query, candidates, { signal: either }),
    );
    return checkScores(answer, candidates.length);
  } catch (cause) {
    signal?.throwIfAborted();
    const reason = cause instanceof Error ? cause.message : String(cause);
    const message = `The rerank function failed; the results keep the order of the search. ${reason}`;
    events.warn({ code: 'rerank-failed', message, cause });
    return undefined;
  }
}

function checkScores(scores: unknown, count: number): readonly number[] {
  const areScores = Array.isArray(scores) && scores.length === count && scores.every(Number.isFinite);
  if (areScores) return scores as number[];
  throw invalidInput(`It must return ${count} finite numbers, one for each candidate.`);
}

/**
 * Returns the messages that search has found in the order of the caller's scores. They get the scores of the search in
 * that order, because what follows compares scores of the search only: the caller's can be of any size.
 *
 * @param turns the turns of the best messages
 */
export async function rerankHits(
  parts: RecallParts,
  query: string,
  hits: readonly FusedHit[],
  turns: readonly FoundTurn[],
  rerank: Rerank,
  signal: AbortSignal | undefined,
): Promise<readonly FusedHit[]> {
  const messages = new Map(turns.flatMap((turn) => turn.messages.map((message) => [message.id, message])));
  const known = hits.filter(({ id }) => messages.has(id)).slice(0, RERANKED);
  const candidates = known.flatMap(({ id, score }): RerankCandidate[] => {
    const message = messages.get(id);
    if (!message) return [];
    const { role, createdAt } = message;
    return [{ id, text: messageText(message), role, createdAt, score }];
  });
  const scores = await callerScores(parts, query, candidates, rerank, signal);
  if (!scores) return hits;
  const ordered = candidates
    .map(({ id }, at) => ({ id, score: scores[at] ?? 0 }))
    .toSorted((a, b) => b.score - a.score)
    .map(({ id, score }, at) => ({ id, score: known[at]?.score ?? 0, parts: { rerank: score } }));
  const isReranked = new Set(candidates.map(({ id }) => id));
  const rest = hits.filter(({ id }) => !isReranked.has(id));
  return [...ordered, ...rest].toSorted((a, b) => b.score - a.score);
}
