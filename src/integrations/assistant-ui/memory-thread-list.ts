import { useAui, type RemoteThreadListAdapter, type ThreadMessage } from '@assistant-ui/react';
import { useEffect, useRef, useState } from 'react';
import type { JsonValue, Memory, SessionInfo } from '../../index.ts';
import { noteDeleted } from '../ai-sdk/chats/deleted-chats.ts';
import { checkMemory } from '../../model/check-memory.ts';
import { defined } from '../../model/defined.ts';
import { invalidInput } from '../../model/error.ts';
import { messageText } from '../../model/message.ts';
import { memoryThreadHistory } from './memory-thread-history.ts';
import {
  createThread,
  getThreadFields,
  listThreadFields,
  putField,
  requireThread,
  type ThreadFields,
} from './thread-records.ts';

type AssistantStream = Awaited<ReturnType<RemoteThreadListAdapter['generateTitle']>>;
type ThreadMetadata = Awaited<ReturnType<RemoteThreadListAdapter['fetch']>>;

/** Maximum length of a title made from a message, in UTF-16 units. */
const TITLE_LENGTH = 60;

/**
 * Returns a thread list for `useRemoteThreadListRuntime`, in which each session of the memory is a thread, newest first.
 * Names, the archive and custom data of threads are stored with them. Each thread has the history that
 * {@link memoryThreadHistory} returns.
 *
 * The id of a thread is the id of its session, and the chat id that `useChatRuntime` gives to a transport: with
 * `memoryTransport`, the turns of a thread are stored in its session from the first one on. Deleting a thread forgets
 * its session and everything learned from it alone; tabs that still show the thread cannot continue it. Call this once
 * per memory, outside of your components.
 *
 * @throws MnemoraError `invalid-option`. All methods except `list`, `initialize` and `generateTitle` reject with
 *   `not-found`, and change nothing, for a thread that does not exist; all methods reject with the `storage-…` codes
 *
 * @example
 * const threads = memoryThreadList(memory);
 * const transport = memoryTransport(memory, { model });
 * const runtimeHook = () => useChatRuntime({ transport });
 * const App = () => {
 *   const runtime = useRemoteThreadListRuntime({ adapter: threads, runtimeHook });
 *   return <AssistantRuntimeProvider runtime={runtime}>…</AssistantRuntimeProvider>;
 * };
 */
export function memoryThreadList(memory: Memory): RemoteThreadListAdapter {
  checkMemory(memory);
  /** Threads that this page began, and whether they are recorded. */
  const begun = new Map<string, boolean>();
  return {
    async list() {
      const recorded = new Map(begun);
      const fields = await listThreadFields(memory);
      const sessions = new Map((await memory.sessions()).map((session) => [session.id, session]));
      const created = [...fields].flatMap(([id, { createdAt }]) => (createdAt === undefined ? [] : [id]));
      const threads = await Promise.all(
        Array.from(new Set([...sessions.keys(), ...created]), async (id) => ({
          thread: await threadOf(memory, id, fields.get(id), sessions.get(id)),
          time: sessions.get(id)?.updatedAt ?? fields.get(id)?.createdAt ?? 0,
        })),
      );
      const newestFirst = threads.toSorted((a, b) => b.time - a.time).map(({ thread }) => thread);
      // The runtime has a thread that began meanwhile already, and would take it for another one that has its id.
      return {
        threads: newestFirst.filter(
          ({ remoteId }) => !begun.has(remoteId) || recorded.get(remoteId) === true,
        ),
      };
    },
    // Keeps the page's id, because it is the only one that a transport receives.
    async initialize(threadId) {
      begun.set(threadId, begun.get(threadId) ?? false);
      await createThread(memory, threadId);
      begun.set(threadId, true);
      return { remoteId: threadId, externalId: undefined };
    },
    async rename(remoteId, newTitle) {
      if (typeof newTitle !== 'string') throw invalidInput('The name of a thread must be a string.');
      await putField(memory, remoteId, 'title', newTitle === '' ? undefined : newTitle);
    },
    updateCustom: (remoteId, custom) => putField(memory, remoteId, 'custom', custom as JsonValue | undefined),
    archive: (remoteId) => putField(memory, remoteId, 'isArchived', true),
    unarchive: (remoteId) => putField(memory, remoteId, 'isArchived', undefined),
    async delete(remoteId) {
      await requireThread(memory, remoteId);
      await noteDeleted(memory, remoteId); // first: a tab that stores a question in between then finds it
      await memory.forget({ sessionId: remoteId });
    },
    async fetch(threadId) {
      await requireThread(memory, threadId);
      return threadOf(
        memory,
        threadId,
        await getThreadFields(memory, threadId),
        await sessionOf(memory, threadId),
      );
    },
    // The title is not stored: the session's own title is forgotten with the message that it quotes.
    async generateTitle(remoteId, messages) {
      const { title } = await getThreadFields(memory, remoteId);
      return titleStream(title ?? ((await sessionOf(memory, remoteId))?.title || titleFrom(messages)));
    },
    unstable_useAdapters: function useMemoryAdapters() {
      const aui = useAui();
      const latest = useRef(aui);
      useEffect(() => {
        latest.current = aui;
      });
      const [adapters] = useState(() => ({
        history: memoryThreadHistory(memory, () => latest.current.threadListItem),
      }));
      return adapters;
    },
  };
}

async function threadOf(
  memory: Memory,
  remoteId: string,
  { isArchived = false, title, custom }: ThreadFields = {},
  session?: SessionInfo,
): Promise<ThreadMetadata> {
  return defined({
    remoteId,
    status: isArchived ? ('archived' as const) : ('regular' as const),
    title: title ?? (session && (await titleOf(memory, session))),
    lastMessageAt: session && new Date(session.updatedAt),
    custom,
  });
}

/** Returns a title as the stream that a runtime reads; the stream is empty without a title. */
function titleStream(title: string | undefined): AssistantStream {
  return new ReadableStream({
    start(controller) {
      if (title !== undefined && title !== '') {
        controller.enqueue({ path: [], type: 'part-start', part: { type: 'text' } });
        controller.enqueue({ path: [0], type: 'text-delta', textDelta: title });
        controller.enqueue({ path: [0], type: 'part-finish' });
      }
      controller.close();
    },
  });
}

async function sessionOf(memory: Memory, threadId: string): Promise<SessionInfo | undefined> {
  return (await memory.sessions()).find(({ id }) => id === threadId);
}

/** Returns the title of a session or, if the user has said nothing in it, as in notes of a model, its first words. */
async function titleOf(memory: Memory, { id, title }: SessionInfo): Promise<string | undefined> {
  if (title !== '') return title;
  const [first] = await memory.history({ sessionId: id });
  return (first && beginningOf(messageText(first))) || undefined;
}

/** Returns the first words of the first question, for a thread that is not stored yet. */
function titleFrom(messages: readonly ThreadMessage[]): string | undefined {
  const asked = messages.find(({ role }) => role === 'user');
  const texts = (asked?.content ?? []).flatMap((part) => (part.type === 'text' ? [part.text] : []));
  return beginningOf(texts.join(' '));
}

function beginningOf(words: string): string {
  const text = words.replaceAll(/\s+/g, ' ').trim();
  return text.length <= TITLE_LENGTH ? text : `${text.slice(0, TITLE_LENGTH - 1).toWellFormed()}…`;
}
