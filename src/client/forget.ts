import type { ForgetReceipt } from '../storage/receipts.ts';
import type { Engine } from './engine.ts';
import { parseForgetSelector, type ForgetSelector } from './forget-selector.ts';
import { eraseEntity, eraseFact } from './knowledge.ts';

/** @throws MnemoraError `invalid-input`, `not-found` */
export async function forget(engine: Engine, given: ForgetSelector): Promise<ForgetReceipt> {
  const selector = parseForgetSelector(given);
  const receipt = await erase(engine, selector);
  engine.written();
  return receipt;
}

async function erase(engine: Engine, selector: ForgetSelector): Promise<ForgetReceipt> {
  if ('factId' in selector) return eraseFact(engine, selector.factId);
  const { transcript } = engine.stores;
  const { scope } = engine.settings;
  if ('turnId' in selector) return transcript.forget({ turnIds: [selector.turnId] }, scope);
  if (!('entity' in selector)) return transcript.forget(selector, scope);
  const { receipt, sources } = await eraseEntity(engine, selector.entity);
  if (!selector.turns) return receipt;
  await engine.sync(undefined);
  const turnIds = [...new Set(sources.flatMap((id) => engine.index.get(id)?.turnId ?? []))];
  const erased = await transcript.forget({ turnIds }, scope);
  for (const name of Object.keys(receipt) as (keyof ForgetReceipt)[])
    receipt[name] = (receipt[name] ?? 0) + (erased[name] ?? 0);
  return receipt;
}
