import type {
  GenericThreadHistoryAdapter,
  MessageFormatAdapter,
  MessageFormatItem,
  ThreadHistoryAdapter,
} from '@assistant-ui/react';
import type { JsonValue, Memory } from '../../index.ts';
import { noteCreated } from '../ai-sdk/chats/deleted-chats.ts';
import { withoutQuotes } from '../ai-sdk/memory-replies.ts';
import { shownOnPage } from '../ai-sdk/chats/shown-messages.ts';
import { checkMemory } from '../../model/check-memory.ts';
import { invalidInput, invalidOption } from '../../model/error.ts';
import { asJson, parseJson } from '../../model/json.ts';
import { memoizeAsync } from '../../model/loading.ts';
import { oneAtATime } from '../../model/named-queue.ts';
import type { MessageRow } from './match-turns.ts';
import { MessageRows, type ContentOfMessage } from './message-rows.ts';
import { createThread } from './thread-records.ts';
import { THREAD_MESSAGE, threadMessageContent, threadMessageFormat } from './thread-message-format.ts';

/**
 * The thread that a history belongs to: its id, or a function that returns its item in the runtime's list of threads,
 * which gives a new thread its id when its first message is stored.
 */
export type HistoryThread =
  | string
  | (() => {
      getState(): { readonly remoteId?: string | undefined };
      initialize(): Promise<{ readonly remoteId: string }>;
    });

/**
 * Returns a history for one thread of assistant-ui, which stores all its branches in the memory and loads them again.
 * {@link memoryThreadList} provides each of its threads with one; pass one yourself to `useLocalRuntime`.
 *
 * A history stores the messages that the page shows; the turns that are recalled are stored by `memoryTransport`.
 * Forgetting a turn also erases its messages here. Stored turns that the page has never saved, as after a crash or from
 * another chat interface, are loaded, too. Deleting a message forgets the stored messages that it shows.
 *
 * @throws MnemoraError `invalid-option`. The methods reject with `not-found`, and change nothing, for a thread that was
 *   deleted, a parent or a message to delete that is unknown; with `invalid-input` for what is not JSON; and with the
 *   `storage-…` codes
 *
 * @example
 * const history = memoryThreadHistory(memory, 'trip');
 * const runtime = useLocalRuntime(model, { adapters: { history } });
 */
export function memoryThreadHistory(memory: Memory, thread: HistoryThread): ThreadHistoryAdapter {
  checkMemory(memory);
  if (typeof thread !== 'function' && (typeof thread !== 'string' || thread === ''))
    throw invalidOption('memoryThreadHistory needs the id of a thread, or a function that returns its item.');
  const known = typeof thread === 'string' ? itemWithId(memory, thread) : undefined;
  const itemOf = known?.itemOf ?? (thread as ItemOf);

  // In sequence, because each write reads which positions are in use.
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => oneAtATime(memory, 'threads', work);

  function withFormat<Message, Content extends Record<string, unknown>>(
    format: MessageFormatAdapter<Message, Content>,
  ): GenericThreadHistoryAdapter<Message> {
    let pinned: ReturnType<typeof itemOf> | undefined;
    const inThread = async (work: (rows: MessageRows) => Promise<void>): Promise<void> => {
      const { remoteId } = await (pinned ?? itemOf()).initialize();
      await inTurn(() => work(new MessageRows(memory, remoteId)));
    };
    const put = (item: MessageFormatItem<Message>): Promise<void> => {
      const row = rowOf(format, item);
      return inThread((rows) => rows.put(row));
    };
    return {
      async load() {
        const { remoteId } = itemOf().getState();
        if (remoteId === undefined) return { headId: null, messages: [] };
        const load = () => new MessageRows(memory, remoteId).load(format.format, contentIn(format.format));
        const { headId, messages } = await inTurn(load);
        shownOnPage.add(remoteId, messages);
        // Without a list, a thread is recreated after its deletion by loading it.
        if (known) {
          known.beginAgain();
          await noteCreated(memory, remoteId);
        }
        return {
          headId,
          messages: messages.map((row) => format.decode({ ...row, content: row.content as Content })),
        };
      },
      pin: () => {
        pinned = itemOf();
      },
      append: async (item) => put(item),
      update: async (item) => put(item),
      delete: async (items) => {
        const ids = items.map(({ message }) => format.getId(message));
        await inThread((rows) => rows.delete(ids));
      },
    };
  }

  const { load, append, delete: remove } = withFormat(threadMessageFormat);
  const put: ThreadHistoryAdapter['append'] = ({ parentId, ...message }) => append({ parentId, message });
  return {
    async load() {
      const { headId = null, messages } = await load();
      return { headId, messages: messages.map(({ parentId, message }) => ({ ...message, parentId })) };
    },
    append: put,
    update: put,
    delete: async (items) => remove?.(items.map(({ parentId, ...message }) => ({ parentId, message }))),
    withFormat,
  };
}

type ItemOf = Exclude<HistoryThread, string>;

/** Returns a thread without a thread list, which exists once it has a message. */
function itemWithId(memory: Memory, threadId: string): { itemOf: ItemOf; beginAgain: () => void } {
  const creation = (): (() => Promise<void>) => memoizeAsync(() => createThread(memory, threadId));
  let create = creation();
  const item: ReturnType<ItemOf> = {
    getState: () => ({ remoteId: threadId }),
    async initialize() {
      await create();
      return { remoteId: threadId };
    },
  };
  return { itemOf: () => item, beginAgain: () => (create = creation()) };
}

function rowOf<Message, Content extends Record<string, unknown>>(
  format: MessageFormatAdapter<Message, Content>,
  item: MessageFormatItem<Message>,
): MessageRow {
  const id = format.getId(item.message);
  if (typeof id !== 'string' || id === '')
    throw invalidInput('A message of a thread has no id. It was not stored.');
  return {
    id,
    parent_id: item.parentId ?? null,
    format: format.format,
    // Checked before its position is stored.
    content: parseJson(
      withoutQuotes(asJson(format.encode(item), 'A message of the thread')),
      'A message of the thread',
    ),
  };
}

/** Returns the function that converts stored messages to a format, or undefined for an unknown format. */
function contentIn(format: string): ContentOfMessage | undefined {
  if (format === THREAD_MESSAGE) return threadMessageContent;
  // The content of `ai-sdk/v6` is the UI message without its id.
  if (format.startsWith('ai-sdk/')) return ({ id: _id, ...content }) => content as unknown as JsonValue;
  return undefined;
}
