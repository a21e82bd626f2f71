import type { UIMessage } from 'ai';
import type { Memory, StoredMessage } from '../../index.ts';
import { checkMemory } from '../checks.ts';
import { checkUIMessages } from './check-ui-messages.ts';
import { fromUIMessages, toUIMessages } from './convert-ui-messages.ts';
import { listUITurns, putUITurn } from './ui-turns.ts';

/**
 * Returns the messages of a chat as `useChat` takes them, oldest first; an empty list for a chat that is not known yet.
 *
 * Messages that `memoryTransport` or `saveUIMessages` has stored come back with all their parts and metadata. Other turns of
 * the session, such as those of `remember`, are shown with their texts and tool calls. Replaced turns are left out.
 *
 * @param chatId id of the chat, which is the id of the session
 * @throws MnemoraError `invalid-input`, and the `storage-…` codes
 * @example
 * const messages = await loadUIMessages(memory, 'trip');
 * const chat = useChat({ id: 'trip', messages, transport });
 */
export async function loadUIMessages<Message extends UIMessage = UIMessage>(
  memory: Memory,
  chatId: string,
  options: { signal?: AbortSignal } = {},
): Promise<Message[]> {
  checkMemory(memory);
  const stored = await memory.history(chatId, options);
  const shown = await listUITurns<Message>(memory, chatId, options.signal);
  const turns = turnsIn(stored);
  return [...turns].flatMap(
    ([turnId, messages]) => shown.get(turnId) ?? (toUIMessages(messages) as Message[]),
  );
}

/**
 * Stores the messages of a chat, for a page with a transport of its own: call it when an answer has ended. Turns that are
 * stored already are not stored again; from the first one that differs on, the stored turns are replaced by the given
 * ones. Nothing is deleted: messages that are missing at the end stay stored, and `forget` erases them.
 *
 * @param chatId id of the chat, which becomes the id of the session
 * @throws MnemoraError `invalid-message` if these are no UI messages, naming the first that is not one; `invalid-input`, and
 *   the `storage-…` codes. The chat is unchanged then, or ends after a whole turn
 * @example
 * const chat = useChat({ id: 'trip', transport, onFinish: ({ messages }) => saveUIMessages(memory, 'trip', messages) });
 */
export async function saveUIMessages(
  memory: Memory,
  chatId: string,
  messages: readonly UIMessage[],
): Promise<void> {
  checkMemory(memory);
  const given = splitUITurns(await checkUIMessages(messages));
  const wire = await Promise.all(given.map(fromUIMessages));
  const stored = await memory.history(chatId);
  const shown = await listUITurns(memory, chatId);
  const known = [...turnsIn(stored).keys()].filter((turnId) => shown.has(turnId));
  const first = given.findIndex((turn, index) => !isSame(turn, shown.get(known[index] ?? '')));
  if (first < 0) return;
  let replaces = known.slice(first);
  for (const [index, turn] of given.entries()) {
    const turnMessages = wire[index] ?? [];
    if (index < first || turnMessages.length === 0) continue;
    const receipt = await memory.remember({ messages: turnMessages }, { sessionId: chatId, replaces });
    replaces = [];
    await putUITurn(memory, chatId, receipt, turn);
  }
}

/** Returns the messages of each turn that was not replaced, by its id, in the order of the chat. */
export function turnsIn(stored: readonly StoredMessage[]): Map<string, StoredMessage[]> {
  const turns = new Map<string, StoredMessage[]>();
  for (const message of stored) {
    if (message.state === 'replaced') continue;
    const turn = turns.get(message.turnId);
    if (turn) turn.push(message);
    else turns.set(message.turnId, [message]);
  }
  return turns;
}

/** Groups UI messages into turns, each with at most one user message, its first. */
function splitUITurns<Message extends UIMessage>(messages: readonly Message[]): Message[][] {
  const turns: Message[][] = [];
  for (const message of messages) {
    const turn = turns.at(-1);
    if (!turn || message.role === 'user') turns.push([message]);
    else turn.push(message);
  }
  return turns;
}

function isSame(given: readonly UIMessage[], stored: readonly UIMessage[] | undefined): boolean {
  return stored !== undefined && sortedJson(given) === sortedJson(stored);
}

function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_name, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
