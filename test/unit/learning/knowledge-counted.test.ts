import * as fc from 'fast-check';
import { MultiDirectedGraph } from 'graphology';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { NameIndex } from '../../../src/graph/name-index.ts';
import type { Triple, TripleRecord } from '../../../src/graph/triple.ts';
import type { ExtractionInput, Extractor } from '../../../src/learning/extractor.ts';
import { parseQuery } from '../../../src/search/analyzer.ts';
import { factsAbout, resolveQuery } from '../../../src/learning/facts-about.ts';
import { learnTurns } from '../../../src/learning/learn-turns.ts';
import { offlineExtractor } from '../../../src/learning/rules/offline-extractor.ts';
import { ScopeGraph } from '../../../src/learning/scope-graph.ts';
import type { StoredMessage } from '../../../src/model/message.ts';
import { analyze } from '../../../src/language/terms.ts';
import { ENGLISH_STOP_WORDS } from '../../../src/language/words/stop-words.ts';
import { InMemoryJobStore, InMemoryKnowledgeStore } from '../../fixtures/in-memory-transcript.ts';
import type { KnowledgeStore, KnowledgeWrite } from '../../../src/storage/knowledge-store.ts';
import { mention } from '../../fixtures/derived-rows.ts';
import { setImmediate as nextTask } from 'node:timers/promises';

// Some of these tests make graphs of thousands of facts, next to other tests on the same cores.
vi.setConfig({ testTimeout: 60_000 });

afterEach(() => {
  vi.restoreAllMocks();
});

/** What was read and written of a graph. */
interface Watch {
  readonly store: KnowledgeStore;
  readonly graph: ScopeGraph;
  /** Ids of facts of which a record or row was read. */
  readonly read: Set<string>;
  readonly writes: KnowledgeWrite[];
}

/** A graph whose facts tell when they are read. */
function watchedGraph(): Watch {
  const read = new Set<string>();
  const watched = <Fact extends { readonly id: string }>(fact: Fact): Fact =>
    new Proxy(fact, {
      get(target, field) {
        if (field !== 'id') read.add(target.id);
        return Reflect.get(target, field);
      },
    });
  for (const method of ['addDirectedEdgeWithKey', 'replaceEdgeAttributes'] as const) {
    const write = MultiDirectedGraph.prototype[method] as (...parameters: unknown[]) => unknown;
    vi.spyOn(MultiDirectedGraph.prototype, method).mockImplementation(function writeWatched(
      this: MultiDirectedGraph,
      ...parameters: unknown[]
    ) {
      return write.call(this, ...parameters.slice(0, -1), watched(parameters.at(-1) as TripleRecord));
    } as never);
  }
  const inner = new InMemoryKnowledgeStore(new InMemoryJobStore(), () => true);
  const writes: KnowledgeWrite[] = [];
  const store: KnowledgeStore = {
    tombstones: (ids) => inner.tombstones(ids),
    madeBy: (scope) => inner.madeBy(scope),
    setMadeBy: (scope, version) => inner.setMadeBy(scope, version),
    learnedTurns: (scope) => inner.learnedTurns(scope),
    findNames: (...parameters) => inner.findNames(...parameters),
    forget: (...parameters) => inner.forget(...parameters),
    commit(scope, write, since, ticket) {
      writes.push(write);
      const facts = write.facts.map((fact) => ({ ...fact })); // a proxy cannot be stored
      return inner.commit(scope, { ...write, facts }, since, ticket);
    },
    async read(scope, since) {
      const changes = await inner.read(scope, since);
      return { ...changes, facts: changes.facts.map(watched) };
    },
  };
  return { store, graph: new ScopeGraph({ store, scope: 'user', clock: () => 1e12 }), read, writes };
}

const PEOPLE = Array.from({ length: 20 }, (_, n) => `Person${n} Family${n}`);

