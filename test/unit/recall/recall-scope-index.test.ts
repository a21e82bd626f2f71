import { describe, expect, it, vi } from 'vitest';
import type { StoredMessage } from '../../../src/model/message.ts';
import { CANDIDATES, rankMessages } from '../../../src/recall/rank/rank-messages.ts';
import { ScopeIndex, type IndexedRows } from '../../../src/recall/index/scope-index.ts';
import type { ChangeCursor } from '../../../src/storage/change-log.ts';
import type { ChangeSet, NewPart, SavedPart } from '../../../src/storage/search-rows.ts';

const NOW = Date.UTC(2024, 0, 1);
const REVISION: ChangeCursor = { generation: 'g', revision: 7 };

function message(seq: number, content: string, name?: string): StoredMessage {
  return {
    role: 'user',
    content,
    ...(name === undefined ? {} : { name }),
    id: `m${seq}`,
    sessionId: `s${seq % 2}`,
    turnId: `t${seq}`,
    seq,
    turn: seq,
    createdAt: NOW + seq,
    state: 'complete',
  };
}

const TEXTS = [
  'The ferry left at dawn.',
  'Ada is late.',
  'Which ferry?',
  'The one to Elba.',
  'Elba is small.',
];
const STATE: ChangeSet = {
  cursor: REVISION,
  reset: true,
  messages: TEXTS.map((text, seq) => message(seq, text, seq % 2 === 0 ? 'Ada' : undefined)),
  removed: [],
  vectors: TEXTS.map((_, seq) => ({ id: `m${seq}`, vector: Float32Array.of(1, seq, 0) })),
};

const NOTHING: ChangeSet = { cursor: REVISION, reset: false, messages: [], removed: [], vectors: [] };

interface FakeStore {
  store: IndexedRows;
  /** From where changes were asked for. */
  asked: (ChangeCursor | undefined)[];
  saved: (readonly NewPart[])[];
}

/** A store that gives one change set after the other, the first with what is saved; and says what it was asked. */
function storeOf(sets: readonly ChangeSet[], parts: SavedPart[] = []): FakeStore {
  const left = [...sets];
  const asked: (ChangeCursor | undefined)[] = [];
  const saved: (readonly NewPart[])[] = [];
  const next = (): ChangeSet => left.shift() ?? NOTHING;
  const store: IndexedRows = {
    loadIndex: async () => ({ parts, changes: next() }),
    readChanges: async (_scope, _embedder, since) => {
      asked.push(since);
      return next();
    },
    saveIndex: async (_scope, written, { to }) => {
      saved.push(written);
      return to;
    },
    readVectors: async (_scope, _embedder, take) => take(STATE.vectors),
  };
  return { store, asked, saved };
}

async function indexOf(...sets: ChangeSet[]): Promise<ScopeIndex> {
  const index = new ScopeIndex(storeOf(sets).store, 'scope', { id: 'model' });
  for (const _ of sets) await index.sync();
  return index;
}

/** The state and as many other messages that it is worth saving. */
const MANY: ChangeSet = {
  ...STATE,
  messages: [...STATE.messages, ...Array.from({ length: 300 }, (_, at) => message(at + 100, `Wave ${at}.`))],
};

/** What is saved of some changes, as the store would give it. */
async function savedOf(...sets: ChangeSet[]): Promise<SavedPart[]> {
  const { store, saved } = storeOf(sets);
  const index = new ScopeIndex(store, 'scope', undefined);
  for (const _ of sets) await index.sync();
  await index.settled();
  return saved.flat().map((part) => ({ ...structuredClone(part), cursor: REVISION }));
}

const ask = async (index: ScopeIndex): Promise<unknown> => {
  const similar = await index.nearest(Float32Array.of(1, 2, 0), {}, CANDIDATES);
  return rankMessages(index.rankingInput('When did Ada take the ferry to Elba?', similar, () => true));
};

