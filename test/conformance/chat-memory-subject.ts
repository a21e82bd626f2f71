import type { ChatMemoryStore } from '../../src/sessions/chat-memory-store.ts';
import type { ChatMessage } from '../../src/model/message.ts';
import {
  MessageWindowChatMemory,
  TokenWindowChatMemory,
} from '../../src/components/langchain4j/window-chat-memories.ts';
import type { Tokenizer } from '../../src/tokens/tokenizer.ts';
import type { ConformanceCase, MessageRow } from './case.ts';
import { toMessage, toMessages } from './message-rows.ts';
import type { Operation, Subject } from './subject.ts';
import { tokenCounter } from './token-counters.ts';
import { ScriptedFailure, type World } from './world.ts';

type ChatMemory = MessageWindowChatMemory | TokenWindowChatMemory;

type ChatMemoryLimit = number | (() => number);

interface WindowOptions {
  id?: string | number;
  maxMessages?: number;
  maxTokens?: number;
  dynamic?: boolean;
  noEstimator?: boolean;
  store?: string;
}

/** A chat memory; upstream's eviction where upstream is to be matched. */
export function chatMemorySubject({ given, product }: ConformanceCase, world: World): Subject {
  const { id, dynamic, noEstimator, store: storeKind, ...options } = (given.options ?? {}) as WindowOptions;
  const { store, counts } = makeStore(storeKind, world);
  const shared = {
    ...options,
    ...(id === undefined ? {} : { id: String(id) }),
    store,
    evictionUnit: product === 'match' ? ('message' as const) : ('turn' as const),
    onWarning: world.onWarning,
  };
  let max = options.maxMessages ?? options.maxTokens;
  const limit = dynamic ? () => max : max;
  const tokenizer = noEstimator ? undefined : tokenCounter(given.tokenCounter ?? 'contentWords+2perCall');
  const make = (most: ChatMemoryLimit, ownId = shared.id): ChatMemory => {
    const own = ownId === undefined ? shared : { ...shared, id: ownId };
    return given.component === 'MessageWindowChatMemory'
      ? new MessageWindowChatMemory({ ...own, maxMessages: most })
      : new TokenWindowChatMemory({ ...own, maxTokens: most, tokenizer: tokenizer as Tokenizer });
  };
  const memory = make(limit as ChatMemoryLimit);
  let other: ChatMemory | undefined;

  const operations: Record<string, Operation> = {
    construct: () => undefined,
    id: () => memory.id,
    add: async ({ message, messages }, isAnswerWanted) => {
      const rows = (messages ?? [message]) as readonly MessageRow[];
      for (const row of rows) await memory.add(toMessage(row));
      return isAnswerWanted ? memory.messages() : undefined;
    },
    addAll: async ({ messages }, isAnswerWanted) => {
      await memory.addAll(toMessages(messages));
      return isAnswerWanted ? memory.messages() : undefined;
    },
    set: async ({ messages }, isAnswerWanted) => {
      await memory.set(toMessages(messages));
      return isAnswerWanted ? memory.messages() : undefined;
    },
    update: ({ messages }) => store.updateMessages(memory.id, toMessages(messages)),
    messages: () => memory.messages(),
    clear: () => memory.clear(),
    counts,
    setMax: ({ value }) => {
      max = Number(value);
    },
    setThenMutateCaller: async ({ messages, push }) => {
      const own = toMessages(messages);
      await memory.set(own);
      const { length } = own;
      own.push(toMessage(push as MessageRow));
      return length;
    },
    messagesThenPush: async ({ push }) => {
      const list = await memory.messages();
      list.push(toMessage(push as MessageRow));
    },
    otherMemoryAdd: async ({ id: otherId, maxMessages, maxTokens, message, messages }) => {
      const most = maxMessages ?? maxTokens ?? max;
      other = make(Number(most), otherId === undefined ? undefined : String(otherId));
      for (const added of toMessages(messages ?? [message])) await other.add(added);
    },
    otherMemoryMessages: () => other?.messages(),
    preload: ({ count }) =>
      memory.addAll(Array.from({ length: Number(count) }, (_, index) => chatter(index))),
    estimatorCallsForAdd: async ({ message }) => {
      const before = tokenizer?.calls() ?? 0;
      await memory.add(toMessage(message as MessageRow));
      return (tokenizer?.calls() ?? 0) - before;
    },
    parallelAdds: async ({ threads, each }) => {
      const lanes = Array.from({ length: Number(threads) }, async (_, lane) => {
        for (let index = 0; index < Number(each); index += 1) await memory.add(chatter(lane + index));
      });
      await Promise.all(lanes);
    },
    countBelow: async ({ than }) => (await memory.messages()).length < Number(than),
    count: async () => (await memory.messages()).length,
    turnModelFails: ({ user }) =>
      memory.runTurn(toMessage(user as MessageRow), async () => {
        throw new ScriptedFailure('llm down');
      }),
  };
  return { operations, userName: 'user' };
}

/** A store alone. */
export function chatMemoryStoreSubject(world: World): Subject {
  const store = world.newChatMemoryStore();
  const idOf = (step: Readonly<Record<string, unknown>>): string =>
    String(step['id'] ?? step['memoryId'] ?? step['key'] ?? 'default');
  return {
    userName: 'user',
    operations: {
      construct: () => undefined,
      get: (step) => store.getMessages(idOf(step)),
      messages: (step) => store.getMessages(idOf(step)),
      update: (step) => store.updateMessages(idOf(step), toMessages(step['messages'])),
      set: (step) => store.updateMessages(idOf(step), toMessages(step['messages'])),
      exists: async (step) => (await store.getMessages(idOf(step))).length > 0,
      delete: (step) => store.deleteMessages(idOf(step)),
      clear: (step) => store.deleteMessages(idOf(step)),
    },
  };
}

function makeStore(kind: string | undefined, world: World): { store: ChatMemoryStore; counts: Operation } {
  const inner = world.newChatMemoryStore();
  if (kind !== 'counting') {
    if (kind !== undefined && kind !== 'shared') throw new Error(`unknown kind of store "${kind}"`);
    return {
      store: inner,
      counts: () => {
        throw new Error('this store does not count');
      },
    };
  }
  const counts = { get: 0, update: 0, delete: 0 };
  return {
    counts: () => ({ ...counts }),
    // Without changeMessages, as a store of the user's own may be.
    store: {
      getMessages: (id) => {
        counts.get += 1;
        return inner.getMessages(id);
      },
      updateMessages: (id, messages) => {
        counts.update += 1;
        return inner.updateMessages(id, messages);
      },
      deleteMessages: (id) => {
        counts.delete += 1;
        return inner.deleteMessages(id);
      },
    },
  };
}

function chatter(index: number): ChatMessage {
  return index % 2 === 0
    ? { role: 'user', content: `question ${index}` }
    : { role: 'assistant', content: `answer ${index}` };
}
