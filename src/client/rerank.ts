import { abortable } from '../model/abortable.ts';
import { MnemoraError } from '../model/error.ts';
import { messageText, type StoredMessage } from '../model/message.ts';
import type { WarningListener } from '../model/warning.ts';
import type { SearchResult } from './search-result.ts';

/** A message that a search has found, as a function of the caller's own sees it. */
export interface RerankCandidate {
  readonly id: string;
  readonly text: string;
  readonly role: StoredMessage['role'];
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** What the search made of it. */
  readonly score: number;
}

/**
 * Scores candidates for a query: one finite number each, in their order, higher ones first. The signal is aborted when
 * nobody waits for it any more.
 */
export type Rerank = (
  query: string,
  candidates: readonly RerankCandidate[],
  options: { readonly signal: AbortSignal },
) => readonly number[] | Promise<readonly number[]>;

/** Of longer results only the first are ordered anew. */
export const RERANKED = 50;
const RERANK_TIMEOUT_MS = 2_000;

/**
 * The first {@link RERANKED} results in the order of the caller's scores, equal ones as before; the others stay behind
 * them. A score takes the place of the search's own, and is the part `rerank`. What fails leaves all as it is, and a
 * warning says so; only the caller's own signal rejects.
 */
export async function rerankResults(
  query: string,
  results: readonly SearchResult[],
  rerank: Rerank,
  { onWarning, signal }: { onWarning: WarningListener; signal?: AbortSignal | undefined },
): Promise<SearchResult[]> {
  const head = results.slice(0, RERANKED);
  if (head.length === 0) return [];
  const late = new AbortController();
  const timer = setTimeout(
    () => late.abort(new Error(`It took longer than ${RERANK_TIMEOUT_MS} ms.`)),
    RERANK_TIMEOUT_MS,
  );
  const either = signal ? AbortSignal.any([signal, late.signal]) : late.signal;
  try {
    const candidates = head.map((result) => ({
      id: result.id,
      text: messageText(result),
      role: result.role,
      createdAt: result.createdAt,
      score: result.score,
    }));
    const asked = Promise.resolve().then(() => rerank(query, candidates, { signal: either }));
    const scores = checkScores(await abortable(asked, either), head.length);
    const reranked = head.map((result, at) => ({ result, score: scores[at] ?? 0 }));
    return [
      ...reranked
        .toSorted((a, b) => b.score - a.score)
        .map(({ result, score }) => ({ ...result, score, why: { rerank: score } })),
      ...results.slice(RERANKED),
    ];
  } catch (cause) {
    signal?.throwIfAborted();
    const reason = cause instanceof Error ? cause.message : String(cause);
    onWarning({
      code: 'rerank-failed',
      message: `The function given as rerank failed; the results are in the order of the search. ${reason}`,
      cause,
    });
    return [...results];
  } finally {
    clearTimeout(timer);
  }
}

function checkScores(scores: unknown, count: number): readonly number[] {
  const areScores = Array.isArray(scores) && scores.length === count && scores.every(Number.isFinite);
  if (areScores) return scores as number[];
  throw new MnemoraError('invalid-input', `It must give ${count} finite numbers, one for each candidate.`);
}
