import { entityTombstone, isEntityForgotten, namesForgotten } from '../../storage/entity-tombstone.ts';
import type { StatementRow } from '../../storage/schema.ts';
import type { KnowledgeDraft } from '../knowledge-draft.ts';

type Stated = Pick<StatementRow, 'id' | 'messageId' | 'text'>;

/** Erases statements, so that they are not made again from their messages. */
export function forgetStatements(draft: KnowledgeDraft, statements: readonly Stated[]): void {
  draft.addTombstones(statements.map(({ id, messageId }) => entityTombstone(messageId, id)));
  draft.dropStatements(statements.map(({ id }) => id));
}

/** The statements in the words in which one of these sources told a fact, or in a part of them. */
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

/** Whether a statement was forgotten, by itself or with somebody or something that it names. */
export function isStatementForgotten(
  { id, messageId, text }: Stated,
  tombstones: readonly string[],
): boolean {
  return isEntityForgotten(tombstones, messageId, id) || namesForgotten(text, messageId, tombstones);
}
