import type { StoredMessage } from '../../model/message.ts';
import type { KnowledgeStore } from '../../storage/knowledge-store.ts';
import type { KnowledgeDraft } from '../knowledge-draft.ts';
import { isStatementForgotten } from './forgotten-statements.ts';
import { stateTurn, withEndings } from './state-turn.ts';

/** Changes with what is marked: statements of another version are made again. */
export const STATEMENTS_VERSION = 1;

/**
 * Adds what the user states in some turns, and ends what that ends. What was forgotten is not stated again.
 *
 * @param context the turns before them, oldest first
 * @param userName see `foreignParts`
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
