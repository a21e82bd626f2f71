import { nameMatcher } from '../graph/name-matcher.ts';
import { unveiled } from '../graph/unveiled.ts';
import type { KnowledgeRows } from '../learning/knowledge-rows.ts';
import { rowsNaming, type RowsNaming } from '../learning/rows-naming.ts';
import {
  forgetClaim,
  forgetEntity,
  forgetFact,
  forgetWords,
  isEntityKnown,
  namesOfEntity,
  wordsToForget,
} from '../learning/user-edits.ts';
import { checkBoolean, checkFunction, checkOptions, objectWith } from '../model/check-options.ts';
import { invalidInput } from '../model/error.ts';
import { MAX_ID_LENGTH } from '../model/id.ts';
import type { NameErasure } from '../storage/forgetting/erase-name.ts';
import { NO_WORDS, type ForgottenWords } from '../storage/forgetting/forgotten-words.ts';
import type { DerivedRows } from '../storage/forgetting/plan-without-names.ts';
import type { FindNamesOptions, NamingRows } from '../storage/forgetting/find-names.ts';
import type { ForgetReceipt } from '../storage/receipts.ts';
import type { MemoryParts } from './memory-parts.ts';

/**
 * Selects what to forget.
 *
 * - `entity`: a person, place or thing, by any of its names, learned or not. It is erased with all derived data and all
 *   files of a memory tool that name it.
 * - `text`: verbatim words, 2 to 10,000 characters. Everything derived from them is erased: facts, notes, quotes,
 *   summaries, titles, and files of a memory tool that contain them.
 * - `claimId`: a claim, with the facts that only it supports.
 * - `before`: a time in milliseconds since 1970. Every turn that began earlier is erased.
 *
 * With `entity` and `text`, turns are kept unless `turns` is true. In that case, turns that contain the words or a
 * name, or from which something about the entity was learned, are also erased, along with the texts of retrievers and
 * the lists of chat memories that contain them. Case, accents, hidden characters, HTML entities and URL encodings do
 * not matter. Names of one or two letters, and those that are common words, match only exactly as written.
 */
export type ForgetSelector =
  | { messageId: string }
  | { turnId: string }
  | { sessionId: string }
  | { before: number }
  | { everything: true }
  | { entity: string; turns?: boolean }
  | { text: string; turns?: boolean }
  | { factId: string }
  | { claimId: string };

export interface ForgetOptions {
  /** Changes nothing; the receipt counts what would be erased. @default false */
  preview?: boolean;
  /** If it aborts before the erasure begins, nothing is erased; an erasure that has begun is completed. */
  signal?: AbortSignal;
  /**
   * With `entity` and `text`, called at intervals during the search, before anything is erased, with the number of rows
   * searched and the total.
   */
  onProgress?: (progress: { done: number; total: number }) => void;
}

/**
 * Erases what is selected, all in one transaction.
 *
 * @throws MnemoraError `invalid-input`; `invalid-option`; `not-found` if there is no such fact, or if nothing at all
 *   contains the words or the name. Nothing is changed then.
 */
export async function forget(
  parts: MemoryParts,
  selector: ForgetSelector,
  options: ForgetOptions = {},
): Promise<ForgetReceipt> {
  checkSelector(selector);
  const checked = checkOptions<ForgetOptions>('forget', options, {
    preview: checkBoolean,
    signal: objectWith('throwIfAborted'),
    onProgress: checkFunction,
  });
  const { preview = false, signal } = checked;
  signal?.throwIfAborted();
  if (preview) return erase(parts, selector, checked);
  const ended = new Set((await parts.graph.rows(signal)).endedClaims.keys());
  signal?.throwIfAborted();
  const receipt = await erase(parts, selector, checked);
  await endAgain(parts, ended);
  parts.written();
  return receipt;
}

const AN_ID = { isValid: (value: unknown) => typeof value === 'string' && value !== '', rule: 'an id' };
const MAX_TEXT_LENGTH = 10_000;

function isText(value: unknown, maxLength: number): value is string {
  return (
    typeof value === 'string' && value.length <= maxLength && value.trim() !== '' && value.isWellFormed()
  );
}

/**
 * A single letter, digit or punctuation mark occurs in nearly every turn. A single character of a script with
 * one-character words, or an emoji, can be a name.
 */
function isLongEnough(text: string): boolean {
  const signs = Array.from(unveiled(text).replaceAll(/\s+/gu, ''));
  return (
    signs.length >= 2 || (signs.length === 1 && /[\p{Lo}\p{Extended_Pictographic}]/u.test(signs[0] ?? ''))
  );
}

/** Type of the value for each key of a selector. */
const RULES: Readonly<Record<string, { isValid: (value: unknown) => boolean; rule: string }>> = {
  messageId: AN_ID,
  turnId: AN_ID,
  sessionId: AN_ID,
  entity: {
    isValid: (value) => isText(value, MAX_ID_LENGTH),
    rule: `a name of 1 to ${MAX_ID_LENGTH} characters that is well-formed Unicode`,
  },
  text: {
    isValid: (value) => isText(value, MAX_TEXT_LENGTH) && isLongEnough(value),
    rule: `words of 2 to ${MAX_TEXT_LENGTH} characters, not counting spaces, that are well-formed Unicode`,
  },
  factId: AN_ID,
  claimId: AN_ID,
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
  if (turns !== undefined && ((key !== 'entity' && key !== 'text') || typeof turns !== 'boolean')) {
    refuse(
      'turns can only be combined with entity or text, and must be true or false. Say what to forget with one of',
    );
  }
  const rule = Object.hasOwn(RULES, key) ? RULES[key] : undefined;
  if (!rule) return refuse(`"${key}" cannot be forgotten. Say what to forget with one of`);
  if (!rule.isValid(value)) refuse(`${key} must be ${rule.rule}. Say what to forget with one of`);
}

