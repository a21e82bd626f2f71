import { type LLM, type Memory, withMemory } from '../../src/index.ts';
import { noteContext } from '../context/context-log.ts';
import { failureMetadata } from '../memory/answer-metadata.ts';
import { answerWithoutModel, type PageAnswerRequest } from './answer-without-model.ts';
import { limitedReply } from './limited-reply.ts';

const SYSTEM =
  'You are a friendly, concise assistant. Where the background from earlier conversations bears on the question, use it and say when it is from.';

export interface AnswerRequest extends PageAnswerRequest {
  /** The connected model. If it is undefined, the page answers from what the memory holds. */
  llm: LLM | undefined;
}

/**
 * Answers a question with what the memory recalls for it, and logs the recalled context. If the model fails, the reason
 * is stored with the turn.
 */
export async function answer(request: AnswerRequest): Promise<void> {
  const { memory, contexts, llm } = request;
  if (!llm) return answerWithoutModel(request);
  const watched = storingFailures(memory, limitedReply(llm));
  const chat = withMemory(watched.llm, watched.memory, {
    system: SYSTEM,
    onContext: (context, turnId) => {
      const note = noteContext(context, memory.maxTokens);
      contexts.put(turnId, note);
      request.onContext(note, turnId);
    },
  });
  await chat.send(request.input, { onToken: (text) => request.onToken(text), signal: request.signal });
}

/**
 * Wraps a memory and a model for one answer: if either fails, the reason is stored in the metadata of the answer's
 * message. It is forgotten with that message, because an endpoint may quote what was sent to it.
 */
function storingFailures(memory: Memory, llm: LLM): { memory: Memory; llm: LLM } {
  let failure: unknown;
  const catching = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      failure = error;
      throw error;
    }
  };
  const changed: Partial<Memory> = {
    recall: (input, options) => catching(memory.recall(input, options)),
    remember(turn, options = {}) {
      if (options.state !== 'failed' || failure === undefined || !('messages' in turn))
        return memory.remember(turn, options);
      const isAnswered = turn.messages.some(({ role }) => role === 'assistant');
      const emptyAnswer = isAnswered ? [] : [{ role: 'assistant' as const, content: '' }];
      const metadata = { ...options.metadata, ...failureMetadata(failure) };
      return memory.remember({ messages: [...turn.messages, ...emptyAnswer] }, { ...options, metadata });
    },
  };
  const wrapped = new Proxy(memory, {
    get(target, name) {
      const owner = name in changed ? changed : target;
      const value: unknown = Reflect.get(owner, name, owner);
      return typeof value === 'function' ? (value as () => unknown).bind(owner) : value;
    },
  });
  return { memory: wrapped, llm: (call) => catching(llm(call)) };
}
