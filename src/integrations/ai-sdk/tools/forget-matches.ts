import type { Memory, MemoryFact, StoredMessage } from '../../../index.ts';
import { plainText } from './plain-text.ts';

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

export interface ForgetMatches {
  /** Either facts or turns. */
  readonly matches: readonly ForgetMatch[];
  readonly hasMore: boolean;
}

const MAX_MATCHES = 10;
/** Search also matches by meaning, but only messages that contain the words count. */
const SEARCHED_MESSAGES = 50;

/**
 * Finds everything that contains all words of a query: facts, including ended and unconfirmed ones, or turns if there
 * are no such facts.
 */
export async function findMatches(
  memory: Memory,
  query: string,
  signal: AbortSignal | undefined,
): Promise<ForgetMatches> {
  const words = comparable(query).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  if (words.length === 0) return { matches: [], hasMore: false };
  const containsAll = (text: string): boolean => {
    const compared = comparable(text);
    return words.every((word) => compared.includes(word));
  };
  const signalOption = signal ? { signal } : {};
  const facts = await memory.facts.list({ includeHistory: true, includeUnconfirmed: true, ...signalOption });
  const matches = facts
    .map((fact): ForgetMatch => {
      return { kind: 'fact', text: `${fact.subject} ${fact.predicate} ${fact.object}`, fact };
    })
    .filter(({ text }) => containsAll(text));
  if (matches.length > 0) return limited(matches);
  const found = await memory.search(query, { limit: SEARCHED_MESSAGES, ...signalOption });
  const turns = new Map(
    found
      .filter(({ message }) => containsAll(plainText(message)))
      .map(({ message }) => [message.turnId, message.sessionId]),
  );
  return limited(await loadTurns(memory, turns, signalOption));
}

/** @param turns session ids by turn ids */
async function loadTurns(
  memory: Memory,
  turns: ReadonlyMap<string, string>,
  options: { signal?: AbortSignal },
): Promise<ForgetMatch[]> {
  const sessions = new Map<string, readonly StoredMessage[]>();
  const matches: ForgetMatch[] = [];
  for (const [turnId, sessionId] of [...turns].slice(0, MAX_MATCHES + 1)) {
    const history = sessions.get(sessionId) ?? (await memory.history({ sessionId, ...options }));
    sessions.set(sessionId, history);
    const messages = history.filter((message) => message.turnId === turnId);
    const text = messages.map(plainText).join('\n\n');
    if (messages.length > 0) matches.push({ kind: 'turn', text, turnId, sessionId, messages });
  }
  return matches;
}

function limited(matches: readonly ForgetMatch[]): ForgetMatches {
  return { matches: matches.slice(0, MAX_MATCHES), hasMore: matches.length > MAX_MATCHES };
}

/** Returns a text normalized for comparison: case and the encoding of accents do not matter. */
function comparable(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
