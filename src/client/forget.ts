import type { ForgetReceipt } from '../storage/transcript-store.ts';
import type { ScopeIndex } from '../recall/scope-index.ts';
import { parseForgetSelector, type ForgetSelector } from './forget-selector.ts';
import { eraseEntity, eraseFact, type KnowledgeParts } from './knowledge.ts';

/** What erasing needs besides what it erases. */
export interface ForgetParts extends KnowledgeParts {
  readonly index: ScopeIndex;
  /** Brings the index up to what is stored. */
  sync(signal: AbortSignal | undefined): Promise<void>;
}

/** @throws MnemoraError `invalid-input`, `not-found` */
export async function forget(memory: ForgetParts, given: ForgetSelector): Promise<ForgetReceipt> {
  const selector = parseForgetSelector(given);
  const receipt = await erase(memory, selector);
  memory.written();
  return receipt;
}

async function erase(memory: ForgetParts, selector: ForgetSelector): Promise<ForgetReceipt> {
  if ('factId' in selector) return eraseFact(memory, selector.factId);
  const { transcript } = memory.stores;
  const { scope } = memory.settings;
  if ('turnId' in selector) return transcript.forget({ turnIds: [selector.turnId] }, scope);
  if (!('entity' in selector)) return transcript.forget(selector, scope);
  const { receipt, sources } = await eraseEntity(memory, selector.entity);
  if (!selector.turns) return receipt;
  await memory.sync(undefined);
  const turnIds = [...new Set(sources.flatMap((id) => memory.index.get(id)?.turnId ?? []))];
  const erased = await transcript.forget({ turnIds }, scope);
  for (const name of Object.keys(receipt) as (keyof ForgetReceipt)[]) receipt[name] += erased[name];
  return receipt;
}
