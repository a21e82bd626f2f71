import { type LLM, withMemory } from '../../src/index.ts';
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
  const chat = withMemory(limitedReply(llm), memory, {
    system: SYSTEM,
    onFailure: failureMetadata,
    onContext: (context, turnId) => {
      const note = noteContext(context, memory.maxTokens);
      contexts.put(turnId, note);
      request.onContext(note, turnId);
    },
  });
  await chat.send(request.input, { onToken: (text) => request.onToken(text), signal: request.signal });
}
