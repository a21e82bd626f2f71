import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Embedder } from '../../../src/embedding/embedder.ts';
import { isFromWorker, PROTOCOL_VERSION, type MessageToWorker } from '../../../src/embedding/protocol.ts';
import { transformersEmbedder } from '../../../src/embedding/transformers-embedder.ts';

type Reply = (message: unknown) => void;

/** A worker on the page's own thread: it answers in the task in which it is asked. */
class FakeWorker extends EventTarget {
  isTerminated = false;
  readonly #answer: (message: MessageToWorker, reply: Reply) => void;

  constructor(answer: (message: MessageToWorker, reply: Reply) => void) {
    super();
    this.#answer = answer;
  }

  readonly reply: Reply = (data) => void this.dispatchEvent(new MessageEvent('message', { data }));

  postMessage(message: MessageToWorker): void {
    this.#answer(message, this.reply);
  }

  terminate(): void {
    this.isTerminated = true;
  }
}

type Answer = ConstructorParameters<typeof FakeWorker>[0];

const STARTED = { type: 'started', version: PROTOCOL_VERSION };

/** Answers a text with its length and 1. */
const vectorOf = (text: string): Float32Array => Float32Array.of(text.length, 1);

const good: Answer = (message, reply) => {
  if (message.type === 'load') {
    reply(STARTED);
    reply({ type: 'loaded', dimensions: 2 });
  }
  if (message.type === 'embed')
    reply({ type: 'embedded', batch: message.batch, vectors: message.texts.map(vectorOf) });
  if (message.type === 'vectors-search') reply({ type: 'vectors-found', search: message.search, hits: [] });
};

/** Loads as {@link good} does, and answers everything else as given. */
function afterLoading(answer: Answer): Answer {
  return (message, reply) => (message.type === 'load' ? good : answer)(message, reply);
}

const silent: Answer = () => undefined;

/** An embedder whose n-th worker gives the n-th answer, and later ones the last. */
function embedderOver(...answers: readonly Answer[]): { embedder: Embedder; workers: FakeWorker[] } {
  const workers: FakeWorker[] = [];
  const embedder = transformersEmbedder({
    timeoutMs: 30_000,
    worker: () => {
      const worker = new FakeWorker(answers[workers.length] ?? answers.at(-1) ?? silent);
      workers.push(worker);
      return worker as unknown as Worker;
    },
  });
  return { embedder, workers };
}

/** Returns the error code of a call, or `pending`, without waiting. */
function watch(call: Promise<unknown>): () => string {
  let state = 'pending';
  call.then(
    () => (state = 'resolved'),
    (error: { code: string }) => (state = error.code),
  );
  return () => state;
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a silent worker', () => {
  it('EMB-36: is terminated after the limit, and the next call starts a new one', async () => {
    const { embedder, workers } = embedderOver(afterLoading(silent), good);
    await embedder.ready();
    const calls = [embedder.embed(['a']), embedder.embed(['q'], { kind: 'query' })].map(watch);
    const search = watch(embedder.openVectors?.().search(vectorOf('a'), 1, {}) ?? Promise.resolve());
    await vi.advanceTimersByTimeAsync(29_999);
    expect([...calls, search].map((state) => state())).toEqual(['pending', 'pending', 'pending']);
    await vi.advanceTimersByTimeAsync(1);
    expect([...calls, search].map((state) => state())).toEqual(
      Array.from({ length: 3 }, () => 'worker-crashed'),
    );
    expect(workers.map(({ isTerminated }) => isTerminated)).toEqual([true]);
    expect(await embedder.embed(['abc'])).toEqual([vectorOf('abc')]);
    expect(workers).toHaveLength(2);
  });

  it('EMB-36: a search of vectors that is not answered counts as well', async () => {
    const { embedder } = embedderOver(afterLoading(silent));
    await embedder.ready();
    const search = watch(embedder.openVectors?.().search(vectorOf('a'), 1, {}) ?? Promise.resolve());
    await vi.advanceTimersByTimeAsync(30_000);
    expect(search()).toBe('worker-crashed');
  });

  it('EMB-36: from the start, is terminated after twice the limit with model-unavailable', async () => {
    const { embedder, workers } = embedderOver(silent, good);
    const calls = [embedder.ready(), embedder.embed(['a'])].map(watch);
    await vi.advanceTimersByTimeAsync(59_999);
    expect(calls.map((state) => state())).toEqual(['pending', 'pending']);
    await vi.advanceTimersByTimeAsync(1);
    expect(calls.map((state) => state())).toEqual(['model-unavailable', 'model-unavailable']);
    expect(workers[0]?.isTerminated).toBe(true);
    expect(await embedder.ready()).toEqual({ dimensions: 2 });
  });

  it('EMB-36: signs of life prolong the wait, and new requests do not', async () => {
    const { embedder, workers } = embedderOver(afterLoading(silent));
    await embedder.ready();
    const call = watch(embedder.embed(['a']));
    for (let sign = 0; sign < 5; sign++) {
      await vi.advanceTimersByTimeAsync(20_000);
      workers[0]?.reply({ type: 'working' });
    }
    expect(call()).toBe('pending');
    await vi.advanceTimersByTimeAsync(20_000);
    watch(embedder.embed(['b'], { kind: 'query' }));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(call()).toBe('worker-crashed');
  });

  it('EMB-36: has all the time that the caller allows, even more than a timer can wait', async () => {
    const worker = new FakeWorker(afterLoading(silent)) as unknown as Worker;
    const embedder = transformersEmbedder({ timeoutMs: Number.MAX_SAFE_INTEGER, worker: () => worker });
    await embedder.ready();
    const call = watch(embedder.embed(['a']));
    await vi.advanceTimersByTimeAsync(2 ** 31);
    expect(call()).toBe('pending');
    await embedder.close();
  });

  it('EMB-36: that owes nothing is left alone', async () => {
    const { embedder, workers } = embedderOver(good);
    await embedder.embed(['a']);
    await vi.advanceTimersByTimeAsync(600_000);
    expect(workers.map(({ isTerminated }) => isTerminated)).toEqual([false]);
    expect(vi.getTimerCount()).toBe(0);
  });
});

