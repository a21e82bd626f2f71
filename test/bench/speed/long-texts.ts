import { parseEntities, parseTriples, promptTemplate, redactSecrets } from '../../../src/extract.ts';
import {
  approximateTokenizer,
  createMemory,
  MnemoraError,
  openDatabase,
  tiktokenTokenizer,
  withMemory,
  type ChatMessage,
  type CreateMemoryOptions,
  type LLM,
} from '../../../src/index.ts';
import { yieldToEventLoop } from '../../../src/model/event-loop.ts';
import * as langChain from '../../../src/langchain.ts';
import { TokenWindowChatMemory } from '../../../src/langchain4j.ts';
import { KeywordIndex, memoryRetriever } from '../../../src/search.ts';
import { LONG_TEXTS } from '../../fixtures/long-texts.ts';
import type { BenchResult, BenchRow } from './bench-result.ts';
import { watchTasks } from './long-task-watch.ts';

/** The longest message that is accepted. */
const CHARACTERS = 2_000_000;
/** Longest task that is accepted, in ms. */
const LIMIT_MS = 200;
/** Runs of a text with a task over the limit: another process may have held this one up. */
const ROUNDS = 3;

/** A group of public calls that the bench runs in a page of its own. */
export type LongTextCalls = 'functions' | 'memory' | 'chat' | 'components';

/** Runs a public function and notes its longest task under a name. A typed refusal is an answer like any other. */
type Watch = (name: string, run: () => unknown) => Promise<void>;
type Calls = (text: string, watch: Watch) => Promise<void>;

/** Public calls that take text. */
const CALLS: Readonly<Record<LongTextCalls, Calls>> = {
  functions: async (text, watch) => {
    const messages: ChatMessage[] = [{ role: 'user', content: text }];
    const exact = await tiktokenTokenizer();
    await watch('countText, exact', () => exact.countText(text));
    await watch('countText, approximate', () => approximateTokenizer().countText(text));
    await watch('redactSecrets', () => redactSecrets(text));
    await watch('parseEntities', () => parseEntities(text));
    await watch('parseTriples', () => parseTriples(text));
    await watch('promptTemplate', () => promptTemplate(text));
    await watch('messagesToText', () => langChain.messagesToText(messages));
    await watch('messagesToXml', () => langChain.messagesToXml(messages));
    await watch('trimMessages', () => langChain.trimMessages(messages, { maxTokens: 100, tokenizer: exact }));
    await watch('KeywordIndex', () => {
      const index = new KeywordIndex();
      index.add('a', text);
      return index.search(text, 3);
    });
  },
  memory: async (text, watch) => {
    const memory = await openMemory({});
    await memory.remember({ user: 'I live in Oslo.', assistant: 'Nice.' });
    await memory.work.settled();
    await watch('remember', () => memory.remember({ user: text, assistant: text }, { turnId: 'long' }));
    await watch('settled', () => memory.work.settled());
    await watch('recall', () => memory.recall(text));
    await watch('recall of something else', () => memory.recall('Where do I live?'));
    await watch('explain', () => memory.explain(text));
    await watch('search', () => memory.search(text));
    await watch('search for something else', () => memory.search('Where do I live?'));
    await watch('intent', () => memory.intent(text));
    await watch('profile', () => memory.profile());
    await watch('facts', () => memory.facts.list());
    await watch('history', () => memory.history());
    await watch('knowledgeGraph', () => memory.facts.graph());
    const [fact] = await memory.facts.list();
    await watch('correct', () => memory.facts.correct(fact?.id ?? '', { object: text }));
    await watch('pin', () => memory.facts.pin(text));
    await watch('forget, by name', () => memory.forget({ entity: text, turns: true }));
    const other = await openMemory({});
    await watch('export and import', async () => other.backup.import(await memory.backup.export()));
    await watch('settled after the import', () => other.work.settled());
    await watch('verify', () => other.backup.verify());
    await watch('forget, a turn', () => memory.forget({ turnId: 'long' }));
    await watch('forget, everything', () => memory.forget({ everything: true }));
    await Promise.all([memory.close(), other.close()]);
  },
  chat: async (text, watch) => {
    const unread = await openMemory({ learning: false });
    await watch('remember, without learning', () => unread.remember({ user: text, assistant: text }));
    await watch('settled, without learning', () => unread.work.settled());
    const echo = modelSaying(text);
    await watch('withMemory', () => withMemory(echo, unread).send(text));
    await watch('withMemory, the next question', () => withMemory(echo, unread).send('And then?'));
    const redacting = await openMemory({ learning: false, redact: 'secrets' });
    await watch("remember, redact: 'secrets'", () => redacting.remember({ user: text, assistant: text }));
    await Promise.all([unread.work.settled(), redacting.work.settled()]);
    await Promise.all([unread.close(), redacting.close()]);
  },
  components: async (text, watch) => {
    const llm = modelSaying(text);
    const database = await openDatabase({ name: `bench-${crypto.randomUUID()}` });
    const retriever = memoryRetriever({ embedder: false, database });
    await watch('memoryRetriever, add', () => retriever.add([{ text }]));
    await watch('memoryRetriever, search', () => retriever.search(text));
    const history = (id: string) => ({ chatHistory: database.chatHistory(id) });
    const memories: Record<string, langChain.BaseMemory> = {
      ConversationBufferMemory: new langChain.ConversationBufferMemory({
        ...history('buffer'),
        maxTokenLimit: 100,
      }),
      ConversationBufferWindowMemory: new langChain.ConversationBufferWindowMemory(history('window')),
      ConversationTokenBufferMemory: new langChain.ConversationTokenBufferMemory(history('tokens')),
      ConversationSummaryMemory: new langChain.ConversationSummaryMemory({ ...history('summary'), llm }),
      ConversationSummaryBufferMemory: new langChain.ConversationSummaryBufferMemory({
        ...history('summary-buffer'),
        llm,
      }),
      ConversationEntityMemory: new langChain.ConversationEntityMemory({ ...history('entities'), llm }),
      ConversationKGMemory: new langChain.ConversationKGMemory({ ...history('kg'), llm }),
      VectorStoreRetrieverMemory: new langChain.VectorStoreRetrieverMemory({ retriever }),
    };
    for (const [name, memory] of Object.entries(memories)) {
      await watch(`${name}, saveContext`, () => memory.saveContext({ input: text }, { output: text }));
      await watch(`${name}, load`, () => memory.loadMemoryVariables({ input: text }));
      await memory.close?.();
    }
    const newest = new TokenWindowChatMemory({
      id: 'window4j',
      maxTokens: 1000,
      tokenizer: await tiktokenTokenizer(),
    });
    await watch('TokenWindowChatMemory', () => newest.add({ role: 'user', content: text }));
    await database.close();
  },
};

