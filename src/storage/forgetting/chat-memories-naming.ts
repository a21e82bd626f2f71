import type { CountedMessage } from '../../model/message.ts';
import type { ChatMemoryRecord } from '../schema.ts';
import type { Transaction } from '../storage-engine.ts';
import { DEFAULT_SCOPE } from '../../model/scope.ts';
import { messageHoldsText } from './holds-text.ts';
import type { Naming, NamingRows } from './find-names.ts';

/** A list of a chat memory that contains a name. */
export interface NamingList {
  /** The list without the exchanges that contain a name. */
  readonly left: ChatMemoryRecord;
  /** Number of messages that the list would lose. */
  readonly messages: number;
  /** Number of exchanges with a name, and of those with a name only within a longer word. */
  readonly counts: Readonly<Record<Naming, number>>;
}

/** Finds the lists of chat memories that belong to sessions of a scope and contain a name: see {@link ChatMemoryRecord}. */
export async function listsNaming(
  transaction: Transaction,
  scope: string,
  found: NamingRows,
): Promise<NamingList[]> {
  const store = transaction.objectStore('chatMemories');
  const lists: NamingList[] = [];
  for (const id of scope === DEFAULT_SCOPE ? await store.getAllKeys() : []) {
    if ((await transaction.objectStore('sessions').getKey([scope, id])) === undefined) continue;
    const list = await store.get(id);
    const checked = exchangesOf(list?.messages ?? []).map((messages) => ({
      messages,
      naming: found.namingOf((isMeant) => messages.some((message) => messageHoldsText(message, isMeant))),
    }));
    const countOf = (naming: Naming): number => checked.filter((each) => each.naming === naming).length;
    const counts = { named: countOf('named'), near: countOf('near') };
    if (!list || counts.named + counts.near === 0) continue;
    const left = checked.flatMap(({ messages, naming }) => (naming === 'named' ? [] : messages));
    lists.push({
      left: { ...list, messages: left },
      messages: list.messages.length - left.length,
      counts,
    });
  }
  return lists;
}

/** Splits a list into exchanges: what the user says, and all that follows until they speak again. */
function exchangesOf(messages: readonly CountedMessage[]): CountedMessage[][] {
  const exchanges: CountedMessage[][] = [];
  for (const message of messages) {
    const isAlone = message.role === 'user' || message.role === 'system';
    const last = exchanges.at(-1);
    if (!last || isAlone || last[0]?.role === 'system') exchanges.push([message]);
    else last.push(message);
  }
  return exchanges;
}
