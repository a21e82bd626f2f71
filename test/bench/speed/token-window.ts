import { ConversationTokenBufferMemory as LangchainTokenBufferMemory } from '@langchain/classic/memory';
import { InMemoryChatMessageHistory as LangchainHistory } from '@langchain/core/chat_history';
import type { BaseLanguageModelInterface } from '@langchain/core/language_models/base';
import { AIMessage, HumanMessage } from '@langchain/core/messages';
import { ConversationTokenBufferMemory, InMemoryChatMessageHistory } from '../../../src/langchain.ts';
import { openDatabase, tiktokenTokenizer } from '../../../src/index.ts';
import { round, type BenchResult } from './bench-result.ts';
import { measureInterleaved } from './interleaved.ts';
import { randomSentence, seededRandom } from '../recall/seeded-random.ts';

const MESSAGE_COUNT = 10_000;
const MAX_TOKENS = 2_000;

export async function benchTokenWindow(): Promise<BenchResult> {
  const random = seededRandom(3);
  const messages = Array.from({ length: MESSAGE_COUNT }, (_, i): TextMessage => {
    return { role: i % 2 === 0 ? 'user' : 'assistant', content: randomSentence(random) };
  });
  const tokenizer = await tiktokenTokenizer();
  const database = await openDatabase({ name: 'bench-window' });
  const chatHistory = database.chatHistory('bench');
  await chatHistory.addMessages(messages);
  const ours = new ConversationTokenBufferMemory({ chatHistory, tokenizer, maxTokenLimit: MAX_TOKENS });

  const historyInRam = new InMemoryChatMessageHistory();
  await historyInRam.addMessages(messages);
  const oursInRam = new ConversationTokenBufferMemory({
    chatHistory: historyInRam,
    tokenizer,
    maxTokenLimit: MAX_TOKENS,
  });

  const counter = new LineCounter((line) => tokenizer.countText(line));
  const langchain = langchainMemory(messages, counter);
  const medians = await measureInterleaved(
    {
      ours: () => ours.loadMemoryVariables({}),
      oursInRam: () => oursInRam.loadMemoryVariables({}),
      langchainLoad: () => langchain.loadMemoryVariables({}),
    },
    20,
  );
  const loadedTokens = async (memory: Loads): Promise<number> =>
    counter.count(String((await memory.loadMemoryVariables({}))['history']));
  const ourTokens = await loadedTokens(ours);
  const tokensBeforeSave = await loadedTokens(langchain);
  const start = performance.now();
  await langchain.saveContext({ input: 'One more question.' }, { output: 'One more answer.' });
  const firstSaveMs = performance.now() - start;
  const tokensAfterSave = await loadedTokens(langchain);
  await database.delete();
  return {
    name: 'tokenWindow',
    task: `load what fits in ${MAX_TOKENS} tokens of a history of ${MESSAGE_COUNT} messages`,
    rows: [
      {
        who: 'mnemora ConversationTokenBufferMemory',
        medianMs: medians.ours,
        note: `IndexedDB; loads ${ourTokens} tokens`,
      },
      {
        who: 'mnemora ConversationTokenBufferMemory, in RAM',
        medianMs: medians.oursInRam,
        note: 'the same over InMemoryChatMessageHistory',
      },
      {
        who: '@langchain/classic ConversationTokenBufferMemory, load',
        medianMs: medians.langchainLoad,
        note: `RAM; it prunes only when it saves: loads ${tokensBeforeSave} tokens, over the limit`,
      },
      {
        who: '@langchain/classic ConversationTokenBufferMemory, first save',
        medianMs: firstSaveMs,
        note: `RAM, one run, each line tokenized once only; loads ${tokensAfterSave} tokens afterwards, and the older messages are gone`,
      },
    ],
    ratios: {
      langchainFirstSaveToOurs: round(firstSaveMs / medians.ours),
      langchainLoadOfEverythingToOurs: round(medians.langchainLoad / medians.ours),
      langchainLoadOfEverythingToOursInRam: round(medians.langchainLoad / medians.oursInRam),
      oursIsWithinLimit: ourTokens <= MAX_TOKENS,
      langchainIsWithinLimitBeforeSave: tokensBeforeSave <= MAX_TOKENS,
    },
  };
}

interface TextMessage {
  role: 'user' | 'assistant';
  content: string;
}

interface Loads {
  loadMemoryVariables(inputs: Record<string, unknown>): Promise<Record<string, unknown>>;
}

/**
 * Counts a text line by line and each line once: far cheaper than counting the whole text on each call, which is
 * what the upstream memory asks for, so that its time is its own and not the tokenizer's.
 */
class LineCounter {
  readonly #countLine: (line: string) => number;
  readonly #countByLine = new Map<string, number>();

  constructor(countLine: (line: string) => number) {
    this.#countLine = countLine;
  }

  count(text: string): number {
    let total = 0;
    for (const line of text.split('\n')) {
      let count = this.#countByLine.get(line);
      if (count === undefined) this.#countByLine.set(line, (count = this.#countLine(line)));
      total += count;
    }
    return total;
  }
}

function langchainMemory(messages: readonly TextMessage[], counter: LineCounter): LangchainTokenBufferMemory {
  const llm = {
    getNumTokens: (text: string): Promise<number> => Promise.resolve(counter.count(text)),
  } as unknown as BaseLanguageModelInterface;
  const history = new LangchainHistory(
    messages.map(({ role, content }) =>
      role === 'user' ? new HumanMessage(content) : new AIMessage(content),
    ),
  );
  return new LangchainTokenBufferMemory({ llm, chatHistory: history, maxTokenLimit: MAX_TOKENS });
}
