import { type LLM, withMemory } from '../src/index.ts';
import { answerWithoutModel, type PageAnswerRequest } from './answer-without-model.ts';
import { noteContext } from './context-log.ts';
import { keepingFailures } from './failure-note.ts';

const SYSTEM =
  'You are a friendly, concise assistant. Where the background from earlier conversations bears on the question, use it and say when it is from.';

export interface AnswerRequest extends PageAnswerRequest {
  /** Undefined where none is connected: the page itself answers then, from what the memory holds. */
  llm: LLM | undefined;
}

/**
 * Has a question answered with what the memory recalls for it, and notes what that was. Where the model fails, the
 * reason is kept with the turn.
 */
export async function answer(request: AnswerRequest): Promise<void> {
  const { memory, contexts, llm } = request;
  if (!llm) return answerWithoutModel(request);
  const kept = keepingFailures(memory, llm);
  const chat = withMemory(kept.llm, kept.memory, {
    system: SYSTEM,
    onContext: (context, turnId) => {
      const note = noteContext(context, memory.maxTokens);
      contexts.put(turnId, note);
      request.onContext(note, turnId);
    },
  });
  await chat.send(request.input, { onToken: (text) => request.onToken(text), signal: request.signal });
}
