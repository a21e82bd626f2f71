import type { Memory } from '../../../index.ts';
import { toolAnswer } from './tool-answer.ts';

/**
 * References to the messages that a search has found. Pages and stores keep the ids; a model reads quotes, which are
 * made from the messages that still exist.
 */
export interface MemoryReferences {
  readonly origin: 'memory';
  /** Best first. */
  readonly messageIds: readonly string[];
}

const NOTHING_FOUND = 'Nothing was found.';
const NOTHING_LEFT = 'The messages found here have been forgotten.';

type ModelOutput =
  | { type: 'text' | 'error-text'; value: string }
  | { type: 'json'; value: { origin: 'memory'; error: string } };

/** Returns the result of a search for a model: fenced quotes with speaker and time. */
export async function quotesFor(memory: Memory, output: unknown): Promise<ModelOutput> {
  const { messageIds, error } = Object(output) as Record<string, unknown>;
  if (typeof error === 'string') return { type: 'json', value: { origin: 'memory', error } };
  // If no page has shown a turn, it is loaded with a text in place of the references.
  if (!Array.isArray(messageIds)) return { type: 'text', value: String(output) };
  if (messageIds.length === 0) return { type: 'text', value: NOTHING_FOUND };
  const answer = await toolAnswer(memory, undefined, async () => ({
    text: await memory.quote(messageIds as string[]),
  }));
  if ('error' in answer) return { type: 'error-text', value: answer.error };
  return { type: 'text', value: answer.text || NOTHING_LEFT };
}
