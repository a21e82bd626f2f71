import { abortable } from '../model/abortable.ts';
import type { JobHandler } from '../jobs/job-handler.ts';
import { MnemoraError } from '../model/error.ts';
import type { KnowledgeDraft } from '../knowledge/knowledge-draft.ts';
import type { Engine } from './engine.ts';
import { learningQueue, rebuildQueue, SUMMARY_ID, summaryQueue } from './queues.ts';

export interface RebuildOptions {
  /** Ends the wait; the work goes on in the background. */
  signal?: AbortSignal;
}

/** Queues the whole work as one job, so that it is done to its end however often the page is closed meanwhile. */
export async function rebuild(engine: Engine, sessionId: string, { signal }: RebuildOptions): Promise<void> {
  signal?.throwIfAborted();
  if (!engine.enrichment) {
    throw new MnemoraError(
      'invalid-option',
      'This memory was created with extractor: false and makes no facts and summaries. Rebuild with one that does.',
    );
  }
  const { scope } = engine.settings;
  await engine.stores.jobs.enqueue([{ queue: rebuildQueue(scope) }], [{ scope, sessionId, turnIds: [] }]);
  engine.written();
  await abortable(engine.settled(), signal);
}

/** Drops what was derived, but for what the user made of it, and queues all turns to be learnt from again. */
export function rebuildHandler(engine: Engine): JobHandler {
  return async (_job, ticket, signal) => {
    const { scope } = engine.settings;
    const { transcript, summaries, jobs } = engine.stores;
    await nothingUnderWay(engine, signal);
    const goesOn = { doneTurnIds: [] };
    await engine.graph.update(dropLearnt, { ...ticket, goesOn });
    const sessions = await transcript.listSessions(scope);
    for (const { id } of sessions) await summaries.remove(id, SUMMARY_ID, ticket);
    const origins = [];
    for (const { id: sessionId } of sessions.toSorted((a, b) => a.createdAt - b.createdAt)) {
      const messages = await transcript.listMessages(sessionId, { signal });
      const complete = messages.filter((message) => message.state === 'complete');
      const turnIds = [...new Set(complete.map((message) => message.turnId))];
      if (turnIds.length > 0) origins.push({ scope, sessionId, turnIds });
    }
    await jobs.enqueue([{ queue: learningQueue(scope) }, { queue: summaryQueue(scope) }], origins, ticket);
    engine.written();
  };
}

const POLL_MS = 200;

/** Waits until no model is being asked: what it answers belongs to what is about to be dropped. */
async function nothingUnderWay(engine: Engine, signal: AbortSignal): Promise<void> {
  const { scope } = engine.settings;
  for (;;) {
    signal.throwIfAborted();
    const jobs = await engine.stores.jobs.list([learningQueue(scope), summaryQueue(scope)]);
    if (!jobs.some((job) => job.lease !== undefined && !job.isDead)) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/**
 * Erases what was learnt from messages. A fact that the user has corrected stays as what the correction is about, so
 * that it is not learnt again beside it.
 */
function dropLearnt(draft: KnowledgeDraft): void {
  const facts = draft.facts();
  const corrected = new Set(facts.flatMap((fact) => (fact.source === 'user' ? fact.supersedes : [])));
  for (const fact of facts) {
    const isKept = fact.source === 'user' || fact.isPinned || corrected.has(fact.id);
    if (!isKept) draft.graph.deleteTriple(fact.id);
  }
  for (const entity of draft.entities()) {
    const own = entity.mentions.filter((mention) => mention.messageIds.length === 0);
    if (own.length < entity.mentions.length) draft.setMentions(entity.name, own);
  }
}