it.each([
  'https://chat.example/assets',
  'https://chat.example/assets/',
  'https://chat.example/assets?v=2',
  'https://chat.example/assets/?v=2#top',
  'https://chat.example/./assets/',
])('EMB-43: from %s, files are requested by the addresses at which they are checked', async (assetsUrl) => {
  const requests: unknown[] = [];
  const worker = new FakeWorker((message, reply) => {
    if (message.type === 'load') requests.push(message.request);
    good(message, reply);
  }) as unknown as Worker;
  const embedder = transformersEmbedder({ assetsUrl, worker: () => worker });
  await embedder.ready();
  expect(requests).toEqual([
    expect.objectContaining({
      wasmBaseUrl: 'https://chat.example/assets/',
      modelBaseUrl: 'https://chat.example/assets/models/',
    }),
  ]);
  await embedder.close();
});

const MALFORMED: readonly unknown[] = [
  undefined,
  null,
  'embedded',
  {},
  { type: 'toString' },
  { type: 'gibberish' },
  { type: 'embedded', batch: 1 },
  { type: 'embedded', batch: 1, vectors: [[1, 2]] },
  { type: 'embedded', batch: 1, vectors: [] },
  { type: 'embedded', batch: 1, vectors: [vectorOf('a'), vectorOf('a')] },
  { type: 'loaded', dimensions: -1 },
  { type: 'vectors-found', search: 0, hits: [{ id: 7, score: 1 }] },
  { type: 'progress', file: 'a' },
  { type: 'failed' },
];

it.each(MALFORMED.map((message) => [message]))(
  'EMB-37: after the malformed message %j, calls reject and a new worker serves',
  async (message) => {
    const { embedder, workers } = embedderOver(
      afterLoading((_message, reply) => reply(message)),
      good,
    );
    await embedder.ready();
    await expect(embedder.embed(['a'])).rejects.toMatchObject({ code: 'worker-crashed' });
    expect(workers[0]?.isTerminated).toBe(true);
    expect(await embedder.embed(['a'])).toEqual([vectorOf('a')]);
  },
);

it('EMB-37: whatever a worker sends, a message is accepted or refused, and nothing is thrown', () => {
  const types = fc.constantFrom('started', 'progress', 'loaded', 'embedded', 'vectors-found', 'failed');
  const message = fc.oneof(
    fc.anything(),
    fc.record(
      {
        type: types,
        version: fc.anything(),
        batch: fc.anything(),
        vectors: fc.anything(),
        hits: fc.anything(),
      },
      { requiredKeys: ['type'] },
    ),
  );
  fc.assert(fc.property(message, (data) => [true, false].includes(isFromWorker(data))));
});

