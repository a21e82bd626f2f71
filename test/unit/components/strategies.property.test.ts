import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InMemoryChatMessageHistory } from '../../../src/sessions/in-memory-history.ts';
import { messageText, type ChatMessage } from '../../../src/model/message.ts';
import { splitTurns } from '../../../src/model/turn.ts';
import type { Warning } from '../../../src/model/warning.ts';
import {
  ConversationBufferWindowMemory,
  ConversationTokenBufferMemory,
} from '../../../src/components/langchain/buffer-memories.ts';
import {
  MessageWindowChatMemory,
  TokenWindowChatMemory,
} from '../../../src/components/langchain4j/window-chat-memories.ts';
import { trimMessages } from '../../../src/components/chain/trim-messages.ts';
import { countingTokenizer } from '../../fakes/counting-tokenizer.ts';

const RUNS = { numRuns: 1000 } as const;

const callIds = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 3 });

/** Anything that a broken client could write: parallel calls, late, missing and orphan results. */
const draft = fc.oneof(
  { weight: 4, arbitrary: fc.record({ role: fc.constant('user' as const) }) },
  { weight: 3, arbitrary: fc.record({ role: fc.constant('assistant' as const) }) },
  { weight: 2, arbitrary: fc.record({ role: fc.constant('assistant' as const), calls: callIds }) },
  {
    weight: 3,
    arbitrary: fc.record({ role: fc.constant('tool' as const), call: fc.constantFrom('a', 'b', 'c', 'd') }),
  },
);

const systemDraft = fc.record({ role: fc.constant('system' as const) });

type Draft = { role: ChatMessage['role']; calls?: string[]; call?: string };

/** Messages of one to four words, the first of which tells it from all others. */
function conversation(withSystem: boolean): fc.Arbitrary<ChatMessage[]> {
  const any: fc.Arbitrary<Draft> = withSystem
    ? fc.oneof({ weight: 8, arbitrary: draft }, systemDraft)
    : draft;
  return fc
    .array(fc.tuple(any, fc.integer({ min: 0, max: 3 })), { maxLength: 24 })
    .map((drafts) =>
      drafts.map(([entry, extra], index) => toMessage(entry, `m${index}${' w'.repeat(extra)}`)),
    );
}

function toMessage({ role, calls, call }: Draft, content: string): ChatMessage {
  if (role === 'tool') return { role, content, tool_call_id: call ?? '' };
  if (role !== 'assistant' || !calls) return { role, content };
  return {
    role,
    content,
    tool_calls: calls.map((id) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } })),
  };
}

const words = (message: ChatMessage): number => messageText(message).split(' ').filter(Boolean).length;
const sum = (messages: readonly ChatMessage[], cost: (message: ChatMessage) => number): number =>
  messages.reduce((total, message) => total + cost(message), 0);
const texts = (messages: readonly ChatMessage[]): string[] => messages.map(messageText);

function orphans(messages: readonly ChatMessage[]): ChatMessage[] {
  return messages.filter((message, index) => {
    if (message.role !== 'tool') return false;
    return !messages
      .slice(0, index)
      .some(
        (earlier) =>
          earlier.role === 'assistant' && earlier.tool_calls?.some((c) => c.id === message.tool_call_id),
      );
  });
}

/** Turns of the conversation that are in the result, but not whole; a tool result without its call is not missed. */
function splitInResult(all: readonly ChatMessage[], result: readonly ChatMessage[]): ChatMessage[][] {
  const kept = new Set(texts(result));
  return splitTurns(all.filter((message) => message.role !== 'system')).filter((turn) => {
    const present = turn.filter((message) => kept.has(messageText(message)));
    if (present.length === 0) return false;
    return turn.some((message) => !kept.has(messageText(message)) && !isOrphanIn(message, all, result));
  });
}

function isOrphanIn(
  missing: ChatMessage,
  all: readonly ChatMessage[],
  result: readonly ChatMessage[],
): boolean {
  const kept = new Set([...texts(result), messageText(missing)]);
  const withMissing = all.filter((message) => kept.has(messageText(message)));
  return orphans(withMissing).includes(missing);
}

/** Names of the rules that do not hold. */
function broken(rules: Readonly<Record<string, boolean>>): string[] {
  return Object.keys(rules).filter((rule) => !rules[rule]);
}

