import type { JobHandler } from '../jobs/job-handler.ts';
import type { Extractor } from '../learning/extractor.ts';
import { isByRules } from '../learning/offline/offline-extractor.ts';
import { splitTurns } from '../model/turn.ts';
import type { LearnParts } from './learn-job.ts';
import type { MemorySettings } from './options.ts';
import { rebuildQueue, restatingQueue } from './queues.ts';

/** Turns of which the statements are stored together. */
const TURNS_AT_ONCE = 50;
/** Turns before, in which a short answer finds its question. */
const CONTEXT_TURNS = 1;

/** Marks again what the user has stated in all sessions: what was imported, and what an older version has marked. */
export function restateHandler(
  parts: LearnParts & { settings: Pick<MemorySettings, 'scope' | 'userName'> },
): JobHandler {
  return async (_job, ticket, signal) => {
    const { transcript, knowledge } = parts.stores;
    const { learnStatements } = await import('../learning/statements/learn-statements.ts');
    const step = { ...ticket, partial: { doneTurnIds: [] } };
    const sessions = await transcript.listSessions(parts.settings.scope);
    for (const { id } of sessions.toSorted((a, b) => a.createdAt - b.createdAt)) {
      const messages = await transcript.listMessages(id, { signal });
      const turns = splitTurns(messages.filter((message) => message.state === 'complete'));
      for (let at = 0; at < turns.length; at += TURNS_AT_ONCE) {
        const some = turns.slice(at, at + TURNS_AT_ONCE);
        const context = turns.slice(Math.max(0, at - CONTEXT_TURNS), at);
        await parts.graph.update(
          (draft) => learnStatements(draft, knowledge, some, context, parts.settings.userName),
          step,
          signal,
        );
      }
    }
    await parts.graph.update(() => undefined, ticket);
    parts.enriched();
  };
}

/** Queues what is to be made again because rules have made it that are not those of today. */
export async function renewDerived(
  parts: LearnParts & { settings: Pick<MemorySettings, 'scope' | 'userName'>; written(): void },
  extractor: Extractor,
): Promise<void> {
  const { scope } = parts.settings;
  const { jobs, knowledge } = parts.stores;
  const { STATEMENTS_VERSION } = await import('../learning/statements/learn-statements.ts');
  const version = `${STATEMENTS_VERSION}/${extractor.id}`;
  const before = await knowledge.madeBy(scope);
  if (before === version) return;
  const rows = await parts.graph.rows();
  const makers = new Set(
    [...rows.facts.values()].flatMap(({ source, attributes }) =>
      source === 'user' ? [] : [attributes['madeBy']],
    ),
  );
  // Version 0.1.0 did not write down what made a fact. What a model has made, rules cannot make again.
  const areByRules = [...makers].every((id) => id === undefined || isByRules({ id: String(id) }));
  const areOld = makers.size > 0 && !(makers.size === 1 && makers.has(extractor.id));
  const isNew = before === undefined && !areOld && [...rows.statements.values()].length > 0;
  const isRemaking = isByRules(extractor) && areByRules && areOld;
  const queue = isRemaking ? rebuildQueue(scope) : restatingQueue(scope);
  const sessions = await parts.stores.transcript.listSessions(scope);
  const isDue = sessions.length > 0 && !isNew;
  if (isDue) await jobs.enqueue([{ queue }], [{ scope, sessionId: '', turnIds: [] }]);
  await knowledge.setMadeBy(scope, version);
  if (isDue) parts.written();
}
