import { entityTombstone, isEntityForgotten, namesForgotten } from '../../storage/entity-tombstone.ts';
import type { StatementRow } from '../../storage/schema.ts';
import type { KnowledgeDraft } from '../knowledge-draft.ts';

type Stated = Pick<StatementRow, 'id' | 'messageId' | 'text'>;

/** Erases statements, and prevents them from being created again from their messages. */
export function forgetStatements(draft: KnowledgeDraft, statements: readonly Stated[]): void {
  draft.addTombstones(statements.map(({ id, messageId }) => entityTombstone(messageId, id)));
  draft.dropStatements(statements.map(({ id }) => id));
}

/** Returns the statements whose text overlaps the quote of one of these sources. */
export function statementsQuoted(
  draft: KnowledgeDraft,
  sources: readonly { readonly messageId: string; readonly quote?: string; readonly isContext?: boolean }[],
): StatementRow[] {
  const told = sources.filter(({ isContext }) => isContext !== true);
  return draft
    .statements()
    .filter(({ messageId, text }) =>
      told.some(
        (source) =>
          source.messageId === messageId &&
          (source.quote === undefined || source.quote.includes(text) || text.includes(source.quote)),
      ),
    );
}

/** Whether a statement was forgotten, by itself or together with somebody or something it names. */
export function isStatementForgotten(
  { id, messageId, text }: Stated,
  tombstones: readonly string[],
): boolean {
  return isEntityForgotten(tombstones, messageId, id) || namesForgotten(text, messageId, tombstones);
}
