import { entityTombstone, isEntityForgotten, namesForgotten } from '../../storage/entity-tombstone.ts';
import type { ClaimRow } from '../../storage/schema.ts';
import type { KnowledgeDraft } from '../knowledge-draft.ts';

type Stated = Pick<ClaimRow, 'id' | 'messageId' | 'text'>;

/** Erases claims, and prevents them from being created again from their messages. */
export function forgetClaims(draft: KnowledgeDraft, claims: readonly Stated[]): void {
  draft.addTombstones(claims.map(({ id, messageId }) => entityTombstone(messageId, id)));
  draft.dropClaims(claims.map(({ id }) => id));
}

/** Returns the claims whose text overlaps the quote of one of these sources. */
export function claimsQuoted(
  draft: KnowledgeDraft,
  sources: readonly { readonly messageId: string; readonly quote?: string; readonly isContext?: boolean }[],
): ClaimRow[] {
  const told = sources.filter(({ isContext }) => isContext !== true);
  return draft
    .claims()
    .filter(({ messageId, text }) =>
      told.some(
        (source) =>
          source.messageId === messageId &&
          (source.quote === undefined || source.quote.includes(text) || text.includes(source.quote)),
      ),
    );
}

/** Whether a claim was forgotten, by itself or together with somebody or something it names. */
export function isClaimForgotten({ id, messageId, text }: Stated, tombstones: readonly string[]): boolean {
  return isEntityForgotten(tombstones, messageId, id) || namesForgotten(text, messageId, tombstones);
}