/** Of ten facts seven are about the user, and six are about Zoe Zander, whatever the count. */
function fill({ graph }: Watch, count: number): Promise<boolean> {
  return graph.update((draft) => {
    for (let n = 0; n < 6; n++) {
      draft.graph.addTriple({ subject: 'Zoe Zander', predicate: 'built', object: `boat${n}`, validFrom: n });
    }
    for (let n = 0; n < count; n++) {
      draft.graph.addTriple({
        subject: n % 10 < 7 ? 'user' : (PEOPLE[n % PEOPLE.length] ?? ''),
        predicate: ['visited', 'painted', 'repaired'][n % 3] ?? '',
        object: n % 4 === 0 ? (PEOPLE[(n * 7) % PEOPLE.length] ?? '') : `object${n}`,
        validFrom: n * 1000,
        sources: [{ messageId: `m${n}` }],
        attributes: { statedBy: 'user' },
      });
    }
  });
}

function turn(id: string, user: string, assistant: string): StoredMessage[] {
  const common = { sessionId: 's', scope: 'user', turnId: id, state: 'complete', createdAt: 9e11 } as const;
  return [
    { ...common, id: `${id}-u`, seq: 1, turn: 1, role: 'user', content: user },
    { ...common, id: `${id}-a`, seq: 2, turn: 1, role: 'assistant', content: assistant },
  ];
}

async function learn(watch: Watch, extractor: Extractor, ...turns: StoredMessage[][]): Promise<void> {
  const { graph, store } = watch;
  await learnTurns({ turns, context: [], graph, store, extractor });
}

it.each([
  ['rules read nothing in', offlineExtractor(), 'Good to know.', 0],
  ['rules read something in', offlineExtractor(), 'Your sister Mia lives in Rome.', 1],
  ['a model reads', { ...offlineExtractor(), id: 'model', isModel: true } as Extractor, 'Good to know.', 1],
])(
  'LRN-41: for a reply that %s, earlier texts are searched for only if they can matter',
  async (_, extractor, reply, times) => {
    const { graph, store } = watchedGraph();
    const recalled = vi.fn(() => Promise.resolve(new Map<string, readonly string[]>()));
    await learnTurns({
      turns: [turn('t', 'I live in Rome.', reply)],
      context: [],
      recalled,
      graph,
      store,
      extractor,
    });
    expect(recalled).toHaveBeenCalledTimes(times);
  },
);

describe('reading many facts', () => {
  const SIZES = [100, 3_000];
  /** To find the place of a new fact among 30 times as many takes five steps more: as it is made, and as it is read back. */
  const BINARY_STEPS = 15;

  it('LRN-14: learning from a turn by rules reads as many facts and names with 3,000 as with 100', async () => {
    const counts: number[] = [];
    for (const size of SIZES) {
      const watch = watchedGraph();
      await fill(watch, size);
      await watch.graph.rows();
      watch.read.clear();
      const named = vi.spyOn(NameIndex.prototype, 'add');
      const text = 'I live in Rome and like tea. Zoe Zander moved to Oslo.';
      await learn(watch, offlineExtractor(), turn('t', text, 'Rome is nice. You visited it in spring.'));
      await watch.graph.rows();
      const { graph } = await watch.graph.rows();
      expect(graph.entityFacts('Rome')).toEqual(['user lives in Rome']);
      expect(named.mock.calls.map(([{ name }]) => name).toSorted()).toEqual(['Oslo', 'Rome', 'tea']);
      counts.push(watch.read.size);
      vi.restoreAllMocks();
    }
    const [few = 0, many] = counts;
    expect(many).toBeLessThanOrEqual(few + BINARY_STEPS);
  });

  it('LRN-14: answering a question reads as many facts and names with 3,000 as with 100', async () => {
    const counts: unknown[] = [];
    for (const size of SIZES) {
      const watch = watchedGraph();
      await fill(watch, size);
      const rows = await watch.graph.rows();
      const facts = ['What do you know about me?', 'What of Zoe Zander?'].map((question) => {
        watch.read.clear();
        const found = factsAbout(rows, resolveQuery(rows, parseQuery(question)), 5);
        expect(found).toHaveLength(5);
        return watch.read.size;
      });
      counts.push(facts);
      vi.restoreAllMocks();
    }
    expect(counts[1]).toEqual(counts[0]);
  });

  it('LRN-15: storing one of many mentions requires only its own message to exist', async () => {
    const watch = watchedGraph();
    for (let n = 0; n < 30; n++) {
      await watch.graph.update((draft) => {
        draft.addMention('Sam', mention([`m${n}`], { note: `note ${n}` }));
        draft.graph.addTriple({
          subject: 'Sam',
          predicate: 'likes',
          object: 'tea',
          sources: [{ messageId: `m${n}` }],
        });
      });
    }
    expect(watch.writes.map(({ newSources }) => newSources)).toEqual(
      Array.from({ length: 30 }, (_, n) => [`m${n}`]),
    );
  });

  it('FACT-23: a large graph is loaded in slices, and an abort between them leaves nothing half loaded', async () => {
    const watch = watchedGraph();
    await fill(watch, 3_000);
    const { graph: whole } = await watch.graph.rows();
    vi.restoreAllMocks();
    const pauses = vi.spyOn(globalThis, 'MessageChannel');
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => (now += 10)); // each step takes longer than a slice
    const fresh = new ScopeGraph({ store: watch.store, scope: 'user', clock: () => 1e12 });
    const leaving = new AbortController();
    const load = fresh.rows(leaving.signal);
    while (pauses.mock.calls.length <= 2) await nextTask();
    leaving.abort(new Error('left'));
    await expect(load).rejects.toThrow('left');
    expect(pauses.mock.calls.length).toBeLessThan(8);
    pauses.mockClear();
    const { graph } = await fresh.rows();
    expect(pauses.mock.calls.length).toBeGreaterThan(8);
    expect(graph.toRecords().triples).toEqual(whole.toRecords().triples);
    pauses.mockClear();
    await fresh.rows();
    expect(pauses).not.toHaveBeenCalled();
  });
});