function isOrdered(all: readonly ChatMessage[], result: readonly ChatMessage[]): boolean {
  const places = texts(result).map((text) => texts(all).indexOf(text));
  return places.every((place, index) => place >= 0 && place > (places[index - 1] ?? -1));
}

function isSame(a: readonly ChatMessage[], b: readonly ChatMessage[]): boolean {
  return texts(a).join('|') === texts(b).join('|');
}

function hasUser(messages: readonly ChatMessage[]): boolean {
  return messages.some((message) => message.role === 'user');
}

describe('no component exceeds its budget, splits a turn, separates a tool result from its call or returns nothing', () => {
  it('CMP-12: ConversationBufferWindowMemory', async () => {
    await fc.assert(
      fc.asyncProperty(conversation(true), fc.integer({ min: 0, max: 6 }), async (messages, k) => {
        expect(await checkWindow(messages, k)).toEqual([]);
      }),
      RUNS,
    );
  });

  it('CMP-12: ConversationTokenBufferMemory', async () => {
    await fc.assert(
      fc.asyncProperty(conversation(false), fc.integer({ min: 0, max: 40 }), async (messages, limit) => {
        expect(await checkTokenBuffer(messages, limit)).toEqual([]);
      }),
      RUNS,
    );
  });

  for (const unit of ['messages', 'tokens'] as const) {
    const max = fc.integer({ min: 1, max: 30 });

    it(`CMP-12: the chat memory of ${unit}, by turns`, async () => {
      await fc.assert(
        fc.asyncProperty(conversation(true), max, async (messages, limit) => {
          expect(await checkChatMemoryByTurns(unit, messages, limit)).toEqual([]);
        }),
        RUNS,
      );
    });

    it(`CHM-8: the chat memory of ${unit}, by messages, returns no tool result without its call and stays within its limit`, async () => {
      await fc.assert(
        fc.asyncProperty(conversation(true), max, async (messages, limit) => {
          expect(await checkChatMemoryByMessages(unit, messages, limit)).toEqual([]);
        }),
        RUNS,
      );
    });
  }
});

