import type { JobHandler } from '../../jobs/job-handler.ts';
import type { StoredMessage } from '../../model/message.ts';
import { withContext } from '../../sessions/read-turns.ts';
import { groupedBy } from '../../storage/rows.ts';
import { completeTurns, sessionsByAge } from './complete-turns.ts';
import type { ReadClaims } from '../claims/learn-claims.ts';
import type { Extractor } from '../extractor.ts';
import type { LearningParts } from '../learning-parts.ts';
import { isByRules } from '../rules/offline-extractor.ts';

/** Turns whose claims are stored together. Questions wait for them. */
const TURNS_AT_ONCE = 16;

/**
 * Reads claims again: those of turns before which something was forgotten, and those of all sessions, after an import and
 * for what an older version has read. The first job of all sessions queues one for each, whose turns leave it as they are
 * done, so that a page that is closed has lost nothing.
 */
export function restateHandler(parts: LearningParts): JobHandler {
  return async ({ scope, turnIds }, ticket, signal, progressed) => {
    const { transcript, knowledge, jobs, queues } = parts.stores;
    if (turnIds.length === 0) {
      const turns = groupedBy(await completeTurns(parts, signal), ({ sessionId }) => sessionId);
      const origins = Array.from(turns, ([sessionId, own]) => ({
        ...{ scope, sessionId, turnIds: own.map(({ turnId }) => turnId) },
      }));
      await jobs.enqueue([{ queue: queues.restate }], origins, ticket);
      return parts.written();
    }
    const { readClaims, keepClaims, CONTEXT_TURNS } = await import('../claims/learn-claims.ts');
    for (let at = 0; at < turnIds.length;) {
      const doneTurnIds = turnIds.slice(at, at + TURNS_AT_ONCE);
      const isLast = at + TURNS_AT_ONCE >= turnIds.length;
      const loaded = await transcript.loadTurns(scope, doneTurnIds, signal);
      const turns = loaded.filter((turn) => turn.every(({ state }) => state === 'complete'));
      const { userName } = parts.settings;
      const read: ReadClaims[] = [];
      for (const run of runsOf(turns)) {
        const continued = await withContext(transcript, scope, run, CONTEXT_TURNS, signal);
        read.push(await readClaims({ ...continued, userName }));
      }
      const isStored = await parts.graph.update(
        (draft) => keepClaims(draft, knowledge, read.flat()),
        isLast ? ticket : { ...ticket, partial: { doneTurnIds } },
        signal,
      );
      // A message was forgotten in the meantime: the others are read again without it.
      if (isStored) at += TURNS_AT_ONCE;
      else if (!(await jobs.isQueued(ticket))) return;
      progressed();
    }
    parts.announceChange();
  };
}

/** Returns turns that follow one another together: each run continues other turns. */
function runsOf(turns: readonly StoredMessage[][]): StoredMessage[][][] {
  const runs: StoredMessage[][][] = [];
  for (const [at, turn] of turns.entries()) {
    const isNext = at > 0 && turn[0]?.turn === Number(turns[at - 1]?.[0]?.turn) + 1;
    if (isNext) runs.at(-1)?.push(turn);
    else runs.push([turn]);
  }
  return runs;
}

/** Queues what must be derived again, because an older version of the rules derived it. */
export async function renewDerived(parts: LearningParts, extractor: Extractor): Promise<void> {
  const { scope } = parts.settings;
  const { jobs, knowledge, queues } = parts.stores;
  const version = await versionOf(extractor);
  const before = await knowledge.madeBy(scope);
  if (before === version) return;
  const rows = await parts.graph.rows();
  const makers = new Set(
    [...rows.facts.values()].flatMap(({ source, messageIds, attributes }) =>
      source === 'user' || messageIds.length === 0 ? [] : [attributes['madeBy']],
    ),
  );
  // Rules cannot reproduce what a model has extracted.
  const areByRules = [...makers].every((id) => isByRules({ id: String(id) }));
  const areOld = makers.size > 0 && !(makers.size === 1 && makers.has(extractor.id));
  const isNew = before === undefined && !areOld && rows.claims.size > 0;
  const isRemaking = isByRules(extractor) && areByRules && areOld;
  const isDue = (await sessionsByAge(parts)).length > 0 && !isNew;
  const queue = isRemaking ? queues.rebuild : queues.restate;
  if (isDue) await jobs.enqueue([{ queue }], [{ scope, sessionId: '', turnIds: [] }]);
  await knowledge.setMadeBy(scope, version);
  if (isDue) parts.written();
}

/** Returns the version of what learns: what another version has learned may differ. */
export async function versionOf(extractor: Extractor): Promise<string> {
  const { CLAIMS_VERSION } = await import('../claims/learn-claims.ts');
  return `${CLAIMS_VERSION}/${extractor.id}`;
}
