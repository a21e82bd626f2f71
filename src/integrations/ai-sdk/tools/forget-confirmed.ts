import {
  MnemoraError,
  type ForgetReceipt,
  type Memory,
  type MemoryFact,
  type StoredMessage,
} from '../../../index.ts';
import { abortable } from '../../../model/abortable.ts';
import { raiseWarning } from '../../../model/memory-warnings.ts';
import { partsOf, textOf } from '../prompt-messages.ts';
import { errorText } from './tool-answer.ts';

/** A fact, or a whole turn of a conversation, that would be forgotten. */
export type ForgetMatch =
  | { readonly kind: 'fact'; /** The fact as a sentence. */ readonly text: string; readonly fact: MemoryFact }
  | {
      readonly kind: 'turn';
      /** Texts of all its messages, separated by empty lines. */
      readonly text: string;
      readonly turnId: string;
      readonly sessionId: string;
      /** All its messages, which are forgotten together. */
      readonly messages: readonly StoredMessage[];
    };

/** A request for the user's confirmation before anything is forgotten. */
export interface ForgetRequest {
  /** Query of the model. */
  readonly query: string;
  /** Everything that would be forgotten, at most 10 matches. */
  readonly matches: readonly ForgetMatch[];
  /** Number of rows that would be erased, summed over all matches. */
  readonly receipt: ForgetReceipt;
  /** Whether there are further matches. They would be kept. */
  readonly hasMore: boolean;
  /** Aborts when the answer is no longer needed. */
  readonly signal?: AbortSignal;
}

/** Asks the user. Only the result `true` forgets; any other value, or an error, forgets nothing. */
export type ConfirmForget = (request: ForgetRequest) => boolean | Promise<boolean>;

/** Answer for the model: without an error, the number of matches that were forgotten, and a note about the rest. */
export type ForgetAnswer =
  | { forgotten: number; note?: string }
  | { refused: true }
  | { found: 0 }
  | { forgotten: number; error: string };

const MAX_MATCHES = 10;
/** Search also matches by meaning, but only messages that contain the words count. */
const SEARCHED_MESSAGES = 50;
const KEPT_TURNS =
  'The facts were forgotten. The messages that state them were kept. If the user wants these to be forgotten too, call this tool again with the same query.';
const HAS_MORE =
  'There are more matches. If the user wants all of them to be forgotten, call this tool again.';

/** Finds the matches of a query, asks the page for confirmation, and forgets what was confirmed. */
export async function forgetConfirmed(
  memory: Memory,
  confirm: ConfirmForget,
  query: string,
  signal: AbortSignal,
): Promise<ForgetAnswer> {
  signal.throwIfAborted();
  const found = await findMatches(memory, query, signal);
  if (found.length === 0) return { found: 0 };
  const matches = found.slice(0, MAX_MATCHES);
  const hasMore = found.length > MAX_MATCHES;
  const receipt = await previewAll(memory, matches, signal);
  const isConfirmed = await askUser(memory, signal, () =>
    confirm({ query, matches, receipt, hasMore, signal }),
  );
  if (!isConfirmed) return { refused: true };
  let forgotten = 0;
  for (const match of matches) {
    try {
      if (await forgetMatch(memory, match, signal)) forgotten++;
    } catch (cause) {
      if (forgotten === 0 || signal.aborted) throw cause;
      raiseWarning(memory, { code: 'memory-skipped', message: 'Not everything could be forgotten.', cause });
      return { forgotten, error: errorText(cause) };
    }
  }
  const notes = [matches[0]?.kind === 'fact' ? KEPT_TURNS : [], hasMore ? HAS_MORE : []].flat();
  return { forgotten, ...(notes.length > 0 ? { note: notes.join(' ') } : {}) };
}

/**
 * Finds everything that contains all words of a query: facts, including ended and unconfirmed ones, or turns if there
 * are no such facts.
 */
async function findMatches(memory: Memory, query: string, signal: AbortSignal): Promise<ForgetMatch[]> {
  const words = comparable(query).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  if (words.length === 0) return [];
  const containsAll = (text: string): boolean => {
    const compared = comparable(text);
    return words.every((word) => compared.includes(word));
  };
  const facts = await memory.facts.list({ includeHistory: true, includeUnconfirmed: true, signal });
  const matches = facts
    .map((fact): ForgetMatch => {
      return { kind: 'fact', text: `${fact.subject} ${fact.predicate} ${fact.object}`, fact };
    })
    .filter(({ text }) => containsAll(text));
  if (matches.length > 0) return matches;
  const found = await memory.search(query, { limit: SEARCHED_MESSAGES, signal });
  const messages = found.flatMap(({ message }) => (containsAll(textOf(partsOf(message))) ? message : []));
  return loadTurns(memory, new Map(messages.map(({ turnId, sessionId }) => [turnId, sessionId])), signal);
}

/** @param turns session ids by turn ids */
async function loadTurns(
  memory: Memory,
  turns: ReadonlyMap<string, string>,
  signal: AbortSignal,
): Promise<ForgetMatch[]> {
  const sessions = new Map<string, readonly StoredMessage[]>();
  const matches: ForgetMatch[] = [];
  for (const [turnId, sessionId] of [...turns].slice(0, MAX_MATCHES + 1)) {
    const history = sessions.get(sessionId) ?? (await memory.history({ sessionId, signal }));
    sessions.set(sessionId, history);
    const messages = history.filter((message) => message.turnId === turnId);
    const text = messages.map((message) => textOf(partsOf(message))).join('\n\n');
    if (messages.length > 0) matches.push({ kind: 'turn', text, turnId, sessionId, messages });
  }
  return matches;
}

async function previewAll(
  memory: Memory,
  matches: readonly ForgetMatch[],
  signal: AbortSignal,
): Promise<ForgetReceipt> {
  const sum: Partial<Record<keyof ForgetReceipt, number>> = {};
  for (const match of matches) {
    const receipt = await memory.forget(selectorOf(match), { preview: true, signal });
    for (const [name, count] of Object.entries(receipt) as [keyof ForgetReceipt, number][])
      sum[name] = (sum[name] ?? 0) + count;
  }
  return sum as ForgetReceipt;
}

async function askUser(
  memory: Memory,
  signal: AbortSignal,
  ask: () => boolean | Promise<boolean>,
): Promise<boolean> {
  try {
    const answer: unknown = await abortable(Promise.resolve().then(ask), signal);
    return answer === true;
  } catch (cause) {
    signal.throwIfAborted();
    const message = 'confirmForget threw an error, so nothing was forgotten.';
    raiseWarning(memory, { code: 'memory-skipped', message, cause });
    return false;
  }
}

/** Resolves to whether something was erased: another tab may have been faster. */
async function forgetMatch(memory: Memory, match: ForgetMatch, signal: AbortSignal): Promise<boolean> {
  try {
    const { facts, turns } = await memory.forget(selectorOf(match), { signal });
    return facts + turns > 0;
  } catch (cause) {
    if (cause instanceof MnemoraError && cause.code === 'not-found') return false;
    throw cause;
  }
}

function selectorOf(match: ForgetMatch): { factId: string } | { turnId: string } {
  return match.kind === 'fact' ? { factId: match.fact.id } : { turnId: match.turnId };
}

/** Returns a text normalized for comparison: case and the encoding of accents do not matter. */
function comparable(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