describe('which facts are selected', () => {
  it('FACT-18: facts are found by a walk to the neighbors, best first, newer ones first among equals', async () => {
    const name = fc.constantFrom('user', 'Sam', 'Ann', 'Rome', 'tea');
    const told = fc.record({
      subject: name,
      predicate: fc.constantFrom('likes', 'lives in', 'does not like', 'knows'),
      object: name,
      validFrom: fc.nat(6),
    });
    const question = fc.constantFrom(
      'What do I like?',
      'Does Sam live in Rome?',
      'tea and Ann',
      'Who likes tea?',
      '',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(told, { maxLength: 14 }), question, fc.nat(6), async (facts, text, limit) => {
        const store = new InMemoryKnowledgeStore(new InMemoryJobStore(), () => true);
        const graph = new ScopeGraph({ store, scope: 'user', clock: () => 10 });
        await graph.update((draft) => {
          for (const fact of facts) if (fact.subject !== fact.object) draft.graph.addTriple(fact);
        });
        const rows = await graph.rows();
        const asked = new Set(analyze(text).filter((term) => !ENGLISH_STOP_WORDS.has(term)));
        const wanted = new Map<string, { fact: Triple; score: number }>();
        for (const entity of rows.entitiesIn(text)) {
          const own = new Set(analyze(entity));
          const near = new Set(rows.graph.entityTriples(entity).map(({ id }) => id));
          for (const fact of rows.graph.entityTriples(entity, { depth: 2 })) {
            const terms = new Set(analyze(`${fact.subject} ${fact.predicate} ${fact.object}`));
            const words = [...terms].filter((term) => asked.has(term) && !own.has(term)).length;
            const score = words + (near.has(fact.id) ? 1 : 0);
            if (score > 0 && !wanted.has(fact.id)) wanted.set(fact.id, { fact, score });
          }
        }
        const found = factsAbout(rows, resolveQuery(rows, parseQuery(text)), limit);
        const all = factsAbout(rows, resolveQuery(rows, parseQuery(text)), 1000);
        const rank = (each: { fact: Triple; score: number }): number[] => [-each.score, -each.fact.validFrom];
        const inRank = [...wanted.values()]
          .map(rank)
          .toSorted(([a = 0, b = 0], [c = 0, d = 0]) => a - c || b - d);
        expect(all.map(rank)).toEqual(inRank);
        expect(found.map(rank)).toEqual(inRank.slice(0, limit));
        expect(new Map(all.map(({ fact, score }) => [fact.id, { fact, score }]))).toEqual(wanted);
      }),
      { numRuns: 300 },
    );
  });

  it('FACT-18: the words that name an entity do not count as a match with its facts', async () => {
    const store = new InMemoryKnowledgeStore(new InMemoryJobStore(), () => true);
    const graph = new ScopeGraph({ store, scope: 'user', clock: () => 10 });
    await graph.update((draft) => {
      draft.addMention('Robert Smith', mention(['m'], { aliases: ['Bob'] }));
      draft.graph.addTriple({ subject: 'Bob', predicate: 'likes', object: 'rum', validFrom: 1 });
      draft.graph.addTriple({ subject: 'Robert Smith', predicate: 'likes', object: 'tea', validFrom: 2 });
    });
    const rows = await graph.rows();
    for (const question of ['What does Bob like?', 'What does Robert Smith like?']) {
      const found = factsAbout(rows, resolveQuery(rows, parseQuery(question)), 5);
      expect(found.map(({ fact, score }) => [fact.object, score])).toEqual([
        ['tea', 2],
        ['rum', 2],
      ]);
    }
  });

  it('LRN-16: an extractor is given the newest 60 facts about the named entities, in the order added', async () => {
    const watch = watchedGraph();
    await fill(watch, 200);
    let given: ExtractionInput | undefined;
    const extractor: Extractor = {
      ...offlineExtractor(),
      extract: async (input) => {
        given = input;
        return { mentions: [], triples: [], unreadable: 0 };
      },
    };
    await learn(watch, extractor, turn('t', 'I am here.', 'Hello.'));
    const { graph } = await watch.graph.rows();
    const ofUser = graph.entityTriples('user').map(({ id }) => id);
    expect(ofUser.length).toBeGreaterThan(60);
    expect(given?.facts.map(({ id }) => id)).toEqual(ofUser.slice(-60));
  });
});

