import type { Extractor, SourceMessage } from '../../learning/extractor.ts';
import type { ParsedTriple } from '../../learning/parse-replies.ts';
import { messageText, type StoredMessage } from '../../model/message.ts';
import { defined } from '../../model/defined.ts';

/** A part of a conversation to extract from. */
export interface Dialogue {
  /** Messages that a prompt shows, and that resolve pronouns. They may include those of the input. */
  readonly history: readonly StoredMessage[];
  /** Whole turns, from which only the user's messages are read, or a message of the user that is not stored yet. */
  readonly input: readonly StoredMessage[] | string;
  readonly signal?: AbortSignal | undefined;
}

/** An entity with its summary so far, which can be empty. */
export interface SummarizedEntity {
  readonly name: string;
  readonly summary: string;
}

/**
 * Extracts the data that LangChain's entity and graph memories need from a conversation. There are two implementations:
 * `llmDialogue` asks a model with LangChain's prompts, `extractorDialogue` uses any {@link Extractor}.
 */
export interface DialogueExtractor {
  /** Returns the names of the entities that the input is about. */
  findEntities(dialogue: Dialogue): Promise<string[]>;
  /** Returns the facts stated in the input. */
  extractTriples(dialogue: Dialogue): Promise<ParsedTriple[]>;
  /** Updates summaries. Undefined if the summaries are made of the notes that `extract` returns. */
  readonly summaries?: {
    /** Returns a new summary of one entity, or undefined if nothing has changed. */
    updateEntity(dialogue: Dialogue, entity: SummarizedEntity): Promise<string | undefined>;
    /** Returns new summaries of those of the entities that have changed, by name, in one call; no others. */
    updateEntities(
      dialogue: Dialogue,
      entities: readonly SummarizedEntity[],
    ): Promise<ReadonlyMap<string, string>>;
  };
}

/** Returns a dialogue extractor that uses only the `extract` method of an extractor. */
export function extractorDialogue(extractor: Pick<Extractor, 'extract'>): DialogueExtractor {
  const read = async ({ history, input, signal }: Dialogue) => {
    const messages = typeof input === 'string' ? [unstored(input)] : input.flatMap(toSource);
    const start = history.findIndex(({ id }) => id === messages[0]?.id);
    const before = start < 0 ? history : history.slice(0, start);
    const context = before.flatMap(toSource);
    const asked = { messages, context, entities: [], facts: [], ...defined({ signal }) };
    const { mentions, triples } = await extractor.extract(asked);
    // LangChain learns from the user's messages only. An extractor needs the replies to understand them.
    const isOfUser = ({ messageId }: { readonly messageId: string }): boolean =>
      messages.some(({ id, role }) => id === messageId && role === 'user');
    return { mentions: mentions.filter(isOfUser), triples: triples.filter(isOfUser) };
  };
  return {
    findEntities: async (dialogue) => (await read(dialogue)).mentions.map(({ name }) => name),
    extractTriples: async (dialogue) =>
      (await read(dialogue)).triples.map(({ subject, predicate, object }) => ({
        subject,
        predicate,
        object,
      })),
  };
}

function unstored(text: string): SourceMessage {
  return { id: 'input', role: 'user', text, createdAt: Date.now() };
}

/** Returns a message as an extractor receives it; empty for system messages and messages without text. */
export function toSource(message: StoredMessage): SourceMessage[] {
  const { id, role, createdAt } = message;
  const text = messageText(message);
  if (role === 'system' || text === '') return [];
  const name = 'name' in message ? message.name : undefined;
  return [{ id, role, text, createdAt, ...(name === undefined ? {} : { name }) }];
}