describe('ScopeIndex', () => {
  it('IDX-1: an index opened from its saved segments ranks as before and reads only newer messages', async () => {
    const index = await indexOf(MANY);
    const parts = await savedOf(MANY);
    const { store, asked, saved } = storeOf([], parts);
    const opened = new ScopeIndex(store, 'scope', { id: 'model' });
    await opened.sync();
    expect(asked).toEqual([]);
    expect(await ask(opened)).toEqual(await ask(index));
    expect(opened.get('m2')).toEqual(index.get('m2'));
    expect((await opened.withoutVector()).map(({ id }) => id)).not.toContain('m0');
    await opened.sync();
    await opened.settled();
    expect(asked).toEqual([REVISION]);
    expect(saved).toEqual([]);
  });

  it('IDX-18: an abort while the saved index is loaded does not lose it', async () => {
    const index = await indexOf(MANY);
    const { store, asked, saved } = storeOf([], await savedOf(MANY));
    const abort = new AbortController();
    const loadIndex: IndexedRows['loadIndex'] = async (...args) => {
      const loaded = await store.loadIndex(...args);
      abort.abort(new Error('typed on'));
      return loaded;
    };
    const opened = new ScopeIndex({ ...store, loadIndex }, 'scope', { id: 'model' });
    await expect(opened.sync(abort.signal)).rejects.toThrow('typed on');
    await opened.sync();
    expect(asked).toEqual([]);
    expect(await ask(opened)).toEqual(await ask(index));
    await opened.settled();
    expect(saved).toEqual([]);
  });

  it('IDX-1: damaged segments and those of another version or analyzer are ignored and saved again', async () => {
    const [good] = await savedOf(MANY);
    if (!good) throw new Error('Nothing was saved.');
    const { segment } = good;
    const { properties } = segment;
    const bad: SavedPart[] = [
      { ...good, analyzer: 'another' },
      { ...good, segment: { ...segment, version: 9 } },
      { ...good, segment: { ...segment, postings: segment.postings.map(() => 1) } },
      ...[
        { ...properties, orders: { ...properties.orders, base: 9 } },
        { ...properties, hashes: { ...properties.hashes, numbers: properties.hashes.numbers.map(() => 1) } },
      ].map((damaged) => ({ ...good, segment: { ...segment, properties: damaged } })),
      { ...good, segment: {} as never },
    ];
    for (const part of bad) {
      const { store, asked, saved } = storeOf([NOTHING, MANY], [good, part]);
      const index = new ScopeIndex(store, 'scope', { id: 'model' });
      await index.sync();
      expect(asked).toEqual([undefined]);
      expect(await ask(index)).toEqual(await ask(await indexOf(MANY)));
      await index.settled();
      expect(saved.flat()).toEqual([{ analyzer: good.analyzer, segment: good.segment }]);
    }
  });

  it("IDX-2: the saved index contains nothing of forgotten messages, not even their speakers' names", async () => {
    const secret: ChangeSet = {
      ...NOTHING,
      messages: [{ ...message(9, 'swordfish', 'Mallory'), sessionId: 'hidden' }],
    };
    const gone: ChangeSet = { ...MANY, reset: false, removed: ['m9'] };
    expect(await savedOf({ ...STATE, messages: [] }, secret, gone)).toEqual(
      await savedOf({ ...STATE, messages: [] }, { ...MANY, reset: false }),
    );
  });

  it('IDX-8: the index is saved after 128 messages or 1,024 changes, and twice as many after a failed save', async () => {
    const changesOf = (from: number, count: number, revision: number): ChangeSet => ({
      ...NOTHING,
      cursor: { ...REVISION, revision },
      messages: Array.from({ length: count }, (_, at) => message(from + at, `Wave ${at}.`)),
    });
    const sets = [
      { ...changesOf(0, 127, 1), reset: true },
      changesOf(127, 1, 2),
      changesOf(128, 127, 3),
      changesOf(255, 0, 1025),
      changesOf(255, 0, 1026),
      changesOf(255, 128, 1027),
      changesOf(383, 127, 1028),
      changesOf(510, 1, 1029),
    ];
    const { store, saved } = storeOf(sets);
    const save = store.saveIndex.bind(store);
    let tries = 0;
    store.saveIndex = async (scope, parts, span) => {
      tries += 1;
      if (span.to.revision === 1027) throw new Error('The disk is full.');
      return save(scope, parts, span);
    };
    const index = new ScopeIndex(store, 'scope', undefined);
    const sizes: number[] = [];
    for (const _ of sets) {
      await index.sync();
      await index.settled();
      sizes.push(saved.flat().reduce((sum, { segment }) => sum + segment.ids.length, 0));
    }
    expect(sizes).toEqual([0, 128, 128, 128, 255, 255, 255, 511]);
    expect(tries).toBe(4);
  });

  it('IDX-14: a first save that was refused because of an erasure is repeated with everything', async () => {
    const { store, saved } = storeOf([
      MANY,
      { ...NOTHING, cursor: { ...REVISION, revision: 8 }, removed: ['m100'] },
    ]);
    const save = store.saveIndex.bind(store);
    const old = { ...REVISION, revision: 3 };
    const spans: unknown[] = [];
    store.saveIndex = async (scope, parts, span) => {
      spans.push(span.from);
      return span.to.revision === 7 ? old : save(scope, parts, span);
    };
    const index = new ScopeIndex(store, 'scope', undefined);
    for (let sync = 0; sync < 2; sync++) {
      await index.sync();
      await index.settled();
    }
    expect(spans).toEqual([undefined, undefined]);
    expect(saved.flat().flatMap(({ segment }) => segment.ids)).toHaveLength(MANY.messages.length - 1);
  });

  it('IDX-14: everything is saved again if the saved index is gone or was restarted with less, and nothing that is already saved', async () => {
    const changesOf = (from: number, count: number, revision: number): ChangeSet => ({
      ...NOTHING,
      cursor: { ...REVISION, revision },
      messages: Array.from({ length: count }, (_, at) => message(from + at, `Wave ${at}.`)),
    });
    const answers = [
      [{ ...REVISION, revision: 11 }, 1, 'others know as much as this tab'],
      [{ ...REVISION, revision: 10 }, 129, 'others know what this tab has read before'],
      [{ ...REVISION, revision: 9 }, 257, 'others know less than was saved'],
      [{ ...REVISION, generation: 'another' }, 257, 'what is saved is of another database'],
      [undefined, 257, 'nothing is saved'],
    ] as const;
    for (const [answer, size, why] of answers) {
      const sets = [
        { ...changesOf(0, 128, 10), reset: true },
        changesOf(128, 128, 11),
        changesOf(256, 1, 2000),
      ];
      const { store, saved } = storeOf(sets);
      const save = store.saveIndex.bind(store);
      const spans: unknown[] = [];
      store.saveIndex = async (scope, parts, span) => {
        spans.push(span.from);
        return span.to.revision === 11 ? answer : save(scope, parts, span);
      };
      const index = new ScopeIndex(store, 'scope', undefined);
      for (const _ of sets) {
        await index.sync();
        await index.settled();
      }
      expect(saved).toHaveLength(2);
      const ids = saved[1]?.flatMap(({ segment }) => segment.ids);
      expect([why, ids?.length]).toEqual([why, size]);
      const goesOn = answer?.generation === REVISION.generation && answer.revision >= 10;
      expect(spans).toEqual([undefined, { ...REVISION, revision: 10 }, goesOn ? answer : undefined]);
    }
  });

  it('IDX-15: an index saved again as a whole is not written again by every sync', async () => {
    const later = { ...REVISION, revision: 8 };
    const nothing = { ...NOTHING, cursor: later };
    const sets = [MANY, { ...MANY, reset: false, cursor: later }, nothing, nothing, nothing, nothing];
    const { store, saved } = storeOf(sets);
    const save = store.saveIndex.bind(store);
    store.saveIndex = async (scope, parts, span) => {
      await save(scope, parts, span);
      return span.from ? { ...REVISION, revision: 1 } : span.to; // another tab has begun again
    };
    const index = new ScopeIndex(store, 'scope', undefined);
    for (const _ of sets) {
      await index.sync();
      await index.settled();
    }
    const sizes = saved.map((parts) => parts.flatMap(({ segment }) => segment.ids).length);
    expect(sizes).toEqual([305, 305, 305]); // the first time, refused, and again as a whole
  });

  it('IDX-8: after a failed save, 1,024 changes do not trigger another at once either', async () => {
    const upTo = (revision: number): ChangeSet => ({ ...NOTHING, cursor: { ...REVISION, revision } });
    const sets = [MANY, upTo(1031), upTo(1032), upTo(2054), upTo(2055), upTo(2056)];
    const { store } = storeOf(sets);
    const tries: number[] = [];
    store.saveIndex = async (_scope, _parts, { from, to }) => {
      tries.push(to.revision);
      if (from) throw new Error('The disk is full.');
      return to;
    };
    const index = new ScopeIndex(store, 'scope', undefined);
    for (const _ of sets) {
      await index.sync();
      await index.settled();
    }
    expect(tries).toEqual([7, 1031, 2055]);
  });

  it('IDX-16: an index rebuilt while its save waits is saved in its old or its new state', async () => {
    const all = [...MANY.messages, message(900, 'A late wave.')];
    const later = { ...REVISION, revision: 9 };
    const sets = [MANY, { ...MANY, cursor: later, messages: all }, { ...NOTHING, cursor: later }];
    const { store } = storeOf(sets);
    const savedIds = new Map<number, Set<string>>();
    store.saveIndex = async (_scope, parts, { from, to }) => {
      const before = from ? (savedIds.get(from.revision) ?? []) : [];
      savedIds.set(to.revision, new Set([...before, ...parts.flatMap((part) => part.segment.ids)]));
      return to;
    };
    const index = new ScopeIndex(store, 'scope', undefined);
    await Promise.all([index.sync(), index.sync()]);
    await index.settled();
    await index.sync();
    await index.settled();
    expect(Array.from(savedIds, ([revision, ids]) => [revision, ids.size])).toEqual([
      [7, MANY.messages.length],
      [9, all.length],
    ]);
  });

  it('IDX-17: a scope is indexed in slices with pauses, and search uses the previous index meanwhile', async () => {
    const many: ChangeSet = {
      ...STATE,
      messages: Array.from({ length: 1000 }, (_, seq) => message(seq, `Elba ${seq}`)),
    };
    const { store } = storeOf([STATE, many]);
    const index = new ScopeIndex(store, 'scope', undefined);
    const idsFound = (): string[] =>
      rankMessages(index.rankingInput('Elba', [], () => true)).map((hit) => hit.id);
    await index.sync();
    const before = idsFound();
    const pauses = vi.spyOn(globalThis, 'MessageChannel');
    const seen: string[][] = [];
    const syncing = index.sync().then(() => 'done');
    const soon = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
    while ((await Promise.race([syncing, soon()])) !== 'done') seen.push(idsFound());
    expect(pauses).toHaveBeenCalledTimes(4);
    pauses.mockRestore();
    expect(seen[0]).toEqual(before);
    expect(seen.every((ids) => ids.length === before.length || ids.length > 100)).toBe(true);
    expect(idsFound().length).toBeGreaterThan(100);
  });
});

it('GATE-39: a short form of a speaker names them where it is written as a name', async () => {
  const messages = [message(0, 'Hello.', 'Robert'), message(1, 'Hi.', 'Bo')];
  const index = await indexOf({ ...STATE, messages, vectors: [] });
  const named = (terms: readonly string[], names: readonly string[] = terms): string[] =>
    index.speakersAmong(new Set(terms), names);
  expect(named(['rob', 'boat'], ['rob'])).toEqual(['rob']);
  expect(named(['bo', 'rob'])).toEqual(['rob', 'bo']);
  expect(named(['rob', 'boat'], [])).toEqual([]);
  expect(named(['ro', 'bert', 'robin', 'bob'])).toEqual([]);
});
