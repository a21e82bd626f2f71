import { type ChatMemory, type LLM, withMemory } from '../src/index.ts';
import { keepingFailures } from './failure-note.ts';
import { type ContextLog, type ContextNote, noteContext } from './context-log.ts';

const SYSTEM =
  'You are a friendly, concise assistant. Where the background from earlier conversations bears on the question, use it and say when it is from.';

export interface AnswerRequest {
  /** The memory, seen from the conversation that the question belongs to. */
  memory: ChatMemory;
  llm: LLM;
  input: string;
  contexts: ContextLog;
  onContext(note: ContextNote, turnId: string): void;
  onToken(text: string): void;
  signal: AbortSignal;
}

/**
 * Has a question answered with what the memory recalls for it, and notes what that was. Where the model fails, the
 * reason is kept with the turn.
 */
export async function answer(request: AnswerRequest): Promise<void> {
  const { memory, contexts } = request;
  const kept = keepingFailures(memory, request.llm);
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
