// Checked by the compiler alone (`npm run types`) and never run. PKG-13: the components' types are the contract.
import { expectTypeOf } from 'vitest';
import {
  CombinedMemory,
  ConversationBufferMemory,
  ConversationBufferWindowMemory,
  ConversationChain,
  ConversationEntityMemory,
  ConversationKGMemory,
  ConversationSummaryBufferMemory,
  ConversationSummaryMemory,
  ConversationTokenBufferMemory,
  InMemoryChatMessageHistory,
  InMemoryEntityStore,
  ReadOnlySharedMemory,
  SimpleMemory,
  VectorStoreRetrieverMemory,
  memoryRetriever,
  promptTemplate,
  trimMessages,
  withMessageHistory,
  type BaseMemory,
  type Runnable,
} from '../../src/langchain.ts';
import {
  InMemoryChatMemoryStore,
  MessageWindowChatMemory,
  TokenWindowChatMemory,
} from '../../src/langchain4j.ts';
import {
  openDatabase,
  type ChatMemoryStore,
  type ChatMessage,
  type ChatMessageHistory,
  type Embedder,
  type EntityStore,
  type Extractor,
  type LLM,
  type MemoryDatabase,
  type MnemoraError,
  type MnemoraErrorCode,
  type SessionInfo,
  type StoredMessage,
  type Tokenizer,
  type WarningCode,
} from '../../src/index.ts';
import { KnowledgeGraph } from '../../src/graph.ts';
import { llmExtractor, offlineExtractor, parseTriples } from '../../src/extract.ts';

declare const llm: LLM;
declare const tokenizer: Tokenizer;
declare const embedder: Embedder;
declare const database: MemoryDatabase;

// Each component of the seeds is a BaseMemory.
expectTypeOf(ConversationBufferMemory).instance.toExtend<BaseMemory>();
expectTypeOf(ConversationBufferWindowMemory).instance.toExtend<BaseMemory>();
expectTypeOf(ConversationTokenBufferMemory).instance.toExtend<BaseMemory>();
expectTypeOf(VectorStoreRetrieverMemory).instance.toExtend<BaseMemory>();
expectTypeOf(ConversationSummaryMemory).instance.toExtend<BaseMemory>();
expectTypeOf(ConversationSummaryBufferMemory).instance.toExtend<BaseMemory>();
expectTypeOf(ConversationEntityMemory).instance.toExtend<BaseMemory>();
expectTypeOf(ConversationKGMemory).instance.toExtend<BaseMemory>();
expectTypeOf(CombinedMemory).instance.toExtend<BaseMemory>();
expectTypeOf(SimpleMemory).instance.toExtend<BaseMemory>();
expectTypeOf(ReadOnlySharedMemory).instance.toExtend<BaseMemory>();

expectTypeOf<BaseMemory['memoryKeys']>().toEqualTypeOf<string[]>();
expectTypeOf<ReturnType<BaseMemory['loadMemoryVariables']>>().toEqualTypeOf<
  Promise<Record<string, unknown>>
>();
expectTypeOf<ReturnType<BaseMemory['saveContext']>>().toEqualTypeOf<Promise<void>>();
expectTypeOf<ReturnType<BaseMemory['clear']>>().toEqualTypeOf<Promise<void>>();
expectTypeOf<Parameters<BaseMemory['saveContext']>[2]>().toEqualTypeOf<
  { turnId?: string; signal?: AbortSignal } | undefined
>();

// They are made with the options of the contract, and with no others.
expectTypeOf(ConversationBufferMemory).toBeConstructibleWith();
expectTypeOf(ConversationBufferMemory).toBeConstructibleWith({
  chatHistory: database.chatHistory('today'),
  memoryKey: 'chat',
  inputKey: 'question',
  outputKey: 'answer',
  humanPrefix: 'Me',
  aiPrefix: 'Bot',
  returnMessages: true,
});
expectTypeOf(ConversationBufferWindowMemory).toBeConstructibleWith({ k: 5 });
expectTypeOf(ConversationTokenBufferMemory).toBeConstructibleWith({ maxTokenLimit: 2000, tokenizer });
expectTypeOf(VectorStoreRetrieverMemory).toBeConstructibleWith({
  retriever: memoryRetriever({ embedder, database, topK: 4 }),
  returnDocs: true,
  excludeInputKeys: ['time'],
});
expectTypeOf(CombinedMemory).toBeConstructibleWith({ memories: [new ConversationBufferMemory()] });
expectTypeOf(SimpleMemory).toBeConstructibleWith({ memories: { name: 'Ada' } });
expectTypeOf(ReadOnlySharedMemory).toBeConstructibleWith({ memory: new ConversationBufferMemory() });
expectTypeOf(MessageWindowChatMemory).toBeConstructibleWith({
  id: 'ada',
  maxMessages: (id: string) => id.length,
  store: new InMemoryChatMemoryStore(),
  alwaysKeepSystemMessageFirst: true,
  evictionUnit: 'message',
});
expectTypeOf(TokenWindowChatMemory).toBeConstructibleWith({ maxTokens: 100, tokenizer });
// @ts-expect-error: a token window cannot count without a tokenizer
void new TokenWindowChatMemory({ maxTokens: 100 });
// @ts-expect-error: a typing mistake in an option
void new ConversationBufferMemory({ memorykey: 'chat' });
// @ts-expect-error: a window is cut at turns or at messages
void new MessageWindowChatMemory({ maxMessages: 5, evictionUnit: 'token' });

