import { describe, expect, it } from 'vitest';
import { rowsOf } from '../../fixtures/rows-of.ts';
import { newId } from '../../../src/model/id.ts';
import { openDatabase } from '../../../src/sessions/open-database.ts';
import { besideQueues, watchIdb } from '../../fixtures/faults/idb-spy.ts';
import { memoryInFrame } from '../../fixtures/memory-in-frame.ts';
import { memoryOf } from '../../fixtures/open-memory.ts';
import { eventually } from '../../fixtures/eventually.ts';

describe('a memory open in two pages', () => {
  it('TAB-7: what one page remembers or forgets is known to the other in its next search', async () => {
    const name = newId();
    const here = await memoryOf({ name });
    const { memory: there } = await memoryInFrame({ name });
    const { turnId, messageIds } = await there.remember({ user: 'The safe code is 4711.', assistant: 'Ok.' });
    expect((await here.search('safe code')).map((found) => found.message.id)).toEqual([messageIds[0]]);
    expect((await here.recall('safe code')).items).toMatchObject([{ kind: 'recalled', turnId }]);
    await here.forget({ turnId });
    expect(await there.search('safe code')).toEqual([]);
    expect((await there.recall('safe code')).items).toEqual([]);
    await here.remember({ user: 'The safe code is 1234.', assistant: 'Ok.' });
    expect(await there.search('safe code')).toMatchObject([{ text: 'The safe code is 1234.' }]);
  });

  it("TAB-8: each page gets change events, local for its own and remote for the other's", async () => {
    const name = newId();
    // What is learned in the background is a change, too, and comes whenever it is done.
    const learning = false;
    const here = await memoryOf({ name, learning });
    const { memory: there } = await memoryInFrame({ name, learning });
    const elsewhere = await memoryOf({ learning });
    const heard: string[] = [];
    here.addEventListener('change', ({ detail }) => heard.push(`here ${detail.source}`));
    there.addEventListener('change', ({ detail }) => heard.push(`there ${detail.source}`));
    elsewhere.addEventListener('change', ({ detail }) => heard.push(`elsewhere ${detail.source}`));
    await here.remember({ user: 'a', assistant: 'b' });
    await eventually(() => expect(heard).toEqual(['here local', 'there remote']));
    await there.forget({ everything: true });
    await eventually(() => expect(heard.slice(2).toSorted()).toEqual(['here remote', 'there local']));
  });

  it('TAB-9: a page catches up by reading only what is new', async () => {
    const name = newId();
    const here = await memoryOf({ name, learning: false });
    const there = await memoryOf({ name, learning: false });
    for (let turn = 0; turn < 100; turn++) {
      await there.remember({ user: `question ${turn} about boats`, assistant: `answer ${turn}` });
    }
    await here.search('boats', { limit: 1 });
    await here.work.settled(); // the index is saved, which reads a few rows
    await there.remember({ user: 'a quokka', assistant: 'ok' });
    const caughtUp = await watchIdb(() => here.search('quokka', { limit: 1 }));
    expect(caughtUp.rows).toBeLessThanOrEqual(8); // generation, one change, its two messages, the turn found
    const nothingNew = await watchIdb(() => here.search('quokka', { limit: 1 }));
    expect(nothingNew.rows).toBeLessThanOrEqual(4);
    const [found] = await here.search('question 7 boats', { limit: 1 });
    await there.forget({ messageId: found?.message.id ?? '' });
    const forgotten = await watchIdb(() => here.search('zzz', { limit: 1 }));
    expect(forgotten.rows).toBeLessThanOrEqual(4); // generation and change, for the index and for the graph
    expect(
      (await here.search('question 7 boats', { limit: 200 })).map((each) => each.message.id),
    ).not.toContain(found?.message.id);
  });

  it('TAB-10: two pages that write to one session at the same time agree on all of it', async () => {
    const name = newId();
    const here = await memoryOf({ name, sessionId: 's' });
    const { memory: there } = await memoryInFrame({ name, sessionId: 's' });
    await Promise.all(
      Array.from({ length: 60 }, (_, turn) =>
        (turn % 2 ? here : there).remember({ user: `q${turn}`, assistant: `a${turn}` }),
      ),
    );
    const mine = await here.history();
    expect(mine.map((message) => message.seq)).toEqual(Array.from({ length: 120 }, (_, seq) => seq));
    expect(new Set(mine.map((message) => message.id)).size).toBe(120);
    expect(JSON.stringify(await there.history())).toBe(JSON.stringify(mine));
  });
});

describe('a memory of 10,000 messages', () => {
  it('REC-39: recall reads only the messages it uses and a bounded margin, and writes nothing the second time', async () => {
    const name = newId();
    const database = await openDatabase({ name });
    for (let session = 0; session < 5; session++) {
      const messages = Array.from({ length: 1000 }, (_, turn) => [
        { role: 'user' as const, content: `Note ${turn} of ${session}: the parcel is at gate ${turn % 97}.` },
        { role: 'assistant' as const, content: `Noted ${turn}.` },
      ]).flat();
      await rowsOf(database).transcript.append({
        sessionId: `s${session}`,
        messages,
        state: 'complete',
        createdAt: session,
      });
    }
    database.close();
    const memory = await memoryOf({ name, sessionId: 's4' });
    await memory.recall('gate 13'); // builds the index, counts the window
    await memory.work.settled(); // saves the index and learns
    // Knows what was learned, and stores the window's token counts a second after it has counted with the vocabulary.
    const watched = await openDatabase({ name });
    const { transcript } = rowsOf(watched);
    await eventually(async () => {
      await memory.recall('gate 13');
      const window = await transcript.listMessages(['user', 's4'], { last: 20 });
      expect(window.filter(({ tokens }) => tokens === undefined)).toEqual([]);
    });
    watched.close();
    const second = await watchIdb(async () => {
      const context = await memory.recall('gate 14');
      expect(context.items.length).toBeGreaterThan(5);
    }, besideQueues);
    // The session's end, as much as a request of 2,000 tokens may hold, and at most 64 turns found of two messages each.
    expect(second.rows).toBeLessThanOrEqual(6 * 64 + 128 + 10);
    expect(second.writes).toBe(0);
    await memory.remember({ user: 'one more', assistant: 'ok' });
    await memory.work.settled();
    const third = await watchIdb(() => memory.search('one more', { limit: 3 }), besideQueues);
    expect(third.rows).toBeLessThanOrEqual(12);
  }, 600_000); // its turns are learned first
});
