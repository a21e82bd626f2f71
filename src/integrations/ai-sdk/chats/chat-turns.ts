import type { UIMessage } from 'ai';
import type { Memory, StoredMessage } from '../../../index.ts';
import { asJson, canonicalJson, RESERVED_NAMES, type JsonValue } from '../../../model/json.ts';
import { sha256 } from '../../../model/sha256.ts';
import { prefixOf } from '../../record-key.ts';
import { perMemory } from '../per-memory.ts';
import { withoutQuotes } from '../memory-replies.ts';
import { toUIMessages } from '../to-ui-messages.ts';
import { onceStoredIn } from './shown-messages.ts';

/** The namespace of the records that hold UI messages. */
const NAMESPACE = 'ai-sdk/ui-messages';

/** The UI messages of a turn, with the ids of the stored messages that they show, in the order of the turn. */
export interface ShownTurn {
  readonly turnId: string;
  readonly shown: readonly UIMessage[];
  readonly messageIds: readonly string[];
}

/** A stored turn with the messages that show it: those of the page that has shown it, if one has. */
export interface ChatTurn extends ShownTurn {
  /**
   * Whether another turn is shown instead. The memory still uses a turn that is replaced by one that is not complete.
   */
  readonly isReplaced: boolean;
  readonly isPending: boolean;
  /** False if no page has shown the turn; `shown` was then made from the stored messages. */
  readonly wasShown: boolean;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

/**
 * Stores the UI messages of a turn, with parts and metadata that a stored turn cannot hold. They are erased with any
 * message of the turn.
 */
export async function putUITurn(
  memory: Memory,
  chatId: string,
  { turnId, messageIds }: Readonly<Pick<ShownTurn, 'turnId' | 'messageIds'>>,
  messages: readonly UIMessage[],
): Promise<void> {
  const value = toRecord(messages);
  const key = `${prefixOf(chatId)}${turnId}`;
  try {
    await memory.records(NAMESPACE).put(key, value, { sessionId: chatId, messageIds });
  } catch (error) {
    // An earlier part of the turn would be shown in place of the stored messages.
    await memory
      .records(NAMESPACE)
      .delete(key)
      .catch(() => undefined);
    throw error;
  }
  onceStoredIn(memory).add(chatId, messages);
  hashesOf(memory).set(turnId, sha256(canonicalJson(value)));
}

/** Whether UI messages are those of a stored turn, as they were before `redact` changed what is stored of them. */
export function isTurnOf(
  memory: Memory,
  { turnId, shown }: ShownTurn,
  messages: readonly UIMessage[],
): boolean {
  const json = canonicalJson(toRecord(messages));
  return json === canonicalJson(shown) || sha256(json) === hashesOf(memory).get(turnId);
}

/** Returns what is stored of UI messages: not what a tool has quoted from the memory. */
function toRecord(messages: readonly UIMessage[]): JsonValue {
  // A tool of the page may return values that JSON cannot represent, such as a date.
  return withoutReserved(withoutQuotes(asJson(messages, 'The messages of a chat')));
}

/** No record may have fields with these names, and what a tool returns may. */
function withoutReserved(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutReserved);
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) =>
      RESERVED_NAMES.has(name) ? [] : [[name, withoutReserved(inner)]],
    ),
  );
}

/** Returns the hashes of the turns that this page has stored in a memory, by turn id. */
const hashesOf = perMemory(() => new Map<string, string>());

/** Returns the turns of a chat that a page has shown, including replaced turns; the turn stored last is last. */
export async function listShownTurns(
  memory: Memory,
  chatId: string,
  options: { signal?: AbortSignal } = {},
): Promise<ShownTurn[]> {
  const prefix = prefixOf(chatId);
  const rows = await memory.records(NAMESPACE).list({ prefix, ...options });
  return rows
    .toSorted((a, b) => a.updatedAt - b.updatedAt)
    .map(({ key, value, messageIds }) => ({
      turnId: key.slice(prefix.length),
      shown: value as unknown as UIMessage[],
      messageIds,
    }));
}

/** Returns the turns of a chat in the order of the conversation, including replaced turns. */
export async function listChatTurns(
  memory: Memory,
  chatId: string,
  options: { signal?: AbortSignal } = {},
): Promise<ChatTurn[]> {
  const history = await memory.history({ sessionId: chatId, ...options });
  const recorded = await listShownTurns(memory, chatId, options);
  const shown = new Map(recorded.map((turn) => [turn.turnId, turn]));
  const replaced = new Set(
    history.flatMap(({ state, turnId, replaces = [] }) => (state === 'replaced' ? turnId : replaces)),
  );
  const turns = new Map<string, StoredMessage[]>();
  for (const message of history) turns.set(message.turnId, [...(turns.get(message.turnId) ?? []), message]);
  const listed = Array.from(turns, ([turnId, stored]) => ({
    turnId,
    shown: shown.get(turnId)?.shown ?? toUIMessages(stored),
    messageIds: shown.get(turnId)?.messageIds ?? stored.map(({ id }) => id),
    isReplaced: replaced.has(turnId),
    isPending: stored.some(({ state }) => state === 'pending'),
    wasShown: shown.has(turnId),
    createdAt: stored[0]?.createdAt ?? 0,
  }));
  // An earlier answer that was continued or made again has its place with the question.
  const places = new Map<string | undefined, number>();
  const placeOf = ({ shown: [asked] }: ShownTurn): number => places.get(asked?.id) ?? 0;
  for (const [place, turn] of listed.entries()) {
    const id = turn.shown[0]?.id;
    if (!places.has(id)) places.set(id, place);
  }
  return listed.toSorted((a, b) => placeOf(a) - placeOf(b));
}

/** Returns the turns of a chat that a page shows, in the order of the conversation. */
export async function listVisibleTurns(
  memory: Memory,
  chatId: string,
  options?: { signal?: AbortSignal },
): Promise<ChatTurn[]> {
  return (await listChatTurns(memory, chatId, options)).filter(({ isReplaced }) => !isReplaced);
}

/** Whether a message is one of those that show a turn. */
export function shows({ shown }: ShownTurn, messageId: string): boolean {
  return shown.some(({ id }) => id === messageId);
}

/**
 * Returns the ids of the stored messages that a message of a turn shows: a turn begins with its question, and all
 * others belong to the answer. An answer without stored messages belongs to the whole turn.
 */
export function storedIdsOf({ shown, messageIds }: ShownTurn, id: string): readonly string[] {
  const [first] = shown;
  if (first?.role !== 'user') return messageIds;
  const answer = messageIds.slice(1);
  if (first.id === id) return messageIds.slice(0, 1);
  return answer.length === 0 ? messageIds : answer;
}
