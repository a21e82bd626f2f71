import type { UIMessage } from 'ai';
import type { Memory } from '../../index.ts';
import { checkUIMessages } from './check-ui-messages.ts';
import { fromUIMessages } from './convert-ui-messages.ts';
import { toUIMessages } from './to-ui-messages.ts';
import { turnsIn } from './turns-in.ts';
import { listUITurns, putUITurn } from './ui-turns.ts';

/** Loads what `loadUIMessages` returns. */
export async function loadChat(
  memory: Memory,
  chatId: string,
  options: { signal?: AbortSignal },
): Promise<UIMessage[]> {
  const stored = await memory.history(chatId, options);
  const shown = await listUITurns(memory, chatId, options.signal);
  return [...turnsIn(stored)].flatMap(([turnId, messages]) => shown.get(turnId) ?? toUIMessages(messages));
}

/** Stores what `saveUIMessages` is given. */
export async function saveChat(
  memory: Memory,
  chatId: string,
  messages: readonly UIMessage[],
): Promise<void> {
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
