import { describe, expect, it, vi } from 'vitest';
import type { Extractor, RecalledContext } from '../../../src/index.ts';
import { NameIndex } from '../../../src/graph/name-index.ts';
import { newId } from '../../../src/model/id.ts';
import { analyze } from '../../../src/language/terms.ts';
import { hashEmbedder } from '../../fakes/hash-embedder.ts';
import { exactTokenizer } from '../../fixtures/exact-tokenizer.ts';
import { besideQueues, watchIdb } from '../../fixtures/faults/idb-spy.ts';
import { memoryOf } from '../../fixtures/open-memory.ts';

const marksOf = ({ text }: RecalledContext): string[] =>
  Array.from(text.matchAll(/<memory-([0-9a-f]{24})>/g), ([, mark]) => mark ?? '');

describe('what recall reads', () => {
  it.each(['recall', 'explain'] as const)(
    'REC-34: %s writes nothing and opens at most two transactions besides the index updates',
    async (ask) => {
      const name = newId();
      const filling = await memoryOf({ name, sessionId: 'old', embedder: hashEmbedder() });
      for (let n = 0; n < 12; n++) {
        await filling.remember({ user: `My friend Ann${n} lives in Rome.`, assistant: 'I see.' });
      }
      await filling.work.settled();
      await filling.close();
      const memory = await memoryOf({ name, sessionId: 'old', embedder: hashEmbedder() });
      await memory.work.settled();
      await memory[ask]('Hello?'); // opens the indexes
      for (const sessionId of ['old', 'never written']) {
        await memory.work.settled(); // what was counted is stored in the background
        const asking = (): Promise<unknown> => memory[ask]('Where does my friend Ann3 live?', { sessionId });
        const further: number[] = [];
        // A tab that comes to lead looks once for the turns of tabs that are gone, whenever that is.
        for (let time = 0; time < 3; time++) {
          const traffic = await watchIdb(asking, besideQueues);
          expect(traffic.readwrite).toEqual([]);
          expect(traffic.writes).toBe(0);
          const catchUp = traffic.readonly.filter((stores) => stores.includes('changes'));
          expect(catchUp).toHaveLength(1);
          further.push(traffic.readonly.length - catchUp.length);
        }
        expect(Math.min(...further)).toBeLessThanOrEqual(2);
      }
      expect((await memory.sessions()).map(({ id }) => id)).toEqual(['old']);
    },
  );

  it('REC-36: the question is split into words once and its names are looked up once', async () => {
    const cut: string[] = [];
    const memory = await memoryOf({
      embedder: false,
      analyzer: {
        id: 'counting/1',
        analyze(text) {
          cut.push(text);
          return analyze(text);
        },
      },
    });
    await memory.remember({ user: 'I live in Rome. My birthday is on 3 May.', assistant: 'I see.' });
    await memory.work.settled();
    const question = 'Where did I live in Rome before my birthday?';
    const find = vi.spyOn(NameIndex.prototype, 'find');
    cut.length = 0;
    const { items } = await memory.recall(question);
    expect(items).not.toEqual([]);
    expect(cut.filter((text) => text === question)).toHaveLength(1);
    expect(find.mock.calls.filter(([text]) => text === question)).toHaveLength(1);
    find.mockRestore();
  });

  it('REC-37: a message without a token count is counted once per tab and the count is stored in the background', async () => {
    const name = newId();
    const plain = await memoryOf({ name, sessionId: 's', embedder: false, learning: false });
    await plain.remember({ user: 'The parcel is at gate seven.', assistant: 'I see.' });
    await plain.close();
    const counted: unknown[] = [];
    const exact = await exactTokenizer();
    const tokenizer = {
      ...exact,
      id: 'counting/1',
      countMessage: (message: Parameters<typeof exact.countMessage>[0]) => {
        counted.push(message.content);
        return exact.countMessage(message);
      },
    };
    const memory = await memoryOf({ name, sessionId: 's', embedder: false, learning: false, tokenizer });
    const traffic = await watchIdb(() => memory.recall('Where is it?'));
    expect(traffic.readwrite).toEqual([]);
    expect(counted).toContain('I see.');
    await memory.work.settled();
    const [first] = await memory.history();
    expect(first?.tokens?.['counting/1']).toBeGreaterThan(0);
    counted.length = 0;
    await memory.recall('And now?');
    expect(counted).not.toContain('I see.');
  });
});

describe('fence marks', () => {
  const reader = (extractor: Extractor | false = false): object => ({
    embedder: false,
    learning: extractor && { extractor },
    recentTurns: 0,
  });

  it('REC-19: the same turn or text has the same marks, and another question, session or database has different ones', async () => {
    const memory = await memoryOf(reader());
    await memory.remember({ user: 'The zebra is at gate seven.', assistant: 'I see.' });
    const [first] = marksOf(await memory.recall('zebra'));
    expect(first).toMatch(/^[0-9a-f]{24}$/);
    const again = await memory.recall('zebra');
    expect(marksOf(again)).toEqual([first]);
    const others = [
      await memory.recall('zebra?'),
      await memory.recall('zebra', { turnId: 'a' }),
      await memory.recall('zebra', { turnId: 'b' }),
      await memory.recall('zebra', { sessionId: 'another' }),
    ].map((context) => marksOf(context)[0]);
    expect(new Set([first, ...others]).size).toBe(5);
    expect(marksOf(await memory.recall('zebra, again', { turnId: 'a' }))).toEqual([others[1]]);
    const elsewhere = await memoryOf({ ...reader(), sessionId: memory.sessionId });
    await elsewhere.remember({ user: 'The zebra is at gate seven.', assistant: 'I see.' });
    expect(marksOf(await elsewhere.recall('zebra'))).not.toEqual([first]);
    await expect(memory.recall('zebra', { turnId: '' })).rejects.toMatchObject({ code: 'invalid-input' });
  });

  it('REC-19: marks in the stable part survive reopening, and no mark is in the system message', async () => {
    const name = newId();
    const sessionId = 'chat';
    const options = { name, sessionId, embedder: false } as const;
    const memory = await memoryOf(options);
    await memory.remember({ user: 'My dog is called Max.', assistant: 'I see.' });
    await memory.work.settled();
    const [fact] = await memory.facts.list();
    await memory.facts.pin(fact?.id ?? '');
    const contexts = [await memory.recall('Hello?'), await memory.recall('Dog?', { turnId: 't' })];
    await memory.close();
    contexts.push(await (await memoryOf(options)).recall('Hello again?'));
    const pinned = contexts.map((context) => marksOf(context)[0]);
    expect(pinned[0]).toMatch(/^[0-9a-f]{24}$/);
    expect(new Set(pinned).size).toBe(1);
    const systems = contexts.map(({ messages }) => messages[0]?.content);
    expect(new Set(systems).size).toBe(1);
    expect(String(systems[0])).not.toContain(pinned[0]);
  });
});
