import { sentenceOf } from '../graph/triple.ts';
import { unconfirmedWord, type StatedBy } from '../learning/stated-by.ts';
import { MnemoraError } from '../model/error.ts';
import { checkCallOptions } from './call-options.ts';
import { forget } from './forget.ts';
import { confirmFact, factOf, type KnowledgeParts, type MemoryFact } from './knowledge.ts';

/** A fact that the user has not said, and that waits for their word. */
export interface ReviewItem {
  /** That of the fact, for `accept` and `reject`. */
  readonly id: string;
  /** The fact as a sentence. */
  readonly text: string;
  /** Whose word it is. */
  readonly statedBy: Exclude<StatedBy, 'user'>;
  readonly fact: MemoryFact;
}

const MOST_ITEMS = 50;

/** What others have said and the user has not: what holds now, the newest first. @throws MnemoraError `invalid-option` */
export async function listForReview(
  { graph }: Pick<KnowledgeParts, 'graph'>,
  options: { signal?: AbortSignal },
): Promise<ReviewItem[]> {
  checkCallOptions('review', options, ['signal']);
  const rows = await graph.rows(options.signal);
  const items = rows.graph.triples().flatMap((fact): ReviewItem[] => {
    const statedBy = unconfirmedWord(fact);
    if (statedBy === undefined) return [];
    return [{ id: fact.id, text: sentenceOf(fact), statedBy, fact: factOf(rows, fact) }];
  });
  return items
    .toSorted((a, b) => b.fact.recordedAt - a.fact.recordedAt || (a.id < b.id ? -1 : 1))
    .slice(0, MOST_ITEMS);
}

/** Makes a fact that waits the user's word. @throws MnemoraError `not-found`, `invalid-option` */
export async function accept(
  memory: KnowledgeParts,
  id: string,
  options: { signal?: AbortSignal },
): Promise<MemoryFact> {
  checkCallOptions('accept', options, ['signal']);
  await requireWaiting(memory, id, options.signal);
  return confirmFact(memory, id, options);
}

/** Forgets a fact that waits; it is not learned again from the same messages. @throws MnemoraError as {@link accept} */
export async function reject(
  memory: KnowledgeParts,
  id: string,
  options: { signal?: AbortSignal },
): Promise<void> {
  checkCallOptions('reject', options, ['signal']);
  await requireWaiting(memory, id, options.signal);
  await forget(memory, { factId: id });
}

async function requireWaiting(
  { graph }: KnowledgeParts,
  id: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const rows = await graph.rows(signal);
  const fact = typeof id === 'string' ? rows.graph.triple(id) : undefined;
  if (fact && unconfirmedWord(fact) !== undefined) return;
  throw new MnemoraError('not-found', `No fact with the id "${id}" waits for a review. Nothing was changed.`);
}
