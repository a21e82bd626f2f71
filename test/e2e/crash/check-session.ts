import type { SessionRecord } from '../../../src/storage/schema.ts';
import type { StoredMessage } from '../../../src/model/message.ts';

/** What is known of a session that tabs wrote to and of which one was killed. */
export interface KilledSession {
  rows: readonly StoredMessage[];
  session: SessionRecord | undefined;
  /** How many turns of each writer were acknowledged, by prefix. */
  acknowledged: ReadonlyMap<string, number>;
  /** Prefix of the writer that was killed. */
  killed: string;
}

/** What is wrong with a session after a kill; nothing in a healthy one. */
export function checkSession({ rows, session, acknowledged, killed }: KilledSession): string[] {
  const wrong: string[] = [];
  const claim = (holds: boolean, complaint: string): void => {
    if (!holds) wrong.push(complaint);
  };
  claim(new Set(rows.map((row) => row.id)).size === rows.length, 'doubled message ids');
  claim(
    rows.every((row, position) => row.seq === position),
    'gaps in the sequence',
  );
  claim(session?.nextSeq === rows.length, `next number ${session?.nextSeq} after ${rows.length} rows`);
  claim(session?.messageCount === rows.length, `${session?.messageCount} counted of ${rows.length} rows`);
  for (const [prefix, count] of acknowledged) {
    const turns = turnsOf(rows, prefix);
    claim(turns.length >= count, `lost: ${prefix} has ${turns.length} turns, ${count} were acknowledged`);
    turns.forEach(({ turnId, messages }, n) => {
      const expected = `${prefix}-${n}`;
      claim(turnId === expected, `out of order: ${turnId} in the place of ${expected}`);
      const pending = messages.every((row) => row.state === 'pending');
      // A turn that was not answered yet when its tab was killed waits as what it is.
      const interrupted = prefix === killed && n === turns.length - 1 && n >= count && n % 3 === 0;
      const roles = messages.map((row) => row.role).join('+');
      if (pending && interrupted) claim(roles === 'user', `pending turn ${turnId} is ${roles}`);
      else {
        claim(roles === 'user+assistant', `torn or doubled: ${turnId} is ${roles}`);
        claim(
          messages.every((row) => row.state === 'complete'),
          `${turnId} is not complete`,
        );
        claim(
          messages[0]?.content === `question ${turnId}` &&
            String(messages[1]?.content).startsWith(`answer ${turnId}`),
          `${turnId} has other words`,
        );
      }
    });
  }
  const known = [...acknowledged.keys()].reduce((sum, prefix) => sum + rowsOf(rows, prefix).length, 0);
  claim(known === rows.length, `${rows.length - known} rows of nobody`);
  return wrong;
}

function rowsOf(rows: readonly StoredMessage[], prefix: string): StoredMessage[] {
  return rows.filter((row) => row.turnId.startsWith(`${prefix}-`));
}

/** Turns in the order of their first message. */
function turnsOf(
  rows: readonly StoredMessage[],
  prefix: string,
): { turnId: string; messages: StoredMessage[] }[] {
  const turns = new Map<string, StoredMessage[]>();
  for (const row of rowsOf(rows, prefix)) turns.set(row.turnId, [...(turns.get(row.turnId) ?? []), row]);
  return [...turns].map(([turnId, messages]) => ({ turnId, messages }));
}
