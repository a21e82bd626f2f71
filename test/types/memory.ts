// Checked by the compiler alone (`npm run types`) and never run. PKG-14: the product's types are the contract.
import { expectTypeOf } from 'vitest';
import { KeywordIndex, VectorIndex } from '../../src/search.ts';
import {
  approximateTokenizer,
  createMemory,
  fetchLLM,
  tiktokenTokenizer,
  transformersEmbedder,
  withMemory,
  type Memory,
  type ChatMessage,
  type CreateMemoryOptions,
  type Embedder,
  type ContextCandidate,
  type Extractor,
  type ForgetReceipt,
  type ForgetSelector,
  type LLM,
  type LLMReply,
  type ImportReceipt,
  type ListSessionsOptions,
  type MemoryEntity,
  type MemoryFact,
  type MemoryJob,
  type NewTurn,
  type RecalledContext,
  type SessionInfo,
  type StoredMessage,
  type Tokenizer,
  type VerifyReport,
  type Warning,
} from '../../src/index.ts';
import { messagesToText } from '../../src/langchain.ts';

declare const memory: Memory;
declare const llm: LLM;

// Every option may be left out; none may be misspelt, and undefined is no value of one.
expectTypeOf(createMemory).toBeCallableWith();
expectTypeOf(createMemory).returns.toEqualTypeOf<Promise<Memory>>();
expectTypeOf<{
  name: 'notes';
  sessionId: 'today';
  scope: 'ada';
  embedder: false;
  tokenizer: Tokenizer;
  assetsUrl: '/assets/';
  maxTokens: 1000;
  recentTurns: 4;
  clock: () => number;
  storage: 'memory';
  learning: {
    llm: LLM;
    extractor: Extractor;
    delayMs: 0;
    pauseWhenHidden: true;
    pauseWhenOffline: true;
  };
  singleValued: readonly string[];
  onWarning: (warning: Warning) => void;
}>().toExtend<CreateMemoryOptions>();
// @ts-expect-error: a typing mistake in an option
void createMemory({ maxToken: 1000 });
// @ts-expect-error: true names no embedder
void createMemory({ embedder: true });

// A turn is what both said or a list of messages.
expectTypeOf<{ user: 'hi'; assistant: 'hello' }>().toExtend<NewTurn>();
expectTypeOf<{ messages: ChatMessage[] }>().toExtend<NewTurn>();
expectTypeOf<{ user: 'hi' }>().not.toExtend<NewTurn>();
const receipt = await memory.remember({ user: 'hi', assistant: 'hello' }, { turnId: 'a', createdAt: 0 });
expectTypeOf(receipt.turnId).toEqualTypeOf<string>();
expectTypeOf(receipt.sessionId).toEqualTypeOf<string>();
expectTypeOf(receipt.messageIds).toExtend<readonly string[]>();
expectTypeOf(receipt.duplicate).toEqualTypeOf<boolean>();

// A context goes to a model as it is.
const context = await memory.recall('hi', { maxTokens: 500, system: 'Be brief.' });
expectTypeOf(context).toEqualTypeOf<RecalledContext>();
expectTypeOf(context.messages).toEqualTypeOf<ChatMessage[]>();
expectTypeOf(context.text).toEqualTypeOf<string>();
expectTypeOf(context.tokens).toEqualTypeOf<number>();
expectTypeOf(context.overBudget).toEqualTypeOf<boolean>();
expectTypeOf(context.items[0]?.sources).toEqualTypeOf<string[] | undefined>();
expectTypeOf(llm).toBeCallableWith({ messages: context.messages });

const [result] = await memory.search('hi', { limit: 3, sessionId: 'today', from: 0, to: 1 });
expectTypeOf(result?.message).toEqualTypeOf<StoredMessage | undefined>();
expectTypeOf(result?.text).toEqualTypeOf<string | undefined>();
expectTypeOf(result?.end).toEqualTypeOf<number | undefined>();
expectTypeOf(result?.score).toEqualTypeOf<number | undefined>();
expectTypeOf(result?.why['vector']).toEqualTypeOf<number | undefined>();
expectTypeOf(memory.history()).toEqualTypeOf<Promise<StoredMessage[]>>();
expectTypeOf(memory.session('another')).toEqualTypeOf<Memory>();
expectTypeOf(memory.device.persist()).toEqualTypeOf<Promise<boolean>>();
expectTypeOf(memory.close()).toEqualTypeOf<Promise<void>>();
expectTypeOf(memory).toExtend<AsyncDisposable>();

expectTypeOf<{ messageId: 'a' }>().toExtend<ForgetSelector>();
expectTypeOf<{ turnId: 'a' }>().toExtend<ForgetSelector>();
expectTypeOf<{ sessionId: 'a' }>().toExtend<ForgetSelector>();
expectTypeOf<{ everything: true }>().toExtend<ForgetSelector>();
expectTypeOf(memory.forget({ turnId: 'a' })).toEqualTypeOf<Promise<ForgetReceipt>>();
// @ts-expect-error: forgetting nothing in particular
void memory.forget({});

memory.addEventListener('warning', ({ detail }) => expectTypeOf(detail).toEqualTypeOf<Warning>());
memory.addEventListener('change', ({ detail }) =>
  expectTypeOf(detail.source).toEqualTypeOf<'local' | 'remote'>(),
);
// @ts-expect-error: no such event
memory.addEventListener('changed', () => undefined);

