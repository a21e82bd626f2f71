import { nameKey } from '../../graph/entity-name.ts';
import { entityTombstone, isEntityForgotten } from '../../storage/entity-tombstone.ts';
import type { StatementRow } from '../../storage/schema.ts';
import type { KnowledgeDraft } from '../knowledge-draft.ts';

type Stated = Pick<StatementRow, 'id' | 'messageId' | 'text'>;

/** A name has so many words at most. */
const NAME_WORDS = 4;

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
  const own = tombstones.filter((tombstone) => tombstone.startsWith(`${messageId}/`));
  if (own.length === 0) return false;
  if (isEntityForgotten(own, messageId, id)) return true;
  const words = text.match(/[\p{L}\p{N}]+(?:['’.-][\p{L}\p{N}]+)*/gu) ?? [];
  return words.some((_word, start) =>
    Array.from({ length: NAME_WORDS }, (_, count) =>
      nameKey(words.slice(start, start + count + 1).join(' ')),
    ).some(
      (key) =>
        isEntityForgotten(own, messageId, key.replace(/['’]s$/u, '')) ||
        isEntityForgotten(own, messageId, key),
    ),
  );
}