describe('trimMessages', () => {
  it('TRM-1: the result is within the budget or raises a warning, and has no tool result without its call', async () => {
    const options = fc.record({
      maxTokens: fc.integer({ min: 0, max: 40 }),
      strategy: fc.constantFrom('last' as const, 'first' as const),
      includeSystem: fc.boolean(),
      allowPartial: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(conversation(true), options, async (messages, chosen) => {
        expect(await checkTrim(messages, chosen)).toEqual([]);
      }),
      RUNS,
    );
  });
});

async function checkWindow(messages: readonly ChatMessage[], k: number): Promise<string[]> {
  const chatHistory = new InMemoryChatMessageHistory();
  await chatHistory.addMessages(messages);
  const memory = new ConversationBufferWindowMemory({ chatHistory, k, returnMessages: true });
  const result = (await memory.loadMemoryVariables())['history'] as ChatMessage[];
  const expected = k === 0 ? [] : splitTurns(messages).slice(-k).flat();
  const lost = orphans(expected);
  return broken({
    'no orphan': orphans(result).length === 0,
    'in order': isOrdered(messages, result),
    'the last k turns': isSame(
      result,
      expected.filter((message) => !lost.includes(message)),
    ),
    'not emptied': k === 0 || !hasUser(messages) || result.length > 0,
  });
}

async function checkTokenBuffer(messages: readonly ChatMessage[], maxTokenLimit: number): Promise<string[]> {
  const chatHistory = new InMemoryChatMessageHistory();
  await chatHistory.addMessages(messages);
  const warnings: Warning[] = [];
  const memory = new ConversationTokenBufferMemory({
    chatHistory,
    maxTokenLimit,
    returnMessages: true,
    tokenizer: countingTokenizer(),
    onWarning: (warning) => warnings.push(warning),
  });
  const result = (await memory.loadMemoryVariables())['history'] as ChatMessage[];
  const newest = messages.filter((message) => message.role === 'user').slice(-1);
  const isSaid = warnings.some((warning) => warning.code === 'over-budget');
  return broken({
    'no orphan': orphans(result).length === 0,
    'in order': isOrdered(messages, result),
    'not emptied': maxTokenLimit === 0 || !hasUser(messages) || result.length > 0,
    ...(isSaid
      ? { 'exactly the newest user message': isSame(result, newest) }
      : {
          'within the budget': sum(result, words) <= maxTokenLimit,
          'whole turns': splitInResult(messages, result).length === 0,
          'as many turns as fit': isSame(result, mostThatFits(messages, maxTokenLimit, words)),
        }),
  });
}

async function checkChatMemoryByTurns(
  unit: 'messages' | 'tokens',
  messages: readonly ChatMessage[],
  max: number,
): Promise<string[]> {
  const warnings: Warning[] = [];
  const memory = makeChatMemory(unit, max, 'turn', warnings);
  for (const message of messages) await memory.add(message);
  warnings.length = 0;
  const result = await memory.messages();
  const system = messages.findLast((message) => message.role === 'system');
  const newest = messages.findLast((message) => message.role === 'user');
  const mustStay = messages.filter((message) => message === system || message === newest);
  const isSaid = warnings.some((warning) => warning.code === 'over-budget');
  return broken({
    'no orphan': orphans(result).length === 0,
    'in order': isOrdered(messages, result),
    'the last system message and no other': isSame(
      result.filter((message) => message.role === 'system'),
      system ? [system] : [],
    ),
    'not emptied': newest === undefined || result.some((message) => message.role !== 'system'),
    ...(isSaid
      ? { 'exactly what must stay': isSame(result, mustStay) }
      : {
          'within the limit': sum(result, unit === 'tokens' ? words : () => 1) <= max,
          'whole turns': splitInResult(messages, result).length === 0,
        }),
  });
}

async function checkChatMemoryByMessages(
  unit: 'messages' | 'tokens',
  messages: readonly ChatMessage[],
  max: number,
): Promise<string[]> {
  const warnings: Warning[] = [];
  const memory = makeChatMemory(unit, max, 'message', warnings);
  for (const message of messages) await memory.add(message);
  const result = await memory.messages();
  const isWithin = sum(result, unit === 'tokens' ? words : () => 1) <= max;
  const isSystemAlone = result.length === 1 && result[0]?.role === 'system' && warnings.length > 0;
  return broken({
    'no orphan': orphans(result).length === 0,
    'in order': isOrdered(messages, result),
    'within the limit, or a system message and said': isWithin || isSystemAlone,
  });
}

async function checkTrim(
  messages: readonly ChatMessage[],
  options: { maxTokens: number; strategy: 'last' | 'first'; includeSystem: boolean; allowPartial: boolean },
): Promise<string[]> {
  const warnings: Warning[] = [];
  const result = await trimMessages(messages, {
    ...options,
    includeSystem: options.includeSystem && options.strategy === 'last',
    tokenizer: countingTokenizer(),
    textSplitter: (text) => text.split(/(?<= )/),
    onWarning: (warning) => warnings.push(warning),
  });
  return broken({
    'no orphan': orphans(result).length === 0,
    'within the budget, or said': warnings.length > 0 || sum(result, words) <= options.maxTokens,
    'not emptied': options.maxTokens === 0 || !hasUser(messages) || result.length > 0,
  });
}

function makeChatMemory(
  unit: 'messages' | 'tokens',
  max: number,
  evictionUnit: 'turn' | 'message',
  warnings: Warning[],
): MessageWindowChatMemory | TokenWindowChatMemory {
  const shared = { evictionUnit, onWarning: (warning: Warning) => warnings.push(warning) };
  return unit === 'messages'
    ? new MessageWindowChatMemory({ ...shared, maxMessages: max })
    : new TokenWindowChatMemory({ ...shared, maxTokens: max, tokenizer: countingTokenizer() });
}

/** By brute force: the longest run of newest turns within the limit. */
function mostThatFits(
  all: readonly ChatMessage[],
  limit: number,
  cost: (message: ChatMessage) => number,
): ChatMessage[] {
  const turns = splitTurns(all);
  const candidates = turns.map((_, start) => {
    const messages = turns.slice(start).flat();
    const lost = orphans(messages);
    return messages.filter((message) => !lost.includes(message));
  });
  return candidates.find((messages) => sum(messages, cost) <= limit) ?? [];
}
