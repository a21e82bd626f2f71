import { describe, expect, it } from 'vitest';
import { createMemory, type Memory } from '../../../src/index.ts';

function open(scope = 'user'): Promise<Memory> {
  let now = Date.UTC(2026, 0, 1);
  return createMemory({
    storage: 'memory',
    embedder: false,
    sessionId: 's',
    scope,
    clock: () => (now += 60_000),
  });
}

const said = (fact: { subject: string; predicate: string; object: string }): string =>
  `${fact.subject} ${fact.predicate} ${fact.object}`;

async function factsOf(memory: Memory): Promise<string[]> {
  await memory.work.settled();
  return (await memory.facts.list()).map(said).toSorted();
}

describe('a turn that replaces another', () => {
  it('MSG-23: the old turn stays with the state replaced, and is no longer found, sent or learned from', async () => {
    const memory = await open();
    await memory.remember({ user: 'I live in Lisbon.', assistant: 'Noted.' }, { turnId: 'old' });
    expect(await factsOf(memory)).toEqual(['user lives in Lisbon']);
    await memory.remember(
      { user: 'I live in Porto.', assistant: 'Noted.' },
      { turnId: 'new', replaces: 'old' },
    );
    expect(await factsOf(memory)).toEqual(['user lives in Porto']);
    expect(await memory.facts.list({ includeHistory: true })).toHaveLength(1);
    expect(await memory.search('Lisbon')).toEqual([]);
    const history = await memory.history();
    expect(history.map(({ turnId, state }) => [turnId, state])).toEqual([
      ['old', 'replaced'],
      ['old', 'replaced'],
      ['new', 'complete'],
      ['new', 'complete'],
    ]);
    const context = await memory.recall('Where do I live?');
    expect(JSON.stringify(context.messages)).toContain('Porto');
    expect(JSON.stringify(context.messages)).not.toContain('Lisbon');
    expect((await memory.sessions())[0]?.title).toBe('I live in Porto.');
    await memory.backup.rebuild();
    expect(await factsOf(memory)).toEqual(['user lives in Porto']);
    expect((await memory.backup.verify()).problems).toEqual([]);
    const copy = await open();
    await copy.backup.import(await memory.backup.export());
    expect((await copy.history()).map(({ state }) => state)).toEqual(history.map(({ state }) => state));
    expect(await factsOf(copy)).toEqual(['user lives in Porto']);
  });

  it('MSG-23: one turn replaces several, and an unknown one among them is rejected before anything changes', async () => {
    const memory = await open();
    const turn = { user: 'I live in Lisbon.', assistant: 'Noted.' };
    for (const turnId of ['a', 'b', 'c']) await memory.remember(turn, { turnId });
    const moved = { user: 'I live in Porto.', assistant: 'Noted.' };
    const unknown = memory.remember(moved, { turnId: 'd', replaces: ['b', 'none'] });
    await expect(unknown).rejects.toMatchObject({ code: 'not-found' });
    await memory.remember(moved, { turnId: 'd', replaces: ['b', 'c'] });
    const states = (await memory.history()).map(({ turnId, state }) => `${turnId} ${state}`);
    expect([...new Set(states)]).toEqual(['a complete', 'b replaced', 'c replaced', 'd complete']);
    expect(await factsOf(memory)).toEqual(['user lives in Porto']);
    expect((await memory.backup.verify()).problems).toEqual([]);
  });

  it('MSG-23: storing the replacement again changes nothing, and replacing an unknown turn is rejected', async () => {
    const memory = await open();
    const turn = { user: 'Good morning.', assistant: 'Good morning.' };
    await expect(memory.remember(turn, { replaces: 'none' })).rejects.toMatchObject({ code: 'not-found' });
    await expect(memory.remember(turn, { turnId: 't', replaces: 't' })).rejects.toMatchObject({
      code: 'invalid-input',
    });
    expect(await memory.history()).toEqual([]);
    await memory.remember(turn, { turnId: 'old' });
    await expect(memory.remember(turn, { replaces: 'old', sessionId: 'other' })).rejects.toMatchObject({
      code: 'not-found',
    });
    await memory.remember(turn, { turnId: 'new', replaces: 'old' });
    expect(await memory.remember(turn, { turnId: 'new', replaces: 'old' })).toMatchObject({
      duplicate: true,
    });
    expect(await memory.history()).toHaveLength(4);
  });
});

