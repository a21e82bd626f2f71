import { foreignParts } from '../../language/pasted-parts.ts';
import { yieldToEventLoop } from '../../model/event-loop.ts';
import { isNotice, messageText, type StoredMessage } from '../../model/message.ts';
import type { KnowledgeStore } from '../../storage/knowledge-store.ts';
import type { StatementRow } from '../../storage/schema.ts';
import type { KnowledgeDraft } from '../knowledge-draft.ts';
import { endsStatement, retractsWhatWasSaid } from './endings.ts';
import { isStatementForgotten } from './forgotten-statements.ts';
import { markStatements } from './mark-statements.ts';

/** Version of the marking. Statements of another version are created again. */
export const STATEMENTS_VERSION = 2;

/** A statement without the scope that it is stored in. */
export type NewStatement = Omit<StatementRow, 'scope'>;

/** Number of statements compared at once, which takes a few milliseconds. */
const SLICE_STATEMENTS = 100;

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
    if (at > 0) await yieldToEventLoop();
    const stated = stateTurn(turn, [...context, ...turns.slice(0, at)], userName);
    if (stated.length === 0) continue;
    const forgotten = await store.tombstones(turn.map((message) => message.id));
    const came = stated.filter((each) => !isStatementForgotten(each, forgotten));
    draft.addStatements(await withEndings(draft.statements(), came));
  }
}

/**
 * Returns the user's statements in a turn.
 *
 * @param before the turns before it, oldest first
 * @param userName name of the user: see `foreignParts`
 */
export function stateTurn(
  turn: readonly StoredMessage[],
  before: readonly (readonly StoredMessage[])[],
  userName?: string,
): NewStatement[] {
  const said = [...before.flat(), ...turn];
  return turn.flatMap((message) => {
    if (message.role !== 'user') return [];
    const earlier = said.slice(0, said.indexOf(message));
    const asked = earlier.findLast((other) => other.role === 'assistant' && !isNotice(other));
    const text = messageText(message);
    const marked = markStatements(text, {
      before: asked ? messageText(asked) : '',
      pasted: foreignParts(message, text, userName),
    });
    return marked.map(({ text: stated, start, question, score, topic, kinds, isEnding }) => ({
      id: `${message.id}/${start}`,
      text: question === undefined ? stated : `${question} ${stated}`,
      messageId: message.id,
      origin: 'user' as const,
      kinds,
      topic,
      score,
      saidAt: message.createdAt,
      ...(isEnding ? { isEnding } : {}),
    }));
  });
}

/**
 * Returns the statements in `came` and `known` to store after new ones have arrived: those that have ended, and those
 * that end others. If several end the same one, the first counts, whatever order they arrive in.
 */
export async function withEndings(
  known: readonly StatementRow[],
  came: readonly NewStatement[],
): Promise<NewStatement[]> {
  const all = new Map<string, NewStatement>(known.map((row) => [row.id, row]));
  const changed = new Map<string, NewStatement>();
  const put = (row: NewStatement): void => {
    all.set(row.id, row);
    changed.set(row.id, row);
  };
  for (const statement of came) put(statement);
  for (const { id, messageId } of came) {
    for (const [count, each] of [...all.values()].entries()) {
      if (count % SLICE_STATEMENTS === SLICE_STATEMENTS - 1) await yieldToEventLoop();
      const statement = all.get(id);
      if (!statement || each.id === id) continue;
      const [earlier, later] = inTime(each, statement) < 0 ? [each, statement] : [statement, each];
      const first = all.get(earlier.endedBy ?? '');
      if (first && inTime(later, first) >= 0) continue;
      if (endsStatement(later, earlier)) put({ ...earlier, endedBy: later.id });
    }
    const statement = all.get(id);
    if (!statement || !retractsWhatWasSaid(statement)) continue;
    // "Scratch that" ends the last statement before its message.
    const last = [...all.values()]
      .filter((each) => each.messageId !== messageId && inTime(each, statement) < 0)
      .toSorted(inTime)
      .at(-1);
    if (last && last.endedBy === undefined) put({ ...last, endedBy: id });
  }
  return [...changed.values()];
}

function inTime(one: NewStatement, other: NewStatement): number {
  return one.saidAt - other.saidAt || (one.id < other.id ? -1 : 1);
}