const chat = withMemory(llm, memory, { system: 'Be brief.', onAbort: 'keep' });
expectTypeOf(chat.send('hi')).toEqualTypeOf<Promise<string>>();
expectTypeOf(chat.stream('hi')).toExtend<AsyncIterable<string>>();

// The parts that can be handed in.
expectTypeOf(tiktokenTokenizer).toBeCallableWith();
expectTypeOf(tiktokenTokenizer).toBeCallableWith('cl100k_base');
// @ts-expect-error: a vocabulary that does not come along
void tiktokenTokenizer('gpt2');
expectTypeOf(tiktokenTokenizer).returns.toEqualTypeOf<Promise<Tokenizer>>();
expectTypeOf(approximateTokenizer).returns.toEqualTypeOf<Tokenizer>();
expectTypeOf(transformersEmbedder).returns.toExtend<Embedder>();
expectTypeOf(transformersEmbedder).toBeCallableWith({ model: 'Xenova/all-MiniLM-L6-v2' });
expectTypeOf(fetchLLM).toBeCallableWith({ url: 'http://localhost:11434/v1', model: 'llama3.2' });
expectTypeOf(fetchLLM).returns.toExtend<LLM>();
expectTypeOf<Awaited<ReturnType<ReturnType<typeof fetchLLM>>>>().toEqualTypeOf<LLMReply>();
expectTypeOf(messagesToText).toBeCallableWith(context.messages, { humanPrefix: 'Me', aiPrefix: 'Bot' });
expectTypeOf(messagesToText).returns.toEqualTypeOf<string>();

const vectors = new VectorIndex({ dimensions: 3 });
const [hit] = vectors.search(new Float32Array(3), 5);
expectTypeOf(hit?.id).toEqualTypeOf<string | undefined>();
expectTypeOf(hit?.score).toEqualTypeOf<number | undefined>();
expectTypeOf(vectors.size).toEqualTypeOf<number>();
expectTypeOf(KeywordIndex).toBeConstructibleWith();

// Messages have the shape of the wire.
expectTypeOf<{ role: 'user'; content: string }>().toExtend<ChatMessage>();
expectTypeOf<{ role: 'assistant'; content: null }>().toExtend<ChatMessage>();
expectTypeOf<{ role: 'tool'; content: string; tool_call_id: string }>().toExtend<ChatMessage>();
expectTypeOf<{ role: 'tool'; content: string }>().not.toExtend<ChatMessage>();
expectTypeOf<{ role: 'function'; content: string }>().not.toExtend<ChatMessage>();
expectTypeOf<StoredMessage>().toExtend<ChatMessage>();

// What is known, and what the user makes of it.
expectTypeOf(memory.facts.list).toBeCallableWith({
  about: 'Sam',
  validAt: 0,
  knownAt: 0,
  includeHistory: true,
});
expectTypeOf(memory.facts.list).toBeCallableWith({ signal: AbortSignal.abort() });
expectTypeOf(memory.facts.list).returns.toEqualTypeOf<Promise<MemoryFact[]>>();
expectTypeOf<MemoryFact['subject']>().toEqualTypeOf<string>();
expectTypeOf<MemoryFact['validTo']>().toEqualTypeOf<number | undefined>();
expectTypeOf(memory.facts.entities).returns.toEqualTypeOf<Promise<MemoryEntity[]>>();
expectTypeOf(memory.facts.entities).toBeCallableWith({ signal: AbortSignal.abort() });
expectTypeOf(memory.facts.entities).toBeCallableWith({ limit: 20, after: 'Ana' });
expectTypeOf(memory.sessions).toBeCallableWith({ limit: 20, after: { id: 's', updatedAt: 0 } });
expectTypeOf<SessionInfo>().toExtend<NonNullable<ListSessionsOptions['after']>>();
expectTypeOf(memory.facts.correct).toBeCallableWith(
  'id',
  { object: 'Rome' },
  { signal: AbortSignal.abort() },
);
expectTypeOf(memory.facts.pin).toBeCallableWith('id', { signal: AbortSignal.abort() });
expectTypeOf(memory.facts.unpin).toBeCallableWith('id', { signal: AbortSignal.abort() });
// @ts-expect-error: a correction has no signal; the options after it have
void memory.facts.correct('id', { signal: AbortSignal.abort() });
expectTypeOf(memory.forget).toBeCallableWith({ entity: 'Sam', turns: true });
expectTypeOf(memory.recall).toBeCallableWith('hi', { knownAt: 0 });
expectTypeOf(memory.explain).returns.toEqualTypeOf<Promise<ContextCandidate[]>>();

// Files and background work.
expectTypeOf(memory.backup.export).returns.toEqualTypeOf<Promise<Blob>>();
expectTypeOf(memory.backup.import).toBeCallableWith(new Blob());
expectTypeOf(memory.backup.import).returns.toEqualTypeOf<Promise<ImportReceipt>>();
expectTypeOf(memory.backup.verify).returns.toEqualTypeOf<Promise<VerifyReport>>();
expectTypeOf(memory.backup.rebuild).toBeCallableWith();
void memory.backup.rebuild({
  signal: AbortSignal.abort(),
  onProgress: (progress) => expectTypeOf(progress).toEqualTypeOf<{ done: number; total: number }>(),
});
expectTypeOf(memory.work.settled).returns.toEqualTypeOf<Promise<void>>();
expectTypeOf(memory.work.list).returns.toEqualTypeOf<Promise<MemoryJob[]>>();
expectTypeOf(memory.work.retry).toBeCallableWith(1);
memory.addEventListener('job', ({ detail }) => expectTypeOf(detail.job).toEqualTypeOf<MemoryJob>());