describe('a turn that is to replace another', () => {
  const question = [{ role: 'user' as const, content: 'I live in Porto. Is it far?' }];
  const whole = [...question, { role: 'assistant' as const, content: 'No.' }];

  async function statesOf(memory: Memory): Promise<string[]> {
    const messages = await memory.history();
    return [...new Set(messages.map(({ turnId, state }) => `${turnId} ${state}`))];
  }

  it.each(['failed', 'cancelled'] as const)(
    'MSG-40: a turn that ends %s takes nothing away from the turn that it was to replace',
    async (state) => {
      const memory = await open();
      await memory.remember({ user: 'I live in Lisbon.', assistant: 'Noted.' }, { turnId: 'old' });
      await memory.remember({ messages: question }, { turnId: 'new', replaces: 'old', state: 'pending' });
      expect(await statesOf(memory)).toEqual(['old complete', 'new pending']);
      expect(await factsOf(memory)).toEqual(['user lives in Lisbon']);
      await memory.remember({ messages: whole }, { turnId: 'new', state, continues: true });
      expect(await statesOf(memory)).toEqual(['old complete', `new ${state}`]);
      expect(await factsOf(memory)).toEqual(['user lives in Lisbon']);
      expect(await memory.search('Lisbon')).toHaveLength(1);
      const context = await memory.session('later').recall('Where do I live?');
      expect(JSON.stringify(context.messages)).toContain('Lisbon');
      await memory.backup.rebuild();
      expect(await factsOf(memory)).toEqual(['user lives in Lisbon']);
    },
  );

  it('MSG-40: a pending turn replaces the old one when it is complete, also one that was forgotten meanwhile', async () => {
    const memory = await open();
    for (const turnId of ['old', 'gone'])
      await memory.remember({ user: 'I live in Lisbon.', assistant: 'Noted.' }, { turnId });
    const replaces = ['old', 'gone'];
    await memory.remember({ messages: question }, { turnId: 'new', replaces, state: 'pending' });
    await memory.forget({ turnId: 'gone' });
    await memory.remember({ messages: whole }, { turnId: 'new' });
    expect(await statesOf(memory)).toEqual(['old replaced', 'new complete']);
    expect(await factsOf(memory)).toEqual(['user lives in Porto']);
    expect(await memory.search('Lisbon')).toEqual([]);
    expect((await memory.history()).some((message) => 'replaces' in message)).toBe(false);
    expect((await memory.backup.verify()).problems).toEqual([]);
  });

  it('MSG-40: what a failed turn was to replace passes to the turn that replaces it, also after a backup', async () => {
    const memory = await open();
    await memory.remember({ user: 'I live in Lisbon.', assistant: 'Noted.' }, { turnId: 'old' });
    await memory.remember({ messages: question }, { turnId: 'tried', replaces: 'old', state: 'failed' });
    const copy = await open();
    await copy.backup.import(await memory.backup.export());
    for (const each of [memory, copy]) {
      expect(await statesOf(each)).toEqual(['old complete', 'tried failed']);
      const pending = { turnId: 'new', replaces: 'tried', state: 'pending' } as const;
      await each.remember({ messages: question }, pending);
      expect(await statesOf(each)).toEqual(['old complete', 'tried replaced', 'new pending']);
      await each.remember({ messages: whole }, { turnId: 'new' });
      expect(await statesOf(each)).toEqual(['old replaced', 'tried replaced', 'new complete']);
      expect(await factsOf(each)).toEqual(['user lives in Porto']);
    }
  });

  it('MSG-41: recall for the running turn leaves out the turn that it replaces, and no other recall does', async () => {
    const memory = await open();
    await memory.remember({ user: 'My cat is called Zyx.', assistant: 'Zyx it is.' }, { turnId: 'old' });
    await memory.work.settled();
    const edited = [{ role: 'user' as const, content: 'What is my cat called?' }];
    await memory.remember({ messages: edited }, { turnId: 'new', replaces: 'old', state: 'pending' });
    for (const conversation of [undefined, []]) {
      const options = { turnId: 'new', ...(conversation ? { conversation } : {}) };
      const { items } = await memory.recall('What is my cat called?', options);
      expect(items.filter(({ kind }) => kind !== 'fact')).toEqual([]);
    }
    expect((await memory.session('s2').recall('What is my cat called?')).text).toContain(
      'My cat is called Zyx.',
    );
  });
});

