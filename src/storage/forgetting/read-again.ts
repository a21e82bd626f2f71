import { knowledgeChange } from '../change-log.ts';
import { bySession, type Erasure } from '../erasure.ts';
import { between } from '../key-range.ts';
import type { Plan } from '../plan.ts';
import { rebuiltRange } from '../rebuilt/rebuilt-rows.ts';
import { getAllOf } from '../rows.ts';
import type { ClaimRow, SessionKey } from '../schema.ts';
import type { Transaction } from '../storage-engine.ts';

/** Returns the queue of the jobs that read claims again. */
export function restateQueue(scope: string): string {
  return `restate/${scope}`;
}

/** Some turns of a session, and the ids of their messages. */
interface TurnsOfSession {
  readonly key: SessionKey;
  readonly turnIds: readonly string[];
  readonly messageIds: readonly string[];
}

/** Number of messages behind an erased one among which the turns that continue it are. */
const FOLLOWING_MESSAGES = 8;
/** Number of turns behind an erased message that may continue it: two tabs may have interleaved their turns. */
const FOLLOWING_TURNS = 2;

/**
 * Plans to read the claims of turns again that continue erased messages. The question that a short answer belongs to is
 * erased from its claim at once.
 *
 * @param gone ids of erased claims
 */
export async function planReadingAgain(
  transaction: Transaction,
  erasure: Erasure,
  gone: ReadonlySet<string>,
): Promise<Plan[]> {
  const following = await followingTurns(transaction, erasure);
  return Promise.all(following.map((turns) => planReading(transaction, turns, gone)));
}

/** Returns the turns that may continue erased messages, session by session. */
async function followingTurns(transaction: Transaction, erasure: Erasure): Promise<TurnsOfSession[]> {
  const { ids } = erasure;
  const gone = new Set(erasure.sessions.map((key) => JSON.stringify(key)));
  const sessions = bySession(erasure).filter(({ key }) => !gone.has(JSON.stringify(key)));
  const found = sessions.map(async ({ key, rows }) => {
    const erased = new Set(rows.map(({ seq }) => seq));
    const ends = [...erased].filter((seq) => !erased.has(seq + 1));
    const behind = await Promise.all(
      ends.map(async (seq) => {
        const range = between([...key, seq], [...key, []], { lowerOpen: true });
        const next = await transaction.objectStore('messages').getAll(range, FOLLOWING_MESSAGES);
        const asking = next.filter(({ id, role }) => role === 'user' && !ids.has(id));
        const turnIds = new Set(asking.map(({ turnId }) => turnId));
        return [...turnIds].slice(0, FOLLOWING_TURNS).flatMap((turnId) => {
          const messages = next.filter((each) => each.turnId === turnId && !ids.has(each.id));
          return { turnId, messageIds: messages.map(({ id }) => id) };
        });
      }),
    );
    const turns = behind.flat();
    return {
      key,
      turnIds: [...new Set(turns.map(({ turnId }) => turnId))],
      messageIds: turns.flatMap(({ messageIds }) => messageIds),
    };
  });
  return (await Promise.all(found)).filter(({ turnIds }) => turnIds.length > 0);
}

async function planReading(
  transaction: Transaction,
  { key: [scope, sessionId], turnIds, messageIds }: TurnsOfSession,
  gone: ReadonlySet<string>,
): Promise<Plan> {
  const store = transaction.objectStore('claims');
  // A rebuild may have read the turns behind, with the forgotten question of an answer.
  const rebuilt = { packedKnowledge: [rebuiltRange(scope)] };
  const [known] = await store.index('scope').getAllKeys(scope, 1);
  if (known === undefined) return { deletes: rebuilt }; // nothing is learned here
  const rows = await getAllOf(store.index('messageId'), new Set(messageIds));
  const answers = rows.filter(({ text, start, end }) => text.length > end - start);
  const jobs = [{ queue: restateQueue(scope), scope, sessionId, turnIds, now: Date.now() }];
  if (answers.length === 0) return { deletes: rebuilt, jobs };
  return {
    deletes: { packedKnowledge: [scope, ...rebuilt.packedKnowledge] },
    puts: { claims: answers.map((row) => withoutQuestion(row, gone)) },
    changes: [knowledgeChange(scope, { claims: answers.map(({ id }) => id) }, true)],
    jobs,
  };
}

function withoutQuestion({ endedBy, endedText, ...row }: ClaimRow, gone: ReadonlySet<string>): ClaimRow {
  const text = row.text.slice(row.start - row.end);
  if (endedBy === undefined || gone.has(endedBy)) return { ...row, text };
  const isPart = endedText !== undefined && text.includes(endedText);
  return { ...row, text, endedBy, ...(isPart ? { endedText } : {}) };
}
