import { assembleContext, type AssembleInput } from './assemble-context.ts';
import type { ContextItem } from './context-item.ts';

/** Something that could have gone into a context. */
export interface ContextCandidate extends ContextItem {
  readonly isIncluded: boolean;
  /** `sent`: it is in. `no-room`: it does not fit beside what comes before it, or its kind's share is used up. */
  readonly reason: 'sent' | 'no-room';
}

/** All that is considered for a context, in the order of the prompt, and whether it got in. Pure. */
export function explainContext(input: AssembleInput): ContextCandidate[] {
  const { items } = assembleContext(input);
  const sent = new Map(items.map((item) => [identityOf(item), item]));
  const candidates = assembleContext({ ...input, maxTokens: UNLIMITED }).items;
  return candidates.map((candidate) => {
    const item = sent.get(identityOf(candidate));
    return item
      ? { ...item, isIncluded: true, reason: 'sent' }
      : { ...candidate, isIncluded: false, reason: 'no-room' };
  });
}

const UNLIMITED = 1e9;

/** A turn is the same whether it is sent as it is or quoted; a summary may be cut. */
function identityOf({ kind, factId, turnId }: ContextItem): string {
  return kind === 'summary' ? 'summary' : `${factId ?? ''}/${turnId}`;
}
