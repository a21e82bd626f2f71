import { describe, expect, it } from 'vitest';
import { llmExtractor, openDatabase, type LLM } from '../../src/index.ts';
import { newId } from '../../src/model/id.ts';
import { memoryOf } from '../fixtures/open-memory.ts';

const NOTICE = { role: 'assistant', content: 'Connect a model: zebra crossing.', origin: 'notice' } as const;

describe('what the page says itself', () => {
  it('P149: a notice stands in history and in backups, and is never searched, learned from, summarized, told or sent', async () => {
    const asked: string[] = [];
    const llm: LLM = async ({ messages }) => {
      asked.push(JSON.stringify(messages));
      return { text: '{"entities":[],"facts":[]}' };
    };
    const name = newId();
    const memory = await memoryOf({
      name,
      extractor: llmExtractor(llm),
      enrichmentDelayMs: 0,
      recentTurns: 2,
      sessionId: 's',
    });
    for (let turn = 0; turn < 8; turn++) {
      await memory.remember({ messages: [{ role: 'user', content: `I row, ${turn}.` }, NOTICE] });
    }
    await memory.settled();
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.join('\n')).not.toContain('zebra');
    expect((await memory.history()).filter(({ content }) => content === NOTICE.content)).toHaveLength(8);
    expect(await memory.search('zebra crossing')).toEqual([]);
    for (const session of [memory, memory.session('t')]) {
      const context = await session.recall('What did I say of rowing, and what am I to connect?');
      expect(context.messages.map(({ content }) => content).join('\n')).not.toContain('zebra');
      expect(context.text + JSON.stringify(context.items)).not.toContain('zebra');
    }
    const other = await memoryOf({ sessionId: 's' });
    await other.import(await memory.export());
    expect((await other.history()).filter(({ content }) => content === NOTICE.content)).toHaveLength(8);
    expect(await other.search('zebra crossing')).toEqual([]);
    const database = await openDatabase({ name });
    const history = database.chatHistory('s');
    expect(JSON.stringify([await history.getMessages(), await history.list()])).not.toContain('zebra');
    await database.close();
  });

  it('P150: an origin that a message of its role cannot have is refused, and nothing is stored', async () => {
    const memory = await memoryOf();
    for (const message of [
      { role: 'user', content: 'hi', origin: 'notice' },
      { role: 'assistant', content: 'hi', origin: 'document' },
      { role: 'tool', content: 'hi', tool_call_id: 'a', origin: 'notice' },
      { role: 'system', content: 'hi', origin: 'import' },
      { role: 'user', content: [{ type: 'text', text: 'hi', origin: 'user' }] },
    ]) {
      await expect(memory.remember({ messages: [message as never] })).rejects.toThrow(
        expect.objectContaining({ code: 'invalid-message' }),
      );
    }
    expect(await memory.history()).toEqual([]);
  });
});