describe('the facts of a turn that is being replaced', () => {
  const told = { user: 'My brother Anton lives in Rome.', assistant: 'Okay.' };

  /** Asks in place of the turn `old`, and returns what is recalled. */
  async function recalledInstead(memory: Memory): Promise<string> {
    await memory.work.settled();
    const content = 'Where does my brother Anton live? He moved to Bern.';
    const pending = { turnId: 'new', replaces: 'old', state: 'pending' } as const;
    await memory.remember({ messages: [{ role: 'user', content }] }, pending);
    return (await memory.recall(content, { turnId: 'new', conversation: [] })).text;
  }

  it('REC-104: facts that only a replaced turn gave are left out of the context of the turn that replaces it', async () => {
    const memory = await open();
    await memory.remember(told, { turnId: 'old' });
    expect(await recalledInstead(memory)).not.toContain('Rome');
    const other = await memory.session('other').recall('Where does my brother Anton live?');
    expect(other.text).toContain('Rome');
  });

  it('REC-104: facts that another turn gave as well are not left out', async () => {
    const memory = await open();
    await memory.remember(told, { sessionId: 'before' });
    await memory.remember(told, { turnId: 'old' });
    expect(await recalledInstead(memory)).toContain('Rome');
  });
});

describe('forgetting and backups in memory', () => {
  it('FGT-19: forgetting an entity with its turns also erases those in which only a tool mentioned it', async () => {
    const memory = await open();
    await memory.remember({
      messages: [
        { role: 'user', content: 'Who is my new neighbor?' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c', type: 'function', function: { name: 'look', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'c', content: 'Hugo Weber lives in Bern.' },
        { role: 'assistant', content: 'I found out.' },
      ],
    });
    await memory.remember({ user: 'I like green tea.', assistant: 'Good.' });
    await memory.work.settled();
    const named = (await memory.facts.entities()).find(({ name }) => name.includes('Hugo'));
    expect(named?.sources).toHaveLength(1);
    const receipt = await memory.forget({ entity: named?.name ?? '', turns: true });
    expect(receipt).toMatchObject({ turns: 1, messages: 4, entities: 2 });
    expect(JSON.stringify(await memory.history())).not.toContain('Hugo');
    expect(await factsOf(memory)).toEqual(['user likes green tea']);
  });

  it('FGT-21: neither forgetting a correction nor a rebuild restores the corrected fact', async () => {
    const memory = await open();
    await memory.remember({ user: 'I live in Bern.', assistant: 'Noted.' });
    await memory.work.settled();
    const [bern] = await memory.facts.list();
    const basel = await memory.facts.correct(bern?.id ?? '', { object: 'Basel' });
    await memory.forget({ factId: basel.id });
    expect(await factsOf(memory)).toEqual([]);
    await memory.backup.rebuild();
    expect(await factsOf(memory)).toEqual([]);
  });

  it('BAK-41: no backup restores what was corrected and then forgotten with everything', async () => {
    const memory = await open();
    await memory.remember({ user: 'I live in Bern.', assistant: 'Noted.' });
    await memory.work.settled();
    const [bern] = await memory.facts.list();
    await memory.facts.correct(bern?.id ?? '', { object: 'Basel' });
    const backup = await memory.backup.export();
    await memory.forget({ everything: true });
    await memory.backup.import(backup);
    expect(await memory.facts.list({ includeHistory: true })).toEqual([]);
    expect(await memory.history()).toEqual([]);
  });

  it("BAK-35: a backup is imported into the memory's own scope", async () => {
    const memory = await open();
    await memory.remember({ user: 'I live in Bern.', assistant: 'Noted.' });
    await memory.work.settled();
    const other = await open('guest');
    await other.backup.import(await memory.backup.export());
    expect(await factsOf(other)).toEqual(['user lives in Bern']);
    expect(await other.sessions()).toMatchObject([{ id: 's', scope: 'guest' }]);
    expect(await other.search('Bern')).toHaveLength(1);
    expect((await other.backup.verify()).problems).toEqual([]);
  });
});