/**
 * Longest task of the main thread for each public function and each text that is hard for some algorithm. Tasks below 50
 * ms are not reported by the browser.
 *
 * @param texts names of the texts. @default all
 */
export async function benchLongTexts(
  calls: LongTextCalls,
  texts: readonly string[] = Object.keys(LONG_TEXTS),
): Promise<BenchResult> {
  const byCall = new Map<string, Map<string, number>>();
  for (const family of texts) {
    const text = LONG_TEXTS[family]?.(CHARACTERS).slice(0, CHARACTERS).toWellFormed() ?? '';
    for (const [call, longestMs] of await mediansOf(CALLS[calls], text)) {
      byCall.set(call, (byCall.get(call) ?? new Map<string, number>()).set(family, longestMs));
    }
  }
  const rows = Array.from(byCall, ([call, byText]) => rowOf(call, byText));
  return {
    name: 'longTexts',
    task: `longest task of the main thread for ${texts.length} texts of ${CHARACTERS} characters (${calls})`,
    rows,
    ratios: { [`longest task at most ${LIMIT_MS} ms`]: rows.every(({ medianMs }) => medianMs <= LIMIT_MS) },
  };
}

async function mediansOf(calls: Calls, text: string): Promise<Map<string, number>> {
  const rounds: Map<string, number>[] = [];
  do rounds.push(await longestOf(calls, text));
  while (rounds.length < ROUNDS && Math.max(...(rounds[0]?.values() ?? [])) > LIMIT_MS);
  const medianOf = (call: string): number =>
    rounds.map((round) => round.get(call) ?? 0).toSorted((a, b) => a - b)[rounds.length >> 1] ?? 0;
  return new Map(Array.from(rounds[0]?.keys() ?? [], (call) => [call, medianOf(call)]));
}

async function longestOf(calls: Calls, text: string): Promise<Map<string, number>> {
  const longest = new Map<string, number>();
  await calls(text, async (call, run) => {
    const { longestMs } = await watchTasks(async () => {
      try {
        await run();
      } catch (error) {
        if (!(error instanceof MnemoraError)) throw new Error(`${call} failed`, { cause: error });
      }
    });
    longest.set(call, longestMs);
  });
  return longest;
}

/** Names all texts with a long task, the longest first. */
function rowOf(who: string, byText: ReadonlyMap<string, number>): BenchRow {
  const long = [...byText].filter(([, ms]) => ms > 0).toSorted((a, b) => b[1] - a[1]);
  return {
    who,
    medianMs: long[0]?.[1] ?? 0,
    note: long.map(([text, ms]) => `${text} ${ms}`).join(', '),
  };
}

/** A model answers in a later task, as over a network. */
function modelSaying(text: string): LLM {
  return async () => {
    await yieldToEventLoop();
    return { text };
  };
}

function openMemory(options: CreateMemoryOptions): ReturnType<typeof createMemory> {
  return createMemory({ name: `bench-${crypto.randomUUID()}`, embedder: false, ...options });
}