it('EMB-37: a worker to which nothing can be sent rejects with a typed error', async () => {
  const refuse = (): never => {
    throw new DOMException('could not be cloned', 'DataCloneError');
  };
  const { embedder } = embedderOver(refuse, afterLoading(refuse), good);
  await expect(embedder.ready()).rejects.toMatchObject({ code: 'model-unavailable' });
  await embedder.ready();
  await expect(embedder.embed(['a'])).rejects.toMatchObject({ code: 'worker-crashed' });
  expect(await embedder.embed(['a'])).toEqual([vectorOf('a')]);
});

it.each([[undefined], [{}], [null]])(
  'EMB-10: %j instead of a worker is model-unavailable',
  async (worker) => {
    const embedder = transformersEmbedder({ worker: () => worker as unknown as Worker });
    await expect(embedder.ready()).rejects.toMatchObject({ code: 'model-unavailable' });
  },
);

it.each([
  ['not a number', Float32Array.of(Number.NaN, 1)],
  ['infinite', Float32Array.of(1, -Infinity)],
  ['only zeros', new Float32Array(2)],
  ['too short', Float32Array.of(1)],
  ['too long', Float32Array.of(1, 2, 3)],
  ['empty', new Float32Array(0)],
])('EMB-38: a vector that is %s is refused and not cached, and the others are kept', async (_, bad) => {
  let isBroken = true;
  const sent: string[] = [];
  const { embedder, workers } = embedderOver(
    afterLoading((message, reply) => {
      if (message.type !== 'embed') return;
      sent.push(...message.texts);
      const vectors = message.texts.map((text) => (isBroken && text === 'bad' ? bad : vectorOf(text)));
      reply({ type: 'embedded', batch: message.batch, vectors });
    }),
  );
  await expect(embedder.embed(['a', 'bad', 'bb'])).rejects.toMatchObject({ code: 'model-unavailable' });
  expect(await embedder.embed(['a', 'bb'])).toEqual([vectorOf('a'), vectorOf('bb')]);
  expect(sent).toEqual(['a', 'bad', 'bb']);
  isBroken = false;
  expect(await embedder.embed(['bad'])).toEqual([vectorOf('bad')]);
  expect(workers).toHaveLength(1);
});

describe('prefixes of a model', () => {
  /** What a worker is asked to embed for a question and a message. */
  async function readBy(options: Parameters<typeof transformersEmbedder>[0]): Promise<string[]> {
    const read: string[] = [];
    const embedder = transformersEmbedder({
      ...options,
      worker: () =>
        new FakeWorker((message, reply) => {
          if (message.type === 'embed') read.push(...message.texts);
          good(message, reply);
        }) as unknown as Worker,
    });
    await embedder.embed(['where?'], { kind: 'query' });
    await embedder.embed(['here', ''], { kind: 'document' });
    await embedder.close();
    return read;
  }

  it('EMB-71: a model of a known family gets its prefixes, and others what the options say', async () => {
    expect(await readBy({})).toEqual(['where.', 'here']);
    expect(await readBy({ model: 'Xenova/e5-small-v2' })).toEqual(['query: where?', 'passage: here']);
    expect(await readBy({ model: 'Xenova/multilingual-e5-small' })).toEqual([
      'query: where?',
      'passage: here',
    ]);
    expect(await readBy({ model: 'Xenova/all-MiniLM-L6-v2' })).toEqual(['where?', 'here']);
    expect(await readBy({ model: 'own/model', queryPrefix: 'Q ', documentPrefix: 'D ' })).toEqual([
      'Q where?',
      'D here',
    ]);
    expect(await readBy({ model: 'Xenova/e5-small-v2', queryPrefix: '', documentPrefix: '' })).toEqual([
      'where?',
      'here',
    ]);
  });

  it('EMB-71: the id of an embedder names its prefixes and pooling, because its vectors depend on them', () => {
    const idOf = (options: Parameters<typeof transformersEmbedder>[0]): string =>
      transformersEmbedder(options).id;
    expect(idOf({ model: 'Xenova/bge-small-en-v1.5' })).toContain('/int8/cls/');
    expect(idOf({ model: 'Xenova/all-MiniLM-L6-v2' })).toBe('Xenova/all-MiniLM-L6-v2/int8/mean');
    const plain = { model: 'Xenova/e5-small-v2', queryPrefix: '', documentPrefix: '' };
    expect(
      new Set([idOf({ model: plain.model }), idOf(plain), idOf({ ...plain, queryPrefix: 'x' })]).size,
    ).toBe(3);
  });
});