describe('a long text', () => {
  const SENTENCES = Array.from({ length: 200 }, (_, n) => `Person${n} Family${n} lives in Rome.`);
  const input = (text: string, signal?: AbortSignal): ExtractionInput => ({
    messages: [{ id: 'm', role: 'user', text, createdAt: 1e12 }],
    context: [],
    entities: [],
    facts: [],
    ...(signal ? { signal } : {}),
  });

  it('LRN-17: a long text is read with a pause after each sentence, with the same result', async () => {
    const extractor = offlineExtractor();
    await extractor.extract(input('Hello.'));
    const pauses = vi.spyOn(globalThis, 'MessageChannel');
    const { triples } = await extractor.extract(input(SENTENCES.join(' ')));
    expect(pauses.mock.calls.length).toBeGreaterThanOrEqual(200);
    const one = await Promise.all(SENTENCES.map((sentence) => extractor.extract(input(sentence))));
    expect(triples).toEqual(one.flatMap((each) => each.triples));
    expect(triples).toHaveLength(200);
    pauses.mockClear();
    const lines = SENTENCES.map((sentence) => `Human: ${sentence}`).join('\n');
    await extractor.summarize({ summary: '', newLines: lines });
    expect(pauses.mock.calls.length).toBeGreaterThanOrEqual(200);
  });

  it('LRN-18: an abort ends the work on a long text at the next sentence, and does not affect other texts', async () => {
    const extractor = offlineExtractor();
    await extractor.extract(input('Hello.'));
    const lines = SENTENCES.map((sentence) => `Human: ${sentence}`).join('\n');
    const other = extractor.extract(input('I live in Paris.'));
    const calls: ((signal: AbortSignal) => Promise<unknown>)[] = [
      (signal) => extractor.extract(input(SENTENCES.join(' '), signal)),
      (signal) => extractor.summarize({ summary: '', newLines: lines, signal }),
    ];
    for (const call of calls) {
      const pauses = vi.spyOn(globalThis, 'MessageChannel');
      const leaving = new AbortController();
      const reason = new Error('left');
      const work = call(leaving.signal);
      while (pauses.mock.calls.length <= 5) await nextTask();
      leaving.abort(reason);
      const before = pauses.mock.calls.length;
      await expect(work).rejects.toBe(reason);
      expect(pauses.mock.calls.length - before).toBeLessThanOrEqual(1);
      expect(before).toBeLessThan(200);
      vi.restoreAllMocks();
    }
    expect((await other).triples).toMatchObject([
      { subject: 'user', predicate: 'lives in', object: 'Paris' },
    ]);
  });
});
