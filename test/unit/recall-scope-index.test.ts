import { describe, expect, it } from 'vitest';
import type { StoredMessage } from '../../src/model/message.ts';
import { ScopeIndex } from '../../src/recall/scope-index.ts';
import type { ScopeSnapshot } from '../../src/recall/scope-snapshot.ts';
import type { ChangeCursor, ChangeSet, TranscriptStore } from '../../src/storage/transcript-store.ts';

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

/** A store that gives one change set after the other, and says from where it was asked. */
function storeOf(...sets: ChangeSet[]): { store: TranscriptStore; asked: (ChangeCursor | undefined)[] } {
  const asked: (ChangeCursor | undefined)[] = [];
  const readChanges: TranscriptStore['readChanges'] = (_scope, _embedder, since) => {
    asked.push(since);
    return Promise.resolve(sets.shift() ?? { ...STATE, reset: false, messages: [], vectors: [] });
  };
  const saved = {
    loadIndex: async () => undefined,
    saveIndex: async () => undefined,
    readVectors: async () => STATE.vectors,
  };
  return { store: { ...saved, readChanges } as Partial<TranscriptStore> as TranscriptStore, asked };
}

async function indexOf(...sets: ChangeSet[]): Promise<ScopeIndex> {
  const index = new ScopeIndex(storeOf(...sets).store, 'scope', { id: 'model' });
  for (const _ of sets) await index.sync();
  return index;
}

const ask = async (index: ScopeIndex): Promise<unknown> => {
  const similar = await index.nearest(Float32Array.of(1, 2, 0), {});
  return index.search('When did Ada take the ferry to Elba?', similar, () => true, NOW);
};

describe('ScopeIndex', () => {
  it('K79: restored from a snapshot it ranks as before, and reads only what came after', async () => {
    const index = await indexOf(STATE);
    const snapshot = structuredClone(index.toSnapshot() as ScopeSnapshot);
    const { store, asked } = storeOf();
    const restored = new ScopeIndex(store, 'scope', { id: 'model' });
    restored.restore(snapshot);
    await restored.sync();
    expect(asked).toEqual([REVISION]);
    expect(await ask(restored)).toEqual(await ask(index));
    expect(restored.get('m2')).toEqual(index.get('m2'));
    expect(restored.toSnapshot()).toEqual(snapshot);
    expect(await restored.withoutVector()).toEqual([]);
  });

  it('K79: before the first sync there is no snapshot, and a damaged one changes nothing', async () => {
    const index = new ScopeIndex(storeOf(STATE).store, 'scope', { id: 'model' });
    expect(index.toSnapshot()).toBeUndefined();
    const good = (await indexOf(STATE)).toSnapshot() as ScopeSnapshot;
    const { messages, conversations } = good;
    const bad = [
      { ...good, version: 9 as never },
      { ...good, messages: { ...messages, turns: messages.turns.map(() => 99) } },
      { ...good, messages: { ...messages, createdAt: messages.createdAt.slice(1) } },
      { ...good, messages: { ...messages, names: new Uint8Array() } },
      { ...good, conversations: { ...conversations, orders: conversations.orders.map(() => NaN) } },
    ];
    for (const snapshot of bad) {
      expect(() => index.restore(snapshot)).toThrow(expect.objectContaining({ code: 'invalid-input' }));
      expect(index.get('m0')).toBeUndefined();
    }
    await index.sync();
    expect(await ask(index)).toEqual(await ask(await indexOf(STATE)));
  });

  it('K80: a snapshot holds nothing of what was forgotten, the name of its speaker included', async () => {
    const gone: ChangeSet = { ...STATE, reset: false, messages: [], vectors: [], removed: ['m9'] };
    const secret: ChangeSet = {
      ...gone,
      removed: [],
      messages: [{ ...message(9, 'swordfish', 'Mallory'), sessionId: 'hidden' }],
    };
    const snapshot = (await indexOf(STATE, secret, gone)).toSnapshot();
    expect(snapshot).toEqual((await indexOf(STATE)).toSnapshot());
  });
});