/** Restores the end of claims whose ending was forgotten, if something else ends them as well. */
async function endAgain({ graph }: MemoryParts, ended: ReadonlySet<string>): Promise<void> {
  const rows = await graph.rows();
  const open = [...ended].flatMap((id) => {
    const claim = rows.claim(id);
    return claim && claim.endedBy === undefined ? claim : [];
  });
  if (open.length === 0) return;
  const { endClaims } = await import('../learning/claims/end-claims.ts');
  await graph.update((draft) => endClaims(draft, open));
}

async function erase(
  parts: MemoryParts,
  selector: ForgetSelector,
  options: ForgetOptions,
): Promise<ForgetReceipt> {
  const { graph, settings, stores } = parts;
  const mode = { isPreview: options.preview === true };
  if ('factId' in selector) {
    return graph.forget(async (draft) => {
      forgetFact(draft, selector.factId, await waitingMessages(parts));
      return undefined;
    }, mode);
  }
  if ('claimId' in selector) {
    return graph.forget(async (draft) => {
      forgetClaim(draft, selector.claimId, await waitingMessages(parts));
      return undefined;
    }, mode);
  }
  if ('text' in selector) return eraseText(parts, selector, options);
  if ('entity' in selector) return eraseEntity(parts, selector, options);
  const selected = 'turnId' in selector ? { turnIds: [selector.turnId] } : selector;
  return stores.transcript.forget(selected, settings.scope, mode);
}

async function eraseText(
  parts: MemoryParts,
  { text, turns = false }: { text: string; turns?: boolean },
  { preview = false, signal, onProgress }: ForgetOptions,
): Promise<ForgetReceipt> {
  const { graph } = parts;
  const found = await findNames(parts, [text], { signal, onProgress });
  const words = wordsToForget(text);
  const naming = new Set(found.messageIds('named'));
  let rows = await derivedRows(await graph.rows(signal), [text], words, signal);
  return graph.forget(
    async (draft): Promise<NameErasure> => {
      if (!rows.isOf(draft.rows)) rows = await derivedRows(draft.rows, [text], words, signal);
      forgetWords(draft, text, words, naming, rows);
      const keptFrom = await waitingMessages(parts);
      return { found, words, sources: [], keptFrom, withTurns: turns, derived: idsOf(rows), isKnown: false };
    },
    { isPreview: preview, signal },
  );
}

async function eraseEntity(
  parts: MemoryParts,
  { entity, turns = false }: { entity: string; turns?: boolean },
  { preview = false, signal, onProgress }: ForgetOptions,
): Promise<ForgetReceipt> {
  const { graph } = parts;
  const rows = await graph.rows(signal);
  if (!isEntityKnown(rows, entity) && !isLongEnough(entity)) {
    throw invalidInput(
      `No entity is named ${JSON.stringify(entity)}, and a single character is too short to search the messages for. Pass a longer name.`,
    );
  }
  // Searches before the graph is locked for the change, because other readers wait for it.
  let found: NamingRows = await findNames(parts, namesOfEntity(rows, entity), { signal, onProgress });
  let derived = await derivedRows(rows, found.names, NO_WORDS, signal);
  let facts = 0;
  let isKnown = false;
  const receipt = await graph.forget(
    async (draft): Promise<NameErasure> => {
      const names = namesOfEntity(draft.rows, entity);
      // Another tab may have learned another name of the entity, or that a name belongs to somebody else.
      const areNew = names.join('\n') !== found.names.join('\n');
      if (areNew) found = await findNames(parts, names, { signal });
      if (areNew || !derived.isOf(draft.rows))
        derived = await derivedRows(draft.rows, names, NO_WORDS, signal);
      const forgotten = forgetEntity(draft, entity, await waitingMessages(parts), derived.claims);
      ({ facts, isKnown } = forgotten);
      return { ...forgotten, found, withTurns: turns, derived: idsOf(derived) };
    },
    { isPreview: preview, signal },
  );
  // Entities about which nothing else is known are erased with the facts, but were not selected.
  return {
    ...receipt,
    facts: Math.max(receipt.facts, facts),
    entities: receipt.entities + (isKnown ? 1 : 0),
  };
}

/** Finds the rows that contain one of these names, or that can be derived from these words. */
function derivedRows(
  rows: KnowledgeRows,
  names: readonly string[],
  words: ForgottenWords,
  signal: AbortSignal | undefined,
): Promise<RowsNaming> {
  const isNamed = nameMatcher(names);
  return rowsNaming(rows, (text) => isNamed(text) || words.isDerived(text), signal);
}

function idsOf({ facts, entities, claims }: RowsNaming): DerivedRows {
  return {
    facts: facts.map(({ id }) => id),
    entities: entities.map(({ key }) => key),
    claims: claims.map(({ id }) => id),
  };
}

function findNames(
  { stores, settings }: MemoryParts,
  names: readonly string[],
  options: FindNamesOptions,
): Promise<NamingRows> {
  return stores.knowledge.findNames(settings.scope, names, options);
}

/** Returns the ids of messages in turns that were not learned from yet. */
async function waitingMessages({ stores, settings }: MemoryParts): Promise<string[]> {
  const { jobs, queues, transcript } = stores;
  const queued = await jobs.list([queues.learn]);
  const turns = await transcript.loadTurns(settings.scope, [
    ...new Set(queued.flatMap((job) => job.turnIds)),
  ]);
  return turns.flat().map((message) => message.id);
}
