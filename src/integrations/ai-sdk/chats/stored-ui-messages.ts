import type { ChatMessage, Memory } from '../../../index.ts';
import { oneAtATime } from '../../../model/named-queue.ts';
import { splitTurns } from '../../../model/turn.ts';
import type { UIMessage } from 'ai';
import { isTurnOf, listShownTurns, listVisibleTurns, putUITurn, type ChatTurn } from './chat-turns.ts';
import { checkUIMessages, fromUIMessages } from './given-ui-messages.ts';
import { onceStoredIn, shownOnPage } from './shown-messages.ts';

/** Placeholder for a turn without any text for a model, such as one of `data-*` parts: it is shown but never sent. */
const UNREAD: ChatMessage = { role: 'assistant', content: '', origin: 'notice' };

/** Loads the UI messages of a chat; see `loadUIMessages`. */
export async function loadChat(
  memory: Memory,
  chatId: string,
  options: { signal?: AbortSignal },
): Promise<UIMessage[]> {
  const messages = (await listVisibleTurns(memory, chatId, options)).flatMap(({ shown }) => shown);
  shownOnPage.add(chatId, messages);
  onceStoredIn(memory).add(chatId, messages);
  return messages;
}

/** Stores the UI messages of a chat; see `saveUIMessages`. */
export async function saveChat(
  memory: Memory,
  chatId: string,
  messages: readonly UIMessage[],
): Promise<void> {
  return oneAtATime(memory, `ui-messages ${chatId}`, () => saveNow(memory, chatId, messages));
}

async function saveNow(memory: Memory, chatId: string, messages: readonly UIMessage[]): Promise<void> {
  const turns = splitTurns(await checkUIMessages(messages));
  shownOnPage.add(chatId, messages);
  const stored = await listVisibleTurns(memory, chatId);
  const given = await withoutForgotten(memory, chatId, turns, stored);
  const known = stored.filter(({ shown }) => shownOnPage.hasAny(chatId, shown));
  const first = given.findIndex((turn, index) => {
    const inPlace = known[index];
    return !inPlace || !isTurnOf(memory, inPlace, turn);
  });
  if (first < 0) return;
  const changed = given.slice(first);
  const wire = await Promise.all(changed.map(fromUIMessages));
  let replaces = known.slice(first).map(({ turnId }) => turnId);
  for (const [index, turn] of changed.entries()) {
    const read = wire[index] ?? [];
    const turnMessages = read.length > 0 ? read : [UNREAD];
    const receipt = await memory.remember({ messages: turnMessages }, { sessionId: chatId, replaces });
    replaces = [];
    try {
      await putUITurn(memory, chatId, receipt, turn);
    } catch (error) {
      await memory.forget({ turnId: receipt.turnId }); // so that the chat ends after a whole turn
      throw error;
    }
  }
}

/** Leaves out turns that this page still shows and that were forgotten since they were stored. */
async function withoutForgotten(
  memory: Memory,
  chatId: string,
  turns: readonly UIMessage[][],
  stored: readonly ChatTurn[],
): Promise<readonly UIMessage[][]> {
  const onceStored = onceStoredIn(memory);
  if (!turns.some((turn) => onceStored.hasAny(chatId, turn))) return turns;
  const left = [...(await listShownTurns(memory, chatId)), ...stored].flatMap(({ shown }) => shown);
  const ids = new Set(left.map(({ id }) => id));
  return turns.filter((turn) => !onceStored.hasAny(chatId, turn) || turn.some(({ id }) => ids.has(id)));
}
