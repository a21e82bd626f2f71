import type { Memory, ChatMessage, TurnState } from '../../src/index.ts';
import { type ContextLog, type ContextNote, noteContext } from '../context/context-log.ts';
import { failureMetadata } from '../memory/answer-metadata.ts';
import { answerSourcesMetadata } from '../memory/answer-metadata.ts';
import { offlineAnswer } from './offline-answer.ts';
import { waitForLearning } from './wait-for-learning.ts';

export interface PageAnswerRequest {
  /** The memory, bound to the conversation of the question. */
  memory: Memory;
  input: string;
  contexts: ContextLog;
  onContext(note: ContextNote, turnId: string): void;
  onToken(text: string): void;
  signal: AbortSignal;
}

/**
 * Answers from what the memory holds, and logs the recalled context. The answer is stored with the origin `notice`: it is
 * shown, but never searched, learned from, or sent to a model that is connected later.
 */
export async function answerWithoutModel(request: PageAnswerRequest): Promise<void> {
  const { memory, contexts, input, signal } = request;
  const question: ChatMessage = { role: 'user', content: input };
  const pending = await memory.remember({ messages: [question] }, { state: 'pending' });
  const { turnId } = pending;
  const end = async (
    messages: readonly ChatMessage[],
    state: TurnEnd,
    metadata?: Readonly<Record<string, unknown>>,
  ) => {
    const ended = await memory.remember({ messages }, { turnId, state, ...(metadata ? { metadata } : {}) });
    // A different message id means that the turn was forgotten meanwhile, and that this call stored it again.
    if (ended.messageIds[0] !== pending.messageIds[0]) await memory.forget({ turnId });
  };
  try {
    await waitForLearning(memory, signal);
    const context = await memory.recall(input, { turnId, signal });
    const note = noteContext(context, memory.maxTokens);
    contexts.put(turnId, note);
    request.onContext(note, turnId);
    const [messageId = ''] = pending.messageIds;
    const now = Date.now();
    const { text, sources } = await offlineAnswer({ memory, input, messageId, context, now, signal });
    signal.throwIfAborted();
    request.onToken(text);
    await end([question, notice(text)], 'complete', answerSourcesMetadata(sources));
  } catch (error) {
    const ended = signal.aborted
      ? end([question], 'cancelled')
      : end([question, notice('')], 'failed', failureMetadata(error));
    await ended.catch(() => undefined); // the first error is the one to report
    throw error;
  }
}

function notice(content: string): ChatMessage {
  return { role: 'assistant', content, origin: 'notice' };
}

type TurnEnd = Exclude<TurnState, 'pending' | 'replaced'>;
