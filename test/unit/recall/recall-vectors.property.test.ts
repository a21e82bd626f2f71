import { expect, it } from 'vitest';
import { VectorCollections, WorkerVectors } from '../../../src/embedding/worker-vectors.ts';
import { MnemoraError } from '../../../src/model/error.ts';
import { ScopeIndex } from '../../../src/recall/index/scope-index.ts';
import type { VectorSearch } from '../../../src/search/vector-search.ts';
import { storedVectors } from '../../fixtures/databases/stored-vectors.ts';
import { InMemoryTranscript } from '../../fixtures/in-memory-transcript.ts';
import { seededRandom } from '../../bench/recall/seeded-random.ts';

const SCOPE = 'user';

/** An embedder whose worker answers late, in order, and can be killed at any time. */
class MortalWorker {
  readonly id = 'model';
  #page: WorkerVectors | undefined;

  openVectors(): VectorSearch {
    this.#page ??= this.#start();
    return this.#page.open();
  }

  kill(): void {
    this.#page?.end(new MnemoraError('worker-crashed', 'It was killed.'));
    this.#page = undefined;
  }

  #start(): WorkerVectors {
    let delivered = Promise.resolve();
    const worker = new VectorCollections((message) => {
      if (message.type === 'vectors-found') page.found(message.search, message.hits);
    });
    const page = new WorkerVectors((message, transfer) => {
      const sent = structuredClone(message, { transfer });
      delivered = delivered.then(later).then(() => worker.receive(sent));
    });
    return page;
  }
}

/** Answers with what was there when it was asked, now and then late. */
function slowStore(random: () => number): InMemoryTranscript {
  const store = new InMemoryTranscript();
  const readVectors = store.search.readVectors.bind(store.search);
  const readChanges = store.search.readChanges.bind(store.search);
  const slowly = async <T>(answer: Promise<T>): Promise<T> => {
    const result = await answer;
    if (random() < 0.5) await later();
    return result;
  };
  store.search.readVectors = (...asked) => slowly(readVectors(...asked));
  store.search.readChanges = (...asked) => slowly(readChanges(...asked));
  return store;
}

const later = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

it('SRCH-20: search finds what is stored while tabs add, forget, embed, abort and lose their workers in any order', async () => {
  for (let seed = 1; seed <= 20; seed++) {
    const random = seededRandom(seed);
    const vector = (): Float32Array => {
      const values = Float32Array.from({ length: 4 }, () => random() - 0.5);
      return values.map((value) => value / Math.hypot(...values));
    };
    const store = slowStore(random);
    const embedder = new MortalWorker();
    const tabs = Array.from({ length: 3 }, () => new ScopeIndex(store.search, SCOPE, embedder));
    const ids = new Set<string>();
    const add = async (step: number): Promise<void> => {
      const sessionId = `s${step % 3}`;
      const messages = [{ role: 'user', content: `boat ${step}` } as const];
      const turn = { sessionId, scope: SCOPE, messages, state: 'complete', createdAt: step } as const;
      for (const id of (await store.append(turn)).messageIds) ids.add(id);
    };
    const forget = async (): Promise<void> => {
      const [messageId] = ids;
      if (messageId === undefined) return;
      ids.delete(messageId);
      await store.forget({ messageId }, SCOPE);
    };
    const embed = async (tab: ScopeIndex): Promise<void> => {
      const some = (await tab.withoutVector()).slice(0, 5);
      await store.search.appendVectors(
        embedder.id,
        SCOPE,
        some.map(({ id }) => ({ id, vector: vector() })),
      );
    };
    const giveUp = async (tab: ScopeIndex): Promise<void> => {
      const controller = new AbortController();
      const syncing = tab.sync(controller.signal);
      controller.abort();
      await syncing.catch(() => undefined);
    };
    const search = async (tab: ScopeIndex): Promise<void> => {
      await tab.nearest(vector(), {}, 200).catch((error: unknown) => {
        expect(error).toMatchObject({ code: 'worker-crashed' }); // killed twice within one search
      });
    };
    const underWay: Promise<void>[] = [];
    for (let step = 0; step < 60; step++) {
      const tab = tabs[step % 3] as ScopeIndex;
      const what = random();
      if (what < 0.3) underWay.push(add(step));
      else if (what < 0.4) underWay.push(forget());
      else if (what < 0.6) underWay.push(embed(tab));
      else if (what < 0.7) embedder.kill();
      else if (what < 0.85) underWay.push(search(tab));
      else underWay.push(what < 0.9 ? giveUp(tab) : tab.sync());
      if (random() < 0.5) await Promise.all(underWay.splice(0));
    }
    await Promise.all(underWay);
    for (const tab of tabs) {
      await tab.sync();
      const query = vector();
      const hits = await tab.nearest(query, {}, 200);
      const stored = new Map(
        (await storedVectors(store.search, SCOPE, embedder.id)).map((row) => [row.id, row.vector]),
      );
      expect(hits.map(({ id }) => id).toSorted()).toEqual([...stored.keys()].toSorted());
      for (const { id, score } of hits) {
        const cosine = stored.get(id)?.reduce((sum, value, at) => sum + value * (query[at] ?? 0), 0);
        expect(score).toBeCloseTo(cosine ?? NaN, 5);
      }
      const missing = (await tab.withoutVector()).map(({ id }) => id);
      expect(new Set([...missing, ...stored.keys()])).toEqual(ids);
    }
  }
});
