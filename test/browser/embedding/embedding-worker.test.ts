import { expect, it, onTestFinished } from 'vitest';
import type { Embedder } from '../../../src/embedding/embedder.ts';
import { PROTOCOL_VERSION, type MessageToWorker } from '../../../src/embedding/protocol.ts';
import { transformersEmbedder } from '../../../src/embedding/transformers-embedder.ts';

const ASSETS = new URL('/mnemora-assets/', location.origin).href;

/** Answers as the worker does: the vector of a text is its length. */
const GOOD = `
  const send = (message) => postMessage(message);
  const load = () => { send({ type: 'started', version: ${PROTOCOL_VERSION} }); send({ type: 'loaded', dimensions: 1 }); };
  const answer = ({ batch, texts }) => send({ type: 'embedded', batch, vectors: texts.map((text) => Float32Array.of(text.length)) });
  onmessage = ({ data }) => { if (data.type === 'load') load(); if (data.type === 'embed') answer(data); };`;

interface Watched {
  embedder: Embedder;
  sent: MessageToWorker[];
  texts(): string[];
  workers: number;
}

/** An embedder over scripted workers: the n-th worker runs the n-th script, later ones the last. */
function scripted(
  scripts: readonly string[],
  options: { batchSize?: number; cacheSize?: number } = {},
): Watched {
  const watched: Watched = {
    sent: [],
    workers: 0,
    texts: () => watched.sent.flatMap((message) => (message.type === 'embed' ? [...message.texts] : [])),
    embedder: transformersEmbedder({
      ...options,
      assetsUrl: ASSETS,
      worker: () => {
        const script = scripts[watched.workers] ?? scripts.at(-1) ?? '';
        watched.workers += 1;
        const worker = new Worker(URL.createObjectURL(new Blob([script], { type: 'text/javascript' })));
        const post = worker.postMessage.bind(worker);
        worker.postMessage = (message: MessageToWorker): void => {
          watched.sent.push(message);
          post(message);
        };
        return worker;
      },
    }),
  };
  onTestFinished(() => watched.embedder.close());
  return watched;
}

/** Does not answer before it is told to. */
function slow(start: Start): string {
  return `${GOOD}
    let held = [];
    let open = false;
    onmessage = ({ data }) => {
      if (data.type === 'load') load();
      if (data.type === 'embed') { if (open) answer(data); else held.push(data); }
      if (data.type === 'cancel') { held = held.filter(({ batch }) => batch !== data.batch); send({ type: 'embedded', batch: data.batch, vectors: [] }); }
    };
    ${start.awaitedBy('() => { open = true; held.forEach(answer); held = []; }')}`;
}

/** What a scripted worker waits for. */
interface Start {
  /** The script that has a function called, by its source. */
  awaitedBy(source: string): string;
  give(): Promise<void>;
}

/** A channel hears nothing before the browser knows of it, so the worker says when that is so. */
function newStart(): Start {
  const channel = new BroadcastChannel(crypto.randomUUID());
  onTestFinished(() => channel.close());
  const isAwaited = new Promise((resolve) => channel.addEventListener('message', resolve, { once: true }));
  return {
    awaitedBy: (source) => `
      const start = new BroadcastChannel(${JSON.stringify(channel.name)});
      start.onmessage = ${source};
      start.postMessage('awaited');`,
    give: async () => {
      await isAwaited;
      channel.postMessage('go');
    },
  };
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 1));
}

const lengths = (vectors: readonly Float32Array[]): (number | undefined)[] => vectors.map(([first]) => first);

it('EMB-13: creating an embedder starts no worker, and the first use starts one', async () => {
  const { embedder, ...rest } = scripted([GOOD]);
  const watched = { ...rest, embedder };
  expect(watched.sent).toEqual([]);
  await Promise.all([embedder.ready(), embedder.ready(), embedder.embed(['a'])]);
  expect(watched.sent.filter(({ type }) => type === 'load').length).toBe(1);
});

