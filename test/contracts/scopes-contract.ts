import { afterEach, describe, expect, it } from 'vitest';
import { loadUIMessages, saveUIMessages } from '../../src/integrations/ai-sdk.ts';
import { createMemory, type CreateMemoryOptions, type Memory, type MemoryDatabase } from '../../src/index.ts';
import { exportBackup } from '../../src/backup/export-backup.ts';
import { importBackup } from '../../src/backup/import-backup.ts';
import { ConversationSummaryMemory } from '../../src/langchain.ts';
import { memoryRetriever } from '../../src/search.ts';
import { jobsOf } from '../../src/storage/jobs/job-store.ts';
import type { StorageEngine } from '../../src/storage/storage-engine.ts';
import { endAbandonedTurns } from '../../src/storage/transcript/append-turn.ts';
import { fakeSummarizer } from '../fakes/fake-summarizer.ts';
import { summaryRow } from '../fixtures/derived-rows.ts';
import { rowsOf } from '../fixtures/rows-of.ts';

const SCOPES = ['alice', 'bob'] as const;

/** What two scopes of one database do alike, in every {@link MemoryDatabase}: they use the same ids and never meet. */
export function describeScopes(name: string, open: () => Promise<MemoryDatabase>): void {
  const opened: Memory[] = [];

  async function memoryOf(database: MemoryDatabase, options: CreateMemoryOptions): Promise<Memory> {
    const memory = await createMemory({ database, sessionId: 'today', embedder: false, ...options });
    opened.push(memory);
    return memory;
  }

  /** Opens both scopes of a database, and tells each of them something under the same ids. */
  async function told(): Promise<{ database: MemoryDatabase; alice: Memory; bob: Memory }> {
    const database = await open();
    const [alice, bob] = await Promise.all(SCOPES.map((scope) => memoryOf(database, { scope })));
    if (!alice || !bob) throw new Error('not opened');
    await alice.remember({ user: 'My dog is called Max.', assistant: 'Nice.' }, { turnId: 't' });
    await bob.remember({ user: 'My cat is called Tom.', assistant: 'Good.' }, { turnId: 't' });
    for (const scope of SCOPES) {
      await database.records('n', { scope }).put('k', scope, { sessionId: 'today' });
      const retriever = memoryRetriever({ embedder: false, database, sessionId: 'today', scope });
      await retriever.add([{ id: 'd', text: `paper of ${scope}` }]);
      await rowsOf(database).summaries.put(summaryRow('today', 1, { scope, text: `summary of ${scope}` }), 0);
    }
    await Promise.all([alice, bob].map((memory) => memory.work.settled()));
    return { database, alice, bob };
  }

  /** Everything that a memory and its scope show. */
  async function seen(database: MemoryDatabase, memory: Memory, scope: string): Promise<unknown> {
    const { transcript, summaries, documents } = rowsOf(database);
    return {
      history: await memory.history(),
      sessions: await memory.sessions(),
      found: (await memory.search('called')).map(({ text }) => text),
      recalled: (await memory.recall('What is it called?')).items.map(({ text }) => text),
      facts: await memory.facts.list(),
      records: await memory.records('n').list(),
      summaries: await summaries.list(scope),
      documents: (await documents.readChanges(scope, undefined)).documents,
      turn: await transcript.loadTurns(scope, ['t']),
      verified: await memory.backup.verify(),
    };
  }

  describe(`${name} keeps scopes apart`, () => {
    afterEach(async () => {
      await Promise.all(opened.splice(0).map((memory) => memory.close()));
    });

    it('SCO-1: two scopes use the same ids of sessions, turns, summaries, records and documents', async () => {
      const { database, alice, bob } = await told();
      for (const [memory, scope, word, other] of [
        [alice, 'alice', 'Max', 'Tom'],
        [bob, 'bob', 'Tom', 'Max'],
      ] as const) {
        const all = await seen(database, memory, scope);
        expect(all).toMatchObject({
          history: [
            { turnId: 't', seq: 0 },
            { turnId: 't', seq: 1 },
          ],
          sessions: [{ id: 'today', scope, messageCount: 2 }],
          records: [{ key: 'k', value: scope }],
          summaries: [{ text: `summary of ${scope}` }],
          documents: [{ id: 'd', text: `paper of ${scope}` }],
          verified: { problems: [] },
        });
        expect(JSON.stringify(all)).toContain(word);
        expect(JSON.stringify(all)).not.toContain(other);
        expect(await memory.search(other)).toEqual([]);
      }
      expect((await database.sessions()).map(({ id, scope }) => `${scope} ${id}`).toSorted()).toEqual([
        'alice today',
        'bob today',
      ]);
      expect(
        await bob.remember({ user: 'My cat is called Tom.', assistant: 'Good.' }, { turnId: 't' }),
      ).toMatchObject({
        duplicate: true,
      });
      await expect(bob.remember({ user: 'a', assistant: 'b' }, { turnId: 't' })).rejects.toMatchObject({
        code: 'turn-conflict',
      });
    });

    it('SCO-2: what one scope forgets, deletes, replaces, rebuilds and abandons leaves the other as it is', async () => {
      const { database, alice, bob } = await told();
      const before = await seen(database, bob, 'bob');
      const redacting = await memoryOf(database, {
        scope: 'alice',
        redact: (text) => text.replaceAll('Max', 'X'),
      });
      const changes: (() => Promise<unknown>)[] = [
        () => alice.remember({ user: 'It is Rex.', assistant: 'Oh.' }, { turnId: 'u', replaces: 't' }),
        () => redacting.remember({ user: 'Max again.', assistant: 'Max?' }, { turnId: 'v' }),
        () => alice.backup.rebuild(),
        async () => {
          const { transcript, connection } = rowsOf(database);
          // Opened by this page, so that no memory ends them before this test does.
          const waiting = {
            sessionId: 'today',
            turnId: 'p',
            state: 'pending',
            openedBy: connection.presence?.id ?? 'gone',
            createdAt: 1,
          } as const;
          for (const scope of SCOPES)
            await transcript.append({ ...waiting, scope, messages: [{ role: 'user', content: 'Wait' }] });
          expect(await endAbandonedTurns(connection, 'alice', () => true)).toBe(1);
          expect((await bob.history()).at(-1)?.state).toBe('pending');
          await bob.forget({ turnId: 'p' });
        },
        () => alice.forget({ turnId: 't' }),
        () => alice.forget({ text: 'called', turns: true }).catch(() => undefined),
        () => alice.records('n').delete('k'),
        () => alice.forget({ sessionId: 'today' }),
        () => alice.remember({ user: 'My dog is back.', assistant: 'Nice.' }, { turnId: 't' }),
        () => database.deleteSession('today'),
        () => database.deleteSession('today', { scope: 'alice' }),
        () => alice.remember({ user: 'My dog is back.', assistant: 'Nice.' }, { turnId: 't2' }),
        () => alice.forget({ before: Infinity }),
        () => alice.forget({ everything: true }),
      ];
      for (const change of changes) {
        await change();
        await alice.work.settled();
        expect(await seen(database, bob, 'bob'), change.toString()).toEqual(before);
      }
      expect(await alice.sessions()).toEqual([]);
      expect(await rowsOf(database).jobs.list(['learn/alice'])).toEqual([]);
    });

    it('SCO-3: jobs of equal sessions and turns are queued, done and removed for each scope', async () => {
      const database = await open();
      const { transcript, jobs } = rowsOf(database);
      for (const scope of SCOPES) {
        const turn = { scope, sessionId: 's', turnId: 't', state: 'complete', createdAt: 1 } as const;
        await transcript.append({
          ...turn,
          messages: [{ role: 'user', content: scope }],
          jobs: [{ queue: 'q' }],
        });
      }
      const listed = async (): Promise<unknown> =>
        (await jobs.list()).map(({ scope, turnIds }) => [scope, turnIds]);
      expect(await listed()).toEqual([
        ['alice', ['t']],
        ['bob', ['t']],
      ]);
      await transcript.forget({ turnIds: ['t'] }, 'alice');
      expect(await listed()).toEqual([['bob', ['t']]]);
      await database.deleteSession('s', { scope: 'alice' });
      expect(await listed()).toEqual([['bob', ['t']]]);
    });

    it('SCO-4: a history without a scope is of the scope user, and reaches no other', async () => {
      const { database, bob } = await told();
      expect(await database.chatHistory('today').list()).toEqual([]);
      await database.chatHistory('today').addMessages([{ role: 'user', content: 'mine' }], { turnId: 't' });
      const theirs = database.chatHistory('today', { scope: 'bob' });
      expect(await theirs.list()).toEqual(await bob.history());
      expect(database.chatHistory('today', { scope: 'bob' })).toBe(theirs);
      await database.chatHistory('today').clear();
      expect(await theirs.list()).toHaveLength(2);
      await theirs.clear();
      expect(await theirs.list()).toEqual([]);
      const wrong: unknown[] = [{ scope: '' }, { scope: 1 }, { scop: 'bob' }, null];
      for (const options of wrong) {
        expect(() => database.chatHistory('today', options as never)).toThrow(
          expect.objectContaining({ code: 'invalid-option' }),
        );
        await expect(database.deleteSession('today', options as never)).rejects.toMatchObject({
          code: 'invalid-option',
        });
      }
    });

    it("SCO-5: a backup that is imported into another scope joins that scope's sessions of the same ids", async () => {
      const { alice } = await told();
      const { database, alice: other, bob } = await told();
      const before = await seen(database, other, 'alice');
      const file = await alice.backup.export();
      // In another database, whose bob has a session of the same id.
      await bob.forget({ turnId: 't' });
      await bob.remember({ user: 'My cat is called Tom.', assistant: 'Good.' }, { turnId: 'mine' });
      expect(await bob.backup.import(file, { as: 'own' })).toMatchObject({ messages: 2, sessions: 0 });
      await bob.work.settled();
      expect((await bob.history()).map(({ turnId }) => turnId)).toEqual(['mine', 'mine', 't', 't']);
      expect(await bob.sessions()).toMatchObject([{ id: 'today', scope: 'bob', messageCount: 4 }]);
      expect(await bob.backup.verify()).toMatchObject({ problems: [] });
      expect(await seen(database, other, 'alice')).toEqual(before);
      // What is here in one scope is not moved to another.
      expect(await bob.backup.import(await other.backup.export())).toMatchObject({ messages: 0 });
      expect(await seen(database, other, 'alice')).toEqual(before);
      // What alice has forgotten in the meantime is erased from what bob has of her, and not from what she has here.
      await alice.forget({ everything: true });
      expect(await bob.backup.import(await alice.backup.export())).toMatchObject({ forgotten: 2 });
      expect((await bob.history()).map(({ turnId }) => turnId)).toEqual(['mine', 'mine']);
      expect(await seen(database, other, 'alice')).toEqual(before);
    });

    it('SCO-6: tombstones of a backup erase nothing in another scope', async () => {
      const { database, alice, bob } = await told();
      const file = await alice.backup.export();
      const elsewhere = await open();
      const mine = await memoryOf(elsewhere, { scope: 'bob' });
      await mine.backup.import(file);
      await mine.forget({ everything: true });
      const before = await seen(database, alice, 'alice');
      expect(await bob.backup.import(await mine.backup.export())).toMatchObject({ forgotten: 0 });
      expect(await seen(database, alice, 'alice')).toEqual(before);
    });

    it('SCO-7: saveUIMessages keeps chats of equal ids in two scopes', async () => {
      const database = await open();
      const memories = await Promise.all(SCOPES.map((scope) => memoryOf(database, { scope })));
      const messages = (scope: string): Parameters<typeof saveUIMessages>[2] => [
        { id: 'u', role: 'user', parts: [{ type: 'text', text: `I am ${scope}.` }] },
        { id: 'a', role: 'assistant', parts: [{ type: 'text', text: `Hello ${scope}.` }] },
      ];
      for (const [at, memory] of memories.entries())
        await saveUIMessages(memory, 'today', messages(SCOPES[at] ?? ''));
      for (const [at, memory] of memories.entries())
        expect(await loadUIMessages(memory, 'today')).toMatchObject(messages(SCOPES[at] ?? ''));
    });

    it('SCO-9: work in the background of equal sessions has queues of its own for each scope', async () => {
      const database = await open();
      const { jobs, connection, transcript, summaries } = rowsOf(database);
      const scopes = ['user', 'alice'] as const;
      for (const scope of scopes) {
        const memory = new ConversationSummaryMemory({
          extractor: fakeSummarizer(({ newLines }) => `about ${newLines}`),
          chatHistory: database.chatHistory('today', { scope }),
          enrichment: 'background',
        });
        await memory.saveContext({ input: `I am ${scope}.` }, { output: 'Hello.' });
        await memory.settled();
        await memory.close();
      }
      for (const scope of scopes) {
        const [summary, ...others] = await summaries.list(scope);
        expect(others).toEqual([]);
        expect(summary?.text).toContain(`I am ${scope}.`);
        const origin = { scope, sessionId: 'today', turnIds: [] };
        await jobs.enqueue([{ queue: summary?.queue ?? '' }], [origin]);
      }
      const queues = async (engine: StorageEngine): Promise<string[]> =>
        (await jobsOf(engine).list()).map(({ scope, queue }) => `${scope}: ${queue}`).toSorted();
      expect(await queues(connection)).toEqual([
        'alice: summary/today/summary/alice',
        'user: summary/today/summary',
      ]);
      expect(await transcript.listMessages(['alice', 'today'])).toHaveLength(2);
      for (const [from, to, queue] of [
        ['alice', 'bob', 'summary/today/summary/bob'],
        ['alice', 'user', 'summary/today/summary'],
        ['user', 'bob', 'summary/today/summary/bob'],
      ] as const) {
        const there = rowsOf(await open());
        await importBackup(there.connection, await exportBackup(connection, { scope: from }), { scope: to });
        expect(await queues(there.connection)).toEqual([`${to}: ${queue}`]);
        expect(await there.summaries.list(to)).toMatchObject([{ sessionId: 'today', queue }]);
      }
    });

    it('SCO-8: a document belongs to the scope of its retriever, whatever its collection', async () => {
      const database = await open();
      const alice = await memoryOf(database, { scope: 'alice' });
      const collections = [
        { scope: 'alice' },
        { scope: 'alice', collection: 'notes' },
        { collection: 'bob' },
        {},
      ];
      const retrievers = collections.map((given) =>
        memoryRetriever({ embedder: false, database, sessionId: 's', ...given }),
      );
      for (const retriever of retrievers) await retriever.add([{ id: 'd', text: 'a word' }]);
      const counts = async (): Promise<number[]> =>
        Promise.all(retrievers.map(async (retriever) => (await retriever.search('word')).length));
      expect(await counts()).toEqual([1, 1, 1, 1]);
      expect(await alice.forget({ text: 'word', turns: true }, { preview: true })).toMatchObject({
        documents: 2,
      });
      const backup = await (await alice.backup.export()).text();
      expect(backup.match(/"store":"documents"/g)).toHaveLength(2);
      expect(await alice.forget({ sessionId: 's' })).toMatchObject({ documents: 2 });
      expect(await counts()).toEqual([0, 0, 1, 1]);
      await database.deleteSession('s');
      expect(await counts()).toEqual([0, 0, 1, 0]);
    });
  });
}
