import { forgetEntity, forgetFact } from '../learning/user-edits.ts';
import { emptyForgetReceipt, type ForgetReceipt } from '../storage/receipts.ts';
import type { Engine } from './engine.ts';
import { parseForgetSelector, type ForgetSelector } from './forget-selector.ts';
import { learningQueue } from './queues.ts';

/** Erases what is selected, all in one transaction. @throws MnemoraError `invalid-input`, `not-found` */
export async function forget(engine: Engine, given: ForgetSelector): Promise<ForgetReceipt> {
  const selector = parseForgetSelector(given);
  const receipt = await erase(engine, selector);
  engine.written();
  return receipt;
}

async function erase(engine: Engine, selector: ForgetSelector): Promise<ForgetReceipt> {
  const { transcript } = engine.stores;
  const { scope } = engine.settings;
  if ('factId' in selector) return eraseFact(engine, selector.factId);
  if ('entity' in selector) return eraseEntity(engine, selector.entity, selector.turns === true);
  if ('turnId' in selector) return transcript.forget({ turnIds: [selector.turnId] }, scope);
  return transcript.forget(selector, scope);
}

async function eraseEntity(engine: Engine, name: string, withTurns: boolean): Promise<ForgetReceipt> {
  let facts = 0;
  const receipt = await engine.graph.forget(async (draft) => {
    const forgotten = forgetEntity(draft, name, await waitingMessages(engine));
    facts = forgotten.facts;
    return withTurns ? forgotten.sources : [];
  });
  // Entities that nothing else is known of go with the facts, and are not what was asked for.
  return {
    ...emptyForgetReceipt(),
    ...receipt,
    facts: Math.max(receipt.facts, facts),
    entities: receipt.entities + 1,
  };
}

async function eraseFact(engine: Engine, id: string): Promise<ForgetReceipt> {
  return engine.graph.forget(async (draft) => {
    forgetFact(draft, id, await waitingMessages(engine));
    return [];
  });
}

/** Messages of turns that are still to be learned from. */
async function waitingMessages(engine: Engine): Promise<string[]> {
  const { jobs, transcript } = engine.stores;
  const queued = await jobs.list([learningQueue(engine.settings.scope)]);
  const turns = await transcript.loadTurns([...new Set(queued.flatMap((job) => job.turnIds))]);
  return turns.flat().map((message) => message.id);
}
