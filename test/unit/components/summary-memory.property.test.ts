import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ChatMessageHistory } from '../../../src/sessions/chat-message-history.ts';
import { InMemoryChatMessageHistory } from '../../../src/sessions/in-memory-history.ts';
import { messageText, type ChatMessage } from '../../../src/model/message.ts';
import type { BaseMemory } from '../../../src/components/langchain/base-memory.ts';
import { shortenSummary, cutIntoPieces } from '../../../src/learning/summary/summary-text.ts';
import {
  ConversationSummaryBufferMemory,
  ConversationSummaryMemory,
} from '../../../src/components/langchain/summary-memories.ts';
import { countingTokenizer } from '../../fakes/counting-tokenizer.ts';
import { fakeSummarizer, keepMarks } from '../../fakes/fake-summarizer.ts';
import { watchedHistory } from '../../fakes/watched-history.ts';

const RUNS = { numRuns: 300 } as const;

type Reply = 'good' | 'throws' | 'empty';

/** What happens to a session, with how the model behaves meanwhile. */
type Action =
  | { do: 'save'; words: number; reply: Reply }
  | { do: 'tools'; reply: Reply }
  | { do: 'begin' | 'end' }
  | { do: 'load'; reply: Reply };

const reply = fc.constantFrom<Reply>('good', 'good', 'throws', 'empty');
const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('save' as const), words: fc.integer({ min: 0, max: 12 }), reply }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('tools' as const), reply }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('begin' as const, 'end' as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('load' as const), reply }) },
);

/** A session and a memory over it; every message has a mark of its own, as `m12`. */
class Story {
  readonly chatHistory: ChatMessageHistory;
  readonly memory: BaseMemory;
  readonly #pending: string[] = [];
  #marks = 0;
  #reply: Reply = 'good';

