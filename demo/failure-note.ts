import type { Memory, LLM, StoredMessage } from '../src/index.ts';

/** The field of a message's metadata that says why the answer failed. */
const FIELD = 'failure';
/** An endpoint may answer with a whole page. */
const MAX_CHARACTERS = 500;

/**
 * The same memory and model, for one answer: where either fails, the reason is kept with the message that holds what
 * came of the answer. It is forgotten with that message, as an endpoint may quote what was sent to it.
 */
export function keepingFailures(memory: Memory, llm: LLM): { memory: Memory; llm: LLM } {
  let failure: unknown;
  const noting = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      failure = error;
      throw error;
    }
  };
  const changed: Partial<Memory> = {
    recall: (input, options) => noting(memory.recall(input, options)),
    remember(turn, options = {}) {
      if (options.state !== 'failed' || failure === undefined || !('messages' in turn))
        return memory.remember(turn, options);
      const isAnswered = turn.messages.some(({ role }) => role === 'assistant');
      const nothing = isAnswered ? [] : [{ role: 'assistant' as const, content: '' }];
      const metadata = { ...options.metadata, ...failureMetadata(failure) };
      return memory.remember({ messages: [...turn.messages, ...nothing] }, { ...options, metadata });
    },
  };
  const noted = new Proxy(memory, {
    get(target, name) {
      const owner = name in changed ? changed : target;
      const value: unknown = Reflect.get(owner, name, owner);
      return typeof value === 'function' ? (value as () => unknown).bind(owner) : value;
    },
  });
  return { memory: noted, llm: (call) => noting(llm(call)) };
}

/** The metadata of a message that says why its answer failed. */
export function failureMetadata(error: unknown): { readonly [FIELD]: string } {
  const reason = error instanceof Error ? error.message : String(error);
  return { [FIELD]: reason.slice(0, MAX_CHARACTERS) };
}

/** Why the answer among these messages failed, where that is known. */
export function failureOf(messages: readonly Pick<StoredMessage, 'metadata'>[]): string | undefined {
  for (const { metadata } of messages) {
    const failure = metadata?.[FIELD];
    if (typeof failure === 'string') return failure;
  }
  return undefined;
}
