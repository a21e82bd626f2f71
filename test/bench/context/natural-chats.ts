/** A chat as people type it, with what should be known after it and what is asked then. */
export interface NaturalChat {
  id: string;
  /** Oldest first. */
  messages: ChatLine[];
  facts: ListedFact[];
  /** Readings that a careless extractor makes. */
  traps: Trap[];
  /** Asked at the end, in a new session. */
  asks: Ask[];
}

export interface ChatLine {
  role: 'user' | 'assistant';
  content: string;
  /** ISO 8601. */
  at: string;
  session: string;
}

/** One of each group is needed: `[['cat', 'cats'], ['miso']]`. Lower case. */
export type WordGroups = string[][];

/** What a careful friend would keep of a chat. */
export interface ListedFact {
  /** Accepted names of the subject, lower case; "user" is the person who types. */
  about: string | string[];
  /** Stems: a predicate that contains one of them fits. */
  relation: string[];
  object: WordGroups;
  /** An object with more words does not count. */
  maxWords?: number;
  negated?: boolean;
  /** Whether it is true at the end of the chat. */
  holds: boolean;
  /** Index of the message that says it. */
  evidence: number;
}

export interface Trap {
  about: string | string[];
  relation: string[];
  object: WordGroups;
  negated?: boolean;
}

export interface Ask {
  question: string;
  /** What the context must hold to answer it. Empty where memory has nothing to say. */
  needs: WordGroups;
  /** `direct`, `indirect`, `changed`, `who`, `when` or `unrelated`. */
  kind: string;
}

/** A request in which the user says nothing of themselves, with its answer. */
export interface EverydayRequest {
  user: string;
  assistant: string;
}

/**
 * Reads a corpus of chats.
 *
 * @throws Error that names the first chat that is not of the format
 */
export function readChats(json: string): NaturalChat[] {
  return readArray(json, 'chats').map((value, position) => {
    const chat = value as Partial<NaturalChat>;
    for (const field of ['messages', 'facts', 'traps', 'asks'] as const) {
      if (!Array.isArray(chat[field])) throw new Error(`Chat ${position} has no list of ${field}.`);
    }
    const { id, messages = [], asks = [] } = chat;
    if (typeof id !== 'string' || messages.length === 0)
      throw new Error(`Chat ${position} has no id, or no messages.`);
    const undated = messages.findIndex(({ at }) => Number.isNaN(Date.parse(at)));
    if (undated >= 0) throw new Error(`Message ${undated} of chat ${id} has no time that can be read.`);
    if (asks.some(({ question, needs }) => typeof question !== 'string' || !Array.isArray(needs)))
      throw new Error(`Chat ${id} asks something that has no question, or no list of needs.`);
    return chat as NaturalChat;
  });
}

/** @throws Error where it is not an array of requests with their answers */
export function readEveryday(json: string): EverydayRequest[] {
  return readArray(json, 'everyday requests').map((value, position) => {
    const { user, assistant } = value as Partial<EverydayRequest>;
    if (typeof user !== 'string' || typeof assistant !== 'string')
      throw new Error(`Everyday request ${position} has no user text, or no answer.`);
    return { user, assistant };
  });
}

function readArray(json: string, what: string): unknown[] {
  const value: unknown = JSON.parse(json);
  if (!Array.isArray(value) || value.length === 0) throw new Error(`This is not a list of ${what}.`);
  return value;
}
