import { forgetEntity, forgetFact } from '../learning/user-edits.ts';
import { checkBoolean, checkOptions, objectWith } from '../model/check-options.ts';
import type { ForgetReceipt } from '../storage/receipts.ts';
import { invalidInput } from '../model/error.ts';
import type { Engine } from './engine.ts';

/**
 * What to forget. An entity goes with everything derived that names it; its turns stay, unless `turns` is true: then
 * the turns that mention it, or that contain one of its names, go as well. `before` is a time in milliseconds since
 * 1970: every turn begun earlier goes.
 */
export type ForgetSelector =
  | { messageId: string }
  | { turnId: string }
  | { sessionId: string }
  | { before: number }
  | { everything: true }
  | { entity: string; turns?: boolean }
  | { factId: string };

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
  engine: Engine,
  selector: ForgetSelector,
  options: ForgetOptions = {},
): Promise<ForgetReceipt> {
  checkSelector(selector);
  const { preview = false, signal } = checkOptions<ForgetOptions>('forget', options, {
    preview: checkBoolean,
    signal: objectWith('throwIfAborted'),
  });
  signal?.throwIfAborted();
  if (preview) return erase(engine, selector, { isPreview: true });
  const ended = new Set((await engine.graph.rows(signal)).endedStatements.keys());
  signal?.throwIfAborted();
  const receipt = await erase(engine, selector, { isPreview: false });
  await endAgain(engine, ended);
  engine.written();
  return receipt;
}

const AN_ID = { isValid: (value: unknown) => typeof value === 'string' && value !== '', rule: 'an id' };
/** What the value of each key of a selector must be. */
const RULES: Readonly<Record<string, { isValid: (value: unknown) => boolean; rule: string }>> = {
  messageId: AN_ID,
  turnId: AN_ID,
  sessionId: AN_ID,
  entity: { isValid: (value) => typeof value === 'string' && value.trim() !== '', rule: 'a name' },
  factId: AN_ID,
  before: {
    isValid: (value) => typeof value === 'number' && !Number.isNaN(value),
    rule: 'a time in milliseconds since 1970',
  },
  everything: { isValid: (value) => value === true, rule: 'true' },
};

/** Checks that there is exactly one key, so that a typing error erases nothing. @throws MnemoraError `invalid-input` */
function checkSelector(selector: ForgetSelector): void {
  const refuse = (problem: string): never => {
    throw invalidInput(`${problem} ${Object.keys(RULES).join(', ')}.`);
  };
  const { turns, ...rest } = (selector ?? {}) as Record<string, unknown>;
  const [only, ...others] = Object.entries(rest);
  if (!only || others.length > 0) return refuse('Say what to forget with exactly one of');
  const [key, value] = only;
  if (turns !== undefined && (key !== 'entity' || typeof turns !== 'boolean')) {
    refuse('turns goes with entity, and is true or false. Say what to forget with one of');
  }
  const rule = Object.hasOwn(RULES, key) ? RULES[key] : undefined;
  if (!rule) return refuse(`"${key}" cannot be forgotten. Say what to forget with one of`);
  if (!rule.isValid(value)) refuse(`${key} must be ${rule.rule}. Say what to forget with one of`);
}

/** Ends statements again that something else ends as well, if what had ended them was forgotten. */
async function endAgain({ graph }: Engine, ended: ReadonlySet<string>): Promise<void> {
  const { statements } = await graph.rows();
  const open = [...statements.values()].filter(({ id, endedBy }) => endedBy === undefined && ended.has(id));
  if (open.length === 0) return;
  const { withEndings } = await import('../learning/statements/learn-statements.ts');
  await graph.update(async (draft) => {
    draft.addStatements(await withEndings(draft.statements(), open));
  });
}

async function erase(
  engine: Engine,
  selector: ForgetSelector,
  mode: { readonly isPreview: boolean },
): Promise<ForgetReceipt> {
  const { graph, settings, stores } = engine;
  if ('factId' in selector) {
    return graph.forget(async (draft) => {
      forgetFact(draft, selector.factId, await waitingMessages(engine));
      return undefined;
    }, mode);
  }
  if ('entity' in selector) {
    let facts = 0;
    const receipt = await graph.forget(async (draft) => {
      const forgotten = forgetEntity(draft, selector.entity, await waitingMessages(engine));
      ({ facts } = forgotten);
      return { names: forgotten.names, sources: forgotten.sources, withTurns: selector.turns === true };
    }, mode);
    // Entities that nothing else is known of go with the facts, and are not what was asked for.
    return { ...receipt, facts: Math.max(receipt.facts, facts), entities: receipt.entities + 1 };
  }
  const selected = 'turnId' in selector ? { turnIds: [selector.turnId] } : selector;
  return stores.transcript.forget(selected, settings.scope, mode);
}

/** Returns the ids of messages in turns that are still to be learned from. */
async function waitingMessages({ stores }: Engine): Promise<string[]> {
  const { jobs, queues, transcript } = stores;
  const queued = await jobs.list([queues.learn]);
  const turns = await transcript.loadTurns([...new Set(queued.flatMap((job) => job.turnIds))]);
  return turns.flat().map((message) => message.id);
}
