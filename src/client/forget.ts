import { forgetEntity, forgetFact } from '../learning/user-edits.ts';
import type { StatementRow } from '../storage/schema.ts';
import type { ForgetReceipt } from '../storage/receipts.ts';
import { checkBoolean, checkOptions, objectWith } from '../model/check-options.ts';
import type { KnowledgeParts } from './knowledge.ts';
import { parseForgetSelector, type ForgetSelector } from './forget-selector.ts';
import { learningQueue } from './queues.ts';

export interface ForgetOptions {
  /** Changes nothing: the receipt says what would go. @default false */
  preview?: boolean;
  /** Nothing is erased where it aborts before the erasure begins; an erasure that has begun is carried out whole. */
  signal?: AbortSignal;
}

/**
 * Erases what is selected, all in one transaction.
 *
 * @throws MnemoraError `invalid-input`, `invalid-option`, `not-found`; nothing is changed then
 */
export async function forget(
  memory: KnowledgeParts,
  given: ForgetSelector,
  options: ForgetOptions = {},
): Promise<ForgetReceipt> {
  const selector = parseForgetSelector(given);
  const { preview = false, signal } = checkOptions<ForgetOptions>('forget', options, {
    preview: checkBoolean,
    signal: objectWith('throwIfAborted'),
  });
  signal?.throwIfAborted();
  if (preview) return erase(memory, selector, { isPreview: true });
  const ended = new Set((await memory.graph.rows(signal)).statements().flatMap(endedId));
  signal?.throwIfAborted();
  const receipt = await erase(memory, selector, { isPreview: false });
  await endAgain(memory, ended);
  memory.written();
  return receipt;
}

const endedId = ({ id, endedBy }: StatementRow): string[] => (endedBy === undefined ? [] : [id]);

/** Where what has ended a statement was forgotten, another one may have ended it as well. */
async function endAgain({ graph }: KnowledgeParts, ended: ReadonlySet<string>): Promise<void> {
  const open = (await graph.rows())
    .statements()
    .filter(({ id, endedBy }) => endedBy === undefined && ended.has(id));
  if (open.length === 0) return;
  const { withEndings } = await import('../learning/statements/learn-statements.ts');
  await graph.update(async (draft) => {
    draft.addStatements(await withEndings(draft.statements(), open));
  });
}

interface ErasureMode {
  readonly isPreview: boolean;
}

async function erase(
  memory: KnowledgeParts,
  selector: ForgetSelector,
  mode: ErasureMode,
): Promise<ForgetReceipt> {
  const { transcript } = memory.stores;
  const { scope } = memory.settings;
  if ('factId' in selector) return eraseFact(memory, selector.factId, mode);
  if ('entity' in selector) return eraseEntity(memory, selector.entity, selector.turns === true, mode);
  if ('turnId' in selector) return transcript.forget({ turnIds: [selector.turnId] }, scope, mode);
  return transcript.forget(selector, scope, mode);
}

async function eraseEntity(
  memory: KnowledgeParts,
  name: string,
  withTurns: boolean,
  mode: ErasureMode,
): Promise<ForgetReceipt> {
  let facts = 0;
  const receipt = await memory.graph.forget(async (draft) => {
    const forgotten = forgetEntity(draft, name, await waitingMessages(memory));
    facts = forgotten.facts;
    return { names: forgotten.names, sources: forgotten.sources, withTurns };
  }, mode);
  // Entities that nothing else is known of go with the facts, and are not what was asked for.
  return { ...receipt, facts: Math.max(receipt.facts, facts), entities: receipt.entities + 1 };
}

async function eraseFact(memory: KnowledgeParts, id: string, mode: ErasureMode): Promise<ForgetReceipt> {
  return memory.graph.forget(async (draft) => {
    forgetFact(draft, id, await waitingMessages(memory));
    return undefined;
  }, mode);
}

/** Messages of turns that are still to be learned from. */
async function waitingMessages(memory: KnowledgeParts): Promise<string[]> {
  const { jobs, transcript } = memory.stores;
  const queued = await jobs.list([learningQueue(memory.settings.scope)]);
  const turns = await transcript.loadTurns([...new Set(queued.flatMap((job) => job.turnIds))]);
  return turns.flat().map((message) => message.id);
}