it('EMB-2: vectors are returned in the order of the texts, regardless of batches', async () => {
  const watched = scripted([GOOD], { batchSize: 3 });
  const texts = Array.from({ length: 20 }, (_, index) => 'x'.repeat(((index * 7) % 20) + 1));
  expect(lengths(await watched.embedder.embed(texts))).toEqual(texts.map((text) => text.length));
  const batches = watched.sent.flatMap((message) => (message.type === 'embed' ? [message.texts.length] : []));
  expect(batches).toEqual([3, 3, 3, 3, 3, 3, 2]);
});

it('EMB-3: a text without visible characters gives zeros and is not sent', async () => {
  const watched = scripted([GOOD]);
  const vectors = await watched.embedder.embed(['', ' \n\t', 'abc', '\u200b']);
  expect(lengths(vectors)).toEqual([0, 0, 3, 0]);
  expect(watched.texts()).toEqual(['abc']);
});

it('EMB-4: a repeated text is sent to the worker once', async () => {
  const watched = scripted([GOOD]);
  const both = [watched.embedder.embed(['aa', 'b', 'aa', 'a\na']), watched.embedder.embed(['aa', 'a a'])];
  expect((await Promise.all(both)).map(lengths)).toEqual([
    [2, 1, 2, 3],
    [2, 3],
  ]);
  await watched.embedder.embed(['b', 'aa']);
  expect(watched.texts().sort()).toEqual(['a a', 'aa', 'b']);
});

it('EMB-4: the cache is bounded', async () => {
  const watched = scripted([GOOD], { cacheSize: 2 });
  await watched.embedder.embed(['a', 'b', 'c']);
  await watched.embedder.embed(['c', 'b']);
  expect(watched.texts()).toEqual(['a', 'b', 'c']);
  await watched.embedder.embed(['a']);
  expect(watched.texts()).toEqual(['a', 'b', 'c', 'a']);
});

it('EMB-5: changing a returned vector does not affect other callers', async () => {
  const { embedder } = scripted([GOOD]);
  const [first, twin] = await embedder.embed(['abc', 'abc']);
  first?.fill(99);
  expect(lengths([twin ?? first ?? new Float32Array()])).toEqual([3]);
  expect(lengths(await embedder.embed(['abc']))).toEqual([3]);
});

