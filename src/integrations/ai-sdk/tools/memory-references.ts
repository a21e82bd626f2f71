import type { Memory } from '../../../index.ts';
import { toolAnswer } from './tool-answer.ts';

/**
 * Messages that a search has found, by their ids. Pages and stores hold the ids; a model reads the quotes, which are made
 * from what the memory still has.
 */
export interface MemoryReferences {
  readonly origin: 'memory';
  /** Best first. */
  readonly messageIds: readonly string[];
}

const NOTHING_FOUND = 'Nothing was found.';
const NOTHING_LEFT = 'What was found here has been forgotten.';

type ModelOutput =
  | { type: 'text' | 'error-text'; value: string }
  | { type: 'json'; value: { origin: 'memory'; error: string } };

/** Returns the result of a search as a model reads it: fenced quotes with speaker and time. */
export async function quotesFor(memory: Memory, output: unknown): Promise<ModelOutput> {
  const { messageIds, error } = Object(output) as Record<string, unknown>;
  if (typeof error === 'string') return { type: 'json', value: { origin: 'memory', error } };
  // A turn that no page has shown is loaded with a text in place of the references.
  if (!Array.isArray(messageIds)) return { type: 'text', value: String(output) };
  if (messageIds.length === 0) return { type: 'text', value: NOTHING_FOUND };
  const answer = await toolAnswer(memory, undefined, async () => ({
    text: await memory.quote(messageIds as string[]),
  }));
  if ('error' in answer) return { type: 'error-text', value: answer.error };
  return { type: 'text', value: answer.text || NOTHING_LEFT };
}