// Those that understand take a model or an extractor, prompts, and a way to work.
const extractor = llmExtractor(llm);
expectTypeOf(extractor).toEqualTypeOf<Extractor>();
expectTypeOf(offlineExtractor()).toExtend<Extractor>();
expectTypeOf(ConversationSummaryMemory).toBeConstructibleWith({
  llm,
  prompts: { summary: '{summary} {new_lines}' },
  enrichment: 'inline',
});
expectTypeOf(ConversationSummaryBufferMemory).toBeConstructibleWith({
  extractor,
  maxTokenLimit: 2000,
  maxSummaryTokens: 500,
  tokenizer,
  chatHistory: database.chatHistory('today'),
  enrichment: 'background',
});
expectTypeOf(ConversationEntityMemory).toBeConstructibleWith({
  llm,
  k: 3,
  entityStore: new InMemoryEntityStore(),
  chatHistoryKey: 'history',
  updateCalls: 'each',
  detectOnLoad: 'known-names',
  prompts: {
    entityExtraction: '{history} {input}',
    entitySummarization: promptTemplate('{entity} {summary} {history} {input}'),
  },
});
expectTypeOf(ConversationKGMemory).toBeConstructibleWith({
  llm,
  k: 2,
  singleValued: ['lives in'],
  prompts: { kgExtraction: '{history} {input}' },
});
expectTypeOf(ConversationKGMemory).toBeConstructibleWith({ extractor, graph: new KnowledgeGraph() });
// @ts-expect-error: a summary has no prompt for facts
void new ConversationSummaryMemory({ llm, prompts: { kgExtraction: '{history} {input}' } });
// @ts-expect-error: a model answers now or in the background
void new ConversationKGMemory({ llm, enrichment: 'later' });
// @ts-expect-error: one call for all entities, or one for each
void new ConversationEntityMemory({ llm, updateCalls: 'all' });
expectTypeOf(
  ConversationSummaryMemory.fromMessages([{ role: 'user', content: 'hi' }], { llm, summarizeStep: 2 }),
).toEqualTypeOf<Promise<ConversationSummaryMemory>>();
expectTypeOf(InMemoryEntityStore).instance.toExtend<EntityStore>();
expectTypeOf<ReturnType<EntityStore['get']>>().toEqualTypeOf<Promise<string | undefined>>();
expectTypeOf<ReturnType<EntityStore['has']>>().toEqualTypeOf<Promise<boolean>>();
expectTypeOf(parseTriples('(Sam, likes, tea)')).toEqualTypeOf<
  { readonly subject: string; readonly predicate: string; readonly object: string }[]
>();
declare const facts: ConversationKGMemory;
expectTypeOf(facts.getCurrentEntities('Sam')).toEqualTypeOf<Promise<string[]>>();
expectTypeOf(facts.getKnowledgeTriplets('Sam')).toEqualTypeOf<
  Promise<{ readonly subject: string; readonly predicate: string; readonly object: string }[]>
>();

expectTypeOf<ReturnType<MessageWindowChatMemory['messages']>>().toEqualTypeOf<Promise<ChatMessage[]>>();
expectTypeOf<ReturnType<TokenWindowChatMemory['messages']>>().toEqualTypeOf<Promise<ChatMessage[]>>();
expectTypeOf(trimMessages).returns.toEqualTypeOf<Promise<ChatMessage[]>>();

// Histories and stores.
expectTypeOf(InMemoryChatMessageHistory).instance.toExtend<ChatMessageHistory>();
expectTypeOf(InMemoryChatMemoryStore).instance.toExtend<ChatMemoryStore>();
expectTypeOf(openDatabase).returns.toEqualTypeOf<Promise<MemoryDatabase>>();
expectTypeOf<MemoryDatabase['chatHistory']>().toEqualTypeOf<
  (sessionId: string, options?: { scope?: string }) => ChatMessageHistory
>();
expectTypeOf<MemoryDatabase['chatMemoryStore']>().toEqualTypeOf<() => ChatMemoryStore>();
expectTypeOf<ReturnType<MemoryDatabase['sessions']>>().toEqualTypeOf<Promise<SessionInfo[]>>();
expectTypeOf<ReturnType<ChatMessageHistory['getMessages']>>().toEqualTypeOf<Promise<ChatMessage[]>>();
expectTypeOf<ReturnType<ChatMessageHistory['list']>>().toEqualTypeOf<Promise<StoredMessage[]>>();

// Around the model.
const memory = new ConversationBufferMemory();
const chain = new ConversationChain({ llm, memory });
expectTypeOf(chain.predict({ input: 'hi' })).toEqualTypeOf<Promise<string>>();
expectTypeOf(chain.invoke('hi')).toEqualTypeOf<Promise<Record<string, unknown>>>();
expectTypeOf(chain.stream('hi')).toExtend<AsyncIterable<string>>();
expectTypeOf(promptTemplate('Hi {name}').format({ name: 'Ada' })).toEqualTypeOf<string>();
expectTypeOf(promptTemplate('Hi {name}').variables).toEqualTypeOf<readonly string[]>();

declare const runnable: Runnable<unknown, { text: string }>;
const withHistory = withMessageHistory(runnable, { getSessionHistory: (id) => database.chatHistory(id) });
const session = { configurable: { sessionId: 'today' } };
expectTypeOf(withHistory.invoke('hi', session)).toEqualTypeOf<Promise<{ text: string }>>();
expectTypeOf(withHistory.stream('hi', session)).toExtend<AsyncIterable<unknown>>();
// @ts-expect-error: without a session there is no history
void withHistory.invoke('hi', {});

// Errors and warnings are told apart by words that a switch can be closed over.
expectTypeOf<MnemoraError['code']>().toEqualTypeOf<MnemoraErrorCode>();
expectTypeOf<MnemoraError>().toExtend<Error>();
expectTypeOf<string>().not.toExtend<MnemoraErrorCode>();
expectTypeOf<string>().not.toExtend<WarningCode>();
