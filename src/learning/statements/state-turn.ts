import { isNotice, messageText, type StoredMessage } from '../../model/message.ts';
import { yieldToEventLoop } from '../../model/event-loop.ts';
import type { StatementRow } from '../../storage/schema.ts';
import { foreignParts } from '../../model/pasted-parts.ts';
import { endsStatement, retractsWhatWasSaid } from './endings.ts';
import { markStatements } from './mark-statements.ts';

/** A statement without the scope that it is stored in. */
export type NewStatement = Omit<StatementRow, 'scope'>;

/** Number of statements compared at once, which takes a few milliseconds. */
const SLICE_STATEMENTS = 100;

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
): Promise<Map<string, NewStatement | StatementRow>> {
  const all = new Map<string, NewStatement | StatementRow>(known.map((row) => [row.id, row]));
  const changed = new Map<string, NewStatement | StatementRow>();
  const put = (row: NewStatement | StatementRow): void => {
    all.set(row.id, row);
    changed.set(row.id, row);
  };
  for (const statement of came) put(statement);
  for (const { id } of came) {
    for (const [count, each] of [...all.values()].entries()) {
      if (count % SLICE_STATEMENTS === SLICE_STATEMENTS - 1) await yieldToEventLoop();
      const statement = all.get(id);
      if (!statement || each.id === id) continue;
      const [earlier, later] = isBefore(each, statement) ? [each, statement] : [statement, each];
      const first = all.get(earlier.endedBy ?? '');
      if (first && !isBefore(later, first)) continue;
      if (endsStatement(later, earlier)) put({ ...earlier, endedBy: later.id });
    }
    retract(all, id, put);
  }
  return changed;
}

/** "Scratch that" ends the last statement before its message. */
function retract(
  all: ReadonlyMap<string, NewStatement | StatementRow>,
  id: string,
  put: (row: NewStatement | StatementRow) => void,
): void {
  const statement = all.get(id);
  if (!statement || !retractsWhatWasSaid(statement)) return;
  const earlier = [...all.values()].filter(
    (each) => each.messageId !== statement.messageId && isBefore(each, statement),
  );
  const last = earlier.reduce<NewStatement | undefined>(
    (newest, each) => (newest && isBefore(each, newest) ? newest : each),
    undefined,
  );
  if (last && last.endedBy === undefined) put({ ...last, endedBy: id });
}

function isBefore(one: NewStatement, other: NewStatement): boolean {
  return one.saidAt === other.saidAt ? one.id < other.id : one.saidAt < other.saidAt;
}
