import type { Clock } from '../model/clock.ts';
import { endAbandonedTurns as endTurns } from '../storage/transcript/append-turn.ts';
import type { StorageEngine } from '../storage/storage-engine.ts';
import { presentIds } from '../tabs/presence.ts';

const DAY_MS = 86_400_000;

/**
 * Marks as `failed` the pending turns of a scope whose tab is gone: nobody will end them. Without Web Locks nobody can
 * know, and those go that are older than a day. Returns the number of turns.
 */
export async function endAbandonedTurns(
  engine: StorageEngine,
  { scope, clock }: { scope: string; clock: Clock },
): Promise<number> {
  const seen = new Set<string | undefined>();
  await endTurns(engine, scope, ({ openedBy }) => {
    seen.add(openedBy);
    return false;
  });
  if (seen.size === 0) return 0;
  // After the turns were read: a tab shows itself before it writes one, so that none that lives is missed here.
  const present = await presentIds(engine.name);
  const yesterday = clock() - DAY_MS;
  return endTurns(engine, scope, ({ openedBy, createdAt }) => {
    if (!present) return createdAt < yesterday;
    return seen.has(openedBy) && (openedBy === undefined || !present.has(openedBy));
  });
}