it('EMB-7: an abort while loading rejects only the caller that aborted', async () => {
  const loading = newStart();
  const late = `${GOOD}
    onmessage = ({ data }) => { if (data.type === 'embed') answer(data); };
    ${loading.awaitedBy('load')}
    postMessage({ type: 'progress', file: 'a', loadedBytes: 1 });`;
  const watched = scripted([late]);
  const controller = new AbortController();
  const told = new Promise<void>((resolve) => {
    void watched.embedder.ready({ onProgress: () => resolve() });
  });
  const aborted = watched.embedder.ready({ signal: controller.signal });
  const embedding = watched.embedder.embed(['abc']);
  await told;
  const reason = new Error('no longer wanted');
  controller.abort(reason);
  await expect(aborted).rejects.toBe(reason);
  await loading.give();
  expect(lengths(await embedding)).toEqual([3]);
  expect(watched.workers).toBe(1);
  await expect(watched.embedder.ready({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});

it('EMB-8: an aborted call rejects and its texts are dropped, while other callers are served', async () => {
  const answering = newStart();
  const watched = scripted([slow(answering)], { batchSize: 2 });
  await watched.embedder.ready();
  const controller = new AbortController();
  const aborted = watched.embedder.embed(['a', 'bb', 'ccc', 'dddd'], { signal: controller.signal });
  const other = watched.embedder.embed(['ccc', 'eeeee']);
  await until(() => watched.texts().length === 2);
  controller.abort();
  await expect(aborted).rejects.toMatchObject({ name: 'AbortError' });
  await until(() => watched.texts().length > 2);
  await answering.give();
  expect(lengths(await other)).toEqual([3, 5]);
  expect(watched.sent).toContainEqual({ type: 'cancel', batch: 1 });
  expect(watched.texts()).toEqual(['a', 'bb', 'ccc', 'eeeee']);
  await expect(watched.embedder.embed(['z'], { signal: AbortSignal.abort() })).rejects.toMatchObject({
    name: 'AbortError',
  });
  expect(watched.texts()).not.toContain('z');
});

it('EMB-23: a query interrupts a batch of documents, which is continued afterwards', async () => {
  const answering = newStart();
  const watched = scripted([slow(answering)], { batchSize: 4 });
  await watched.embedder.ready();
  const documents = watched.embedder.embed(['a', 'bb', 'ccc', 'dddd', 'eeeee']);
  await until(() => watched.texts().length === 4);
  const question = watched.embedder.embed(['question'], { kind: 'query' });
  await until(() => watched.texts().length === 5); // the scripted worker has embedded nothing of the first batch
  await answering.give();
  expect(lengths(await question)).toEqual([8]);
  expect(lengths(await documents)).toEqual([1, 2, 3, 4, 5]);
  expect(watched.sent.filter(({ type }) => type === 'cancel')).toEqual([{ type: 'cancel', batch: 1 }]);
  expect(watched.texts().slice(4)).toEqual(['question', 'a', 'bb', 'ccc', 'dddd', 'eeeee']);
});

it('EMB-23: the real worker answers a query after at most one more text of a batch', async () => {
  const embedder = transformersEmbedder({ assetsUrl: ASSETS, batchSize: 200 });
  onTestFinished(() => embedder.close());
  await embedder.ready();
  const done: string[] = [];
  const texts = Array.from({ length: 200 }, (_, index) => `Sentence number ${index} of a long document.`);
  const documents = embedder.embed(texts).then(() => done.push('documents'));
  const question = embedder.embed(['Where?'], { kind: 'query' }).then(() => done.push('question'));
  await Promise.all([documents, question]);
  expect(done).toEqual(['question', 'documents']);
});

it('EMB-8: the real worker stops a canceled batch between two texts', async () => {
  const sent: MessageToWorker[] = [];
  const answers: number[] = [];
  const embedder = transformersEmbedder({
    assetsUrl: ASSETS,
    batchSize: 1000,
    worker: () => {
      const worker = new Worker(`${ASSETS}embedding-worker.js`, { type: 'module' });
      const post = worker.postMessage.bind(worker);
      worker.postMessage = (message: MessageToWorker): void => {
        sent.push(message);
        post(message);
      };
      worker.addEventListener('message', ({ data }) => {
        if (data.type === 'embedded') answers.push(data.vectors.length);
      });
      return worker;
    },
  });
  onTestFinished(() => embedder.close());
  await embedder.ready();
  const controller = new AbortController();
  const texts = Array.from({ length: 1000 }, (_, index) => `Sentence number ${index} of a long document.`);
  const aborted = embedder.embed(texts, { signal: controller.signal });
  await until(() => sent.some(({ type }) => type === 'embed'));
  controller.abort();
  await expect(aborted).rejects.toMatchObject({ name: 'AbortError' });
  await embedder.embed(['next']);
  expect(answers.length).toBe(2);
  expect(answers[0]).toBeLessThan(1000);
  expect(answers[1]).toBe(1);
});

const DEATHS: readonly (readonly [string, string])[] = [
  [
    'throws',
    `${GOOD} onmessage = ({ data }) => { if (data.type === 'load') load(); else throw new Error('broken'); };`,
  ],
  [
    'reports a failure',
    `${GOOD} onmessage = ({ data }) => { if (data.type === 'load') load(); else send({ type: 'failed', reason: 'out of memory' }); };`,
  ],
  [
    'closes itself',
    `${GOOD}
      const lifeLock = crypto.randomUUID();
      const start = () => navigator.locks.request(lifeLock, () => {
        send({ type: 'started', version: ${PROTOCOL_VERSION}, lifeLock });
        send({ type: 'loaded', dimensions: 1 });
        return new Promise(() => {});
      });
      onmessage = ({ data }) => { if (data.type === 'load') start(); else close(); };`,
  ],
];

it.each(DEATHS)(
  'EMB-9: a worker that %s rejects every pending call, and the next call starts a new one',
  async (_, script) => {
    const watched = scripted([script, GOOD], { batchSize: 1 });
    await watched.embedder.ready();
    const calls = [
      watched.embedder.embed(['a', 'bb']),
      watched.embedder.embed(['ccc']),
      watched.embedder.embed(['a']),
      watched.embedder.embed(['q'], { kind: 'query' }),
    ];
    const results = await Promise.allSettled(calls);
    expect(results.map((result) => result.status === 'rejected' && result.reason.code)).toEqual(
      Array.from({ length: 4 }, () => 'worker-crashed'),
    );
    expect(lengths(await watched.embedder.embed(['bb']))).toEqual([2]);
    expect(watched.workers).toBe(2);
  },
);

it('EMB-9: a worker that dies while loading rejects everybody who waits for it', async () => {
  const dying = `postMessage({ type: 'started', version: ${PROTOCOL_VERSION} }); setTimeout(() => { throw new Error('broken'); });`;
  const { embedder } = scripted([dying]);
  const results = await Promise.allSettled([embedder.ready(), embedder.ready(), embedder.embed(['a'])]);
  expect(results.map((result) => result.status === 'rejected' && result.reason.code)).toEqual([
    'worker-crashed',
    'worker-crashed',
    'worker-crashed',
  ]);
});

it('EMB-9: it is noticed when the real worker closes itself', async () => {
  const script = `import ${JSON.stringify(`${ASSETS}embedding-worker.js`)};
    addEventListener('message', ({ data }) => { if (data.type === 'embed') close(); });`;
  const url = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
  const embedder = transformersEmbedder({
    assetsUrl: ASSETS,
    worker: () => new Worker(url, { type: 'module' }),
  });
  onTestFinished(() => embedder.close());
  await embedder.ready();
  await expect(embedder.embed(['a', 'b'])).rejects.toMatchObject({ code: 'worker-crashed' });
});

it('EMB-10: a worker that cannot be started rejects with model-unavailable, and a later call tries again', async () => {
  const missing = transformersEmbedder({ assetsUrl: '/mnemora-assets/nowhere/' });
  await expect(missing.ready()).rejects.toMatchObject({ code: 'model-unavailable' });
  await expect(missing.embed(['a'])).rejects.toMatchObject({ code: 'model-unavailable' });

  const foreign = transformersEmbedder({ assetsUrl: 'https://example.invalid/assets/' });
  await expect(foreign.ready()).rejects.toMatchObject({
    code: 'model-unavailable',
    message: expect.stringContaining('different origin'),
  });

  const failing = scripted([`postMessage({ type: 'failed', reason: 'no such file' })`, GOOD]);
  await expect(failing.embedder.ready()).rejects.toMatchObject({
    code: 'model-unavailable',
    message: expect.stringContaining('no such file'),
  });
  expect(await failing.embedder.ready()).toEqual({ dimensions: 1 });

  const throwing = transformersEmbedder({
    assetsUrl: ASSETS,
    worker: () => {
      throw new Error('not today');
    },
  });
  await expect(throwing.ready()).rejects.toMatchObject({ code: 'model-unavailable' });
});

it('EMB-18: a worker with another protocol version is rejected', async () => {
  const { embedder } = scripted([`postMessage({ type: 'started', version: ${PROTOCOL_VERSION + 1} })`]);
  await expect(embedder.ready()).rejects.toMatchObject({
    code: 'model-unavailable',
    message: expect.stringContaining('protocol'),
  });
});

it('EMB-11: closing rejects pending and later calls', async () => {
  const answering = newStart();
  const watched = scripted([slow(answering)]);
  await watched.embedder.ready();
  const pending = [watched.embedder.embed(['a']), watched.embedder.embed(['b'])];
  await until(() => watched.texts().length > 0);
  const results = Promise.allSettled(pending);
  await watched.embedder.close();
  expect((await results).map((result) => result.status === 'rejected' && result.reason.code)).toEqual([
    'model-unavailable',
    'model-unavailable',
  ]);
  await expect(watched.embedder.embed(['a'])).rejects.toMatchObject({ code: 'model-unavailable' });
  expect(watched.workers).toBe(1);
});

it('EMB-16: a query is embedded before waiting documents', async () => {
  const answering = newStart();
  const watched = scripted([slow(answering)], { batchSize: 1 });
  await watched.embedder.ready();
  const documents = watched.embedder.embed(['a', 'b', 'c']);
  await until(() => watched.texts().length === 1);
  const question = watched.embedder.embed(['q'], { kind: 'query' });
  await answering.give();
  await Promise.all([documents, question]);
  expect(watched.texts()).toEqual(['a', 'q', 'b', 'c']);
});
