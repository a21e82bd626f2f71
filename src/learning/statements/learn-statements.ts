import type { StoredMessage } from '../../model/message.ts';
import type { KnowledgeStore } from '../../storage/knowledge-store.ts';
import type { KnowledgeDraft } from '../knowledge-draft.ts';
import { isStatementForgotten } from './forgotten-statements.ts';
import { stateTurn, withEndings } from './state-turn.ts';

/** Version of the marking. Statements of another version are created again. */
export const STATEMENTS_VERSION = 1;

/**
 * Adds the user's statements in some turns, and ends the statements that they end. Forgotten ones are not added
 * again.
 *
 * @param context the turns before them, oldest first
 * @param userName name of the user: see `foreignParts`
 */
export async function learnStatements(
  draft: KnowledgeDraft,
  store: Pick<KnowledgeStore, 'tombstones'>,
  turns: readonly (readonly StoredMessage[])[],
  context: readonly (readonly StoredMessage[])[],
  userName?: string,
): Promise<void> {
  for (const [at, turn] of turns.entries()) {
    const stated = stateTurn(turn, [...context, ...turns.slice(0, at)], userName);
    if (stated.length === 0) continue;
    const forgotten = await store.tombstones(turn.map((message) => message.id));
    const came = stated.filter((each) => !isStatementForgotten(each, forgotten));
    draft.addStatements([...(await withEndings(draft.statements(), came)).values()]);
  }
}
