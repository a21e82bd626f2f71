import type { StoredMessage, TurnState } from '../../src/index.ts';

/** One turn as the page shows it. */
export interface Turn {
  id: string;
  state: TurnState;
  messages: readonly StoredMessage[];
}

/** Groups a conversation's messages into its turns, oldest first. */
export function groupTurns(messages: readonly StoredMessage[]): Turn[] {
  const turns = new Map<string, StoredMessage[]>();
  for (const message of messages) {
    const turn = turns.get(message.turnId);
    if (turn) turn.push(message);
    else turns.set(message.turnId, [message]);
  }
  return [...turns].map(([id, grouped]) => ({
    id,
    state: grouped.at(-1)?.state ?? 'complete',
    messages: grouped,
  }));
}

/** The text of a message. */
export function messageText({ content }: Pick<StoredMessage, 'content'>): string {
  if (content === null) return '';
  if (typeof content === 'string') return content;
  return content.flatMap((part) => (part.type === 'text' ? [String(part['text'])] : [])).join('\n');
}

/** The text of the user message that opened a turn, or an empty string. */
export function turnInput(turn: Turn): string {
  const opening = turn.messages.find((message) => message.role === 'user');
  return opening ? messageText(opening) : '';
}
