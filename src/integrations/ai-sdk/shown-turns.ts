import type { UIMessage } from 'ai';
import type { Memory } from '../../index.ts';
import { toUIMessages } from './to-ui-messages.ts';
import { turnsIn } from './turns-in.ts';
import { listUITurns } from './ui-turns.ts';

/** A stored turn that was not replaced, in the form that a page shows. */
export interface ShownTurn {
  readonly messages: readonly UIMessage[];
  /** Whether a page has shown it. The messages then have the page's ids and parts. */
  readonly isRecorded: boolean;
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
    const shown = recorded.get(turnId);
    turns.set(turnId, {
      messages: shown ?? toUIMessages(messages),
      isRecorded: shown !== undefined,
      isPending: messages.some(({ state }) => state === 'pending'),
    });
  }
  return turns;
}
