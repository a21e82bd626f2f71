import type { ChatMessage } from '../../../../src/model/message.ts';

/** The same messages for the same id. */
export function turnMessages(turnId: string): ChatMessage[] {
  return [
    { role: 'user', content: `question ${turnId}` },
    // Of many sizes, so that a kill meets small and large writes.
    { role: 'assistant', content: `answer ${turnId}`.padEnd((turnId.length * 7919) % 5000, '.') },
  ];
}