  constructor(kind: 'summary' | 'buffer', maxTokenLimit: number, chatHistory: ChatMessageHistory) {
    this.chatHistory = chatHistory;
    const extractor = fakeSummarizer((call) => {
      if (this.#reply === 'throws') throw new Error('down');
      return this.#reply === 'empty' ? '' : keepMarks(call);
    });
    const options = { extractor, chatHistory, returnMessages: true };
    this.memory =
      kind === 'summary'
        ? new ConversationSummaryMemory(options)
        : new ConversationSummaryBufferMemory({
            ...options,
            maxTokenLimit,
            maxSummaryTokens: 100_000,
            tokenizer: countingTokenizer(),
          });
  }

  async play(step: Action): Promise<void> {
    this.#reply = 'reply' in step ? step.reply : 'good';
    switch (step.do) {
      case 'save':
        await this.memory.saveContext(
          { input: `${this.#mark()}${' w'.repeat(step.words)}` },
          { output: this.#mark() },
        );
        break;
      case 'tools':
        await this.chatHistory.addMessages(this.#toolTurn());
        break;
      case 'begin': {
        const turnId = `turn-${this.#marks}`;
        this.#pending.push(turnId);
        const question: ChatMessage = { role: 'user', content: this.#mark() };
        await this.chatHistory.addMessages([question], { turnId, state: 'pending' });
        break;
      }
      case 'end': {
        const turnId = this.#pending.shift();
        if (turnId)
          await this.chatHistory.addMessages([{ role: 'assistant', content: this.#mark() }], { turnId });
        break;
      }
      case 'load':
        await this.memory.loadMemoryVariables({});
    }
  }

  async loaded(withReply: Reply): Promise<{ covered: string[]; raw: ChatMessage[] }> {
    this.#reply = withReply;
    const { history } = await this.memory.loadMemoryVariables({});
    const messages = history as ChatMessage[];
    const [first, ...rest] = messages;
    const hasSummary = first?.role === 'system';
    return { covered: hasSummary ? messageText(first).split(' ') : [], raw: hasSummary ? rest : messages };
  }

  #toolTurn(): ChatMessage[] {
    const id = `call-${this.#marks}`;
    return [
      { role: 'user', content: this.#mark() },
      {
        role: 'assistant',
        content: this.#mark(),
        tool_calls: [{ id, type: 'function', function: { name: 'f', arguments: '{}' } }],
      },
      { role: 'tool', content: this.#mark(), tool_call_id: id },
      { role: 'assistant', content: this.#mark() },
    ];
  }

  #mark(): string {
    this.#marks += 1;
    return `m${this.#marks}`;
  }
}

function marksOf(messages: readonly ChatMessage[]): string[] {
  return messages.map((message) => messageText(message).split(' ')[0] ?? '');
}

const histories = fc.constantFrom<() => ChatMessageHistory>(
  () => new InMemoryChatMessageHistory(),
  () => watchedHistory(),
);

it('SUM-17: summary and raw turns together cover the whole conversation, whatever fails', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('summary' as const, 'buffer' as const),
      fc.integer({ min: 0, max: 30 }),
      histories,
      fc.array(action, { maxLength: 25 }),
      reply,
      async (kind, limit, newHistory, actions, lastReply) => {
        const story = new Story(kind, limit, newHistory());
        for (const step of actions) await story.play(step);
        const { covered, raw } = await story.loaded(lastReply);
        const rows = (await story.chatHistory.list()).filter((row) => row.state === 'complete');
        const rawMarks = marksOf(raw);
        // No gap.
        expect(new Set([...covered, ...rawMarks])).toEqual(new Set(marksOf(rows)));
        // Each message once, in the order of the turns.
        const inOrder = marksOf(await story.chatHistory.getMessages()).filter((mark) =>
          rawMarks.includes(mark),
        );
        expect(rawMarks).toEqual(inOrder);
        // Whole turns.
        const turns = new Set(
          rows.filter((row) => rawMarks.includes(marksOf([row])[0] ?? '')).map((row) => row.turnId),
        );
        expect(rows.filter((row) => turns.has(row.turnId))).toHaveLength(rawMarks.length);
      },
    ),
    RUNS,
  );
});

it('SUM-18: as long as the model answers, the raw turns fill the limit and do not exceed it', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 30 }),
      histories,
      fc.array(action, { maxLength: 25 }),
      async (limit, newHistory, actions) => {
        const story = new Story('buffer', limit, newHistory());
        for (const step of actions) await story.play(step);
        const { raw } = await story.loaded('good');
        const words = (message: ChatMessage): number =>
          messageText(message).split(' ').filter(Boolean).length;
        expect(raw.reduce((sum, message) => sum + words(message), 0)).toBeLessThanOrEqual(limit);
        // The same again: nothing more to summarize.
        expect((await story.loaded('throws')).raw).toEqual(raw);
      },
    ),
    RUNS,
  );
});

it('SUM-19: a shortened summary is a prefix within the limit, without split characters', () => {
  const countText = (text: string): number => Math.ceil(text.length / 3);
  const piece = fc.constantFrom('word', ' ', '. ', '😀', '。', '\n', 'x');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), fc.integer({ min: 1, max: 20 }), (pieces, cap) => {
      const text = pieces.join('').trim();
      const short = shortenSummary(text, cap, countText);
      expect(text.startsWith(short)).toBe(true);
      expect(countText(short)).toBeLessThanOrEqual(cap);
      expect(short.isWellFormed()).toBe(true);
      if (countText(text) <= cap) expect(short).toBe(text);
      else if (!text.includes('😀'))
        expect(short.length).toBeGreaterThanOrEqual(Math.floor((cap * 3 - 2) / 2) - 1);
    }),
    { numRuns: 1000 },
  );
});

it('SUM-20: the pieces of a text are bounded, joined they are the text, and no character is split', () => {
  const piece = fc.constantFrom('word', ' ', '\n', '😀');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 80 }), fc.integer({ min: 2, max: 40 }), (pieces, size) => {
      const text = pieces.join('');
      const cut = cutIntoPieces(text, size);
      expect(cut.join('')).toBe(text);
      for (const part of cut) {
        expect(part.length).toBeLessThanOrEqual(size);
        expect(part.isWellFormed()).toBe(true);
      }
    }),
    { numRuns: 1000 },
  );
});
