import { speakerOf } from '../../learning/speaker.ts';
import type { Triple } from '../../graph/triple.ts';
import type { KnowledgeDraft } from '../../learning/knowledge-draft.ts';
import type { KnowledgeRows } from '../../learning/knowledge-rows.ts';
import { correctFact, pinFact, type FactChange } from '../../learning/user-edits.ts';
import { MnemoraError } from '../../model/error.ts';
import type { Engine } from '../engine.ts';
import type { MemoryFact } from './memory-facts.ts';

/**
 * Replaces a fact with the user's correction, and returns the new fact.
 *
 * @throws MnemoraError `not-found`, `invalid-input`
 */
export async function enter(
  engine: Engine,
  id: string,
  change: FactChange,
  signal?: AbortSignal,
): Promise<MemoryFact> {
  const enteredId = await edit(engine, id, signal, (draft) => correctFact(draft, id, change));
  const rows = await engine.graph.rows();
  const entered = rows.graph.triple(enteredId);
  if (entered) return factOf(rows, entered);
  throw new MnemoraError('not-found', `The fact "${id}" was forgotten while it was being changed.`);
}

/** Pins a fact, or unpins it. @throws MnemoraError `not-found` */
export async function pin(
  engine: Engine,
  id: string,
  isPinned: boolean,
  signal?: AbortSignal,
): Promise<void> {
  await edit(engine, id, signal, (draft) => {
    pinFact(draft, id, isPinned);
    return id;
  });
}

/** Stores the user's change of a fact, and returns the id of the resulting fact. */
async function edit(
  engine: Engine,
  id: string,
  signal: AbortSignal | undefined,
  change: (draft: KnowledgeDraft) => string,
): Promise<string> {
  let resultId = id;
  const apply = (draft: KnowledgeDraft): void => {
    resultId = change(draft);
  };
  if (await engine.graph.update(apply, undefined, signal)) {
    engine.written();
    return resultId;
  }
  throw new MnemoraError(
    'not-found',
    `A message that the fact "${id}" came from no longer exists. Nothing was changed. Call backup.rebuild() to repair the fact.`,
  );
}

/** Returns a fact as the memory shows it. */
export function factOf(rows: KnowledgeRows, fact: Triple): MemoryFact {
  return { ...fact, speaker: speakerOf(fact), isPinned: rows.facts.get(fact.id)?.isPinned === true };
}
