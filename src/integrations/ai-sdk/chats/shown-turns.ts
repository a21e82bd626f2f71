import type { UIMessage } from 'ai';
import type { Memory } from '../../../index.ts';
import { toUIMessages } from '../to-ui-messages.ts';
import { turnsIn } from './turns-in.ts';
import { listUITurns } from './ui-turns.ts';

/** A stored turn that was not replaced, in the form that a page shows. */
export interface ShownTurn {
  /** With the ids and parts of the page that has shown them, if one has. */
  readonly messages: readonly UIMessage[];
  readonly isPending: boolean;
}

/** Returns the turns of a chat by their ids, in the order of the chat. */
export async function shownTurns(
  memory: Memory,
  chatId: string,
  signal?: AbortSignal,
): Promise<Map<string, ShownTurn>> {
  const stored = turnsIn(await memory.history({ sessionId: chatId, ...(signal ? { signal } : {}) }));
  const recorded = await listUITurns(memory, chatId, signal);
  const turns = new Map<string, ShownTurn>();
  for (const [turnId, messages] of stored) {
    turns.set(turnId, {
      messages: recorded.get(turnId) ?? toUIMessages(messages),
      isPending: messages.some(({ state }) => state === 'pending'),
    });
  }
  return turns;
}
