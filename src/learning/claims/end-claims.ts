import { yieldToEventLoop } from '../../model/event-loop.ts';
import type { ClaimRow } from '../../storage/schema.ts';
import type { KnowledgeDraft } from '../knowledge-draft.ts';
import { readClaim, takesBack } from './claim-reading.ts';
import { endedWords } from './endings.ts';

/** Number of claims compared at once, which takes a few milliseconds. */
const SLICE_CLAIMS = 50;

/**
 * Stores claims, ends those that they end, and ends them by those that came earlier but were said later. If several end
 * the same one, the first counts, whatever order they arrive in. Only the claims that an index finds are compared.
 */
export async function endClaims(
  draft: KnowledgeDraft,
  came: readonly Omit<ClaimRow, 'scope'>[],
): Promise<void> {
  draft.addClaims(came);
  let compared = 0;
  for (const { id } of came) {
    const claim = draft.claim(id);
    if (!claim) continue;
    const pairs = [
      ...draft.targetsOf(claim).map((target) => [target.id, id] as const),
      ...draft.endersOf(claim).map((ender) => [id, ender.id] as const),
    ];
    for (const [earlierId, laterId] of pairs) {
      if (++compared % SLICE_CLAIMS === 0) await yieldToEventLoop();
      const [earlier, later] = [draft.claim(earlierId), draft.claim(laterId)];
      if (earlier && later) endIfOver(draft, earlier, later);
    }
  }
}

/** A claim that ends a further part of another one, and the words that it ends. */
export interface LaterEnd {
  readonly by: ClaimRow;
  readonly words: string;
}

/** Words of a claim that another one ends, by the other; null if none. */
const compared = new WeakMap<ClaimRow, WeakMap<ClaimRow, string | null>>();

/** Returns what ends further parts of a claim that is over in part. Each pair of claims is compared once. */
export function laterEnds(earlier: ClaimRow, enders: readonly ClaimRow[]): readonly LaterEnd[] {
  const known = compared.get(earlier) ?? new WeakMap<ClaimRow, string | null>();
  compared.set(earlier, known);
  const later = enders.flatMap((by) => {
    if (by.id === earlier.endedBy || !isLater(by, earlier)) return [];
    const before = known.get(by);
    const words = before === undefined ? furtherWords(by, earlier) : before;
    known.set(by, words);
    return words === null ? [] : { by, words };
  });
  return later.toSorted((one, other) => bySaying(one.by, other.by));
}

function furtherWords(by: ClaimRow, earlier: ClaimRow): string | null {
  if (takesBack(readClaim(by))) return null;
  return endedWords(by, earlier, isNextMessage(by, earlier)) ?? null;
}

function isLater(later: ClaimRow, earlier: ClaimRow): boolean {
  return earlier.messageId !== later.messageId && bySaying(earlier, later) < 0;
}

function isNextMessage({ ends = [] }: ClaimRow, { messageId }: ClaimRow): boolean {
  return ends.includes(`message:${messageId}`);
}

function endIfOver(draft: KnowledgeDraft, earlier: ClaimRow, later: ClaimRow): void {
  if (!isLater(later, earlier)) return;
  const first = draft.claim(earlier.endedBy ?? '');
  if (first && bySaying(later, first) >= 0) return;
  const isNext = isNextMessage(later, earlier);
  // "Scratch that" takes back the last claim of the message before.
  if (isNext && takesBack(readClaim(later)) && !isLastOfMessage(draft, earlier)) return;
  const words = endedWords(later, earlier, isNext);
  if (words === undefined) return;
  const { endedText: _before, ...held } = earlier;
  draft.addClaims([{ ...held, endedBy: later.id, ...(words === earlier.text ? {} : { endedText: words }) }]);
}

function isLastOfMessage(draft: KnowledgeDraft, { messageId, start }: ClaimRow): boolean {
  const ends = [`message:${messageId}`];
  return draft.targetsOf({ ends }).every((other) => other.isWeak === true || other.start <= start);
}

/** Compares claims by when they were said. In a session, that is the order of its messages: see `timeSaid`. */
export function bySaying(one: ClaimRow, other: ClaimRow): number {
  const bySession = one.sessionId < other.sessionId ? -1 : Number(one.sessionId > other.sessionId);
  return one.saidAt - other.saidAt || bySession || one.seq - other.seq || one.start - other.start;
}
