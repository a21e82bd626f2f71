import fc from 'fast-check';
import { expect, it } from 'vitest';
import { prepareText } from '../../../src/embedding/prepare-text.ts';
import { TextQueue } from '../../../src/embedding/text-queue.ts';
import { OFFLINE_MODEL } from '../../../src/embedding/offline/offline-model.ts';
import { transformersEmbedder } from '../../../src/embedding/transformers-embedder.ts';
import { VectorCache } from '../../../src/embedding/vector-cache.ts';

const PLAIN = { maxLength: 100, dropQuestionMarks: false };

it('EMB-13: in Node an embedder can be created, and fails only when used', async () => {
  const embedder = transformersEmbedder();
  expect(OFFLINE_MODEL).toBe('use-lite');
  await expect(embedder.ready()).rejects.toMatchObject({ code: 'model-unavailable' });
  await expect(embedder.embed(['a'])).rejects.toMatchObject({ code: 'model-unavailable' });
  expect(await embedder.embed([])).toEqual([]);
  await embedder.close();
});

it('EMB-20: the id names the model, quantization and pooling', () => {
  expect(transformersEmbedder().id).toBe('use-lite/int8/mean');
  const other = transformersEmbedder({ model: 'Xenova/gte-small', quantized: false, pooling: 'cls' });
  expect(other.id).toBe('Xenova/gte-small/fp32/cls');
});

it.each([
  ['use-lite', 1],
  ['Xenova/all-MiniLM-L6-v2', 1],
  ['Xenova/e5-small-v2', 1.4],
  ['Xenova/bge-small-en-v1.5', 1.4],
  ['bge-small-zh-v1.5', 1.4],
] as const)('RANK-30: the weight of %s in the ranking is %d', (model, weight) => {
  expect(transformersEmbedder({ model }).rankingWeight).toBe(weight);
});

const BAD_OPTIONS: readonly object[] = [
  { model: '' },
  { model: '../secret' },
  { model: 'https://example.com/model' },
  { model: 'a/b/c' },
  { quantized: false },
  { pooling: 'max' },
  { queryPrefix: 1 },
  { documentPrefix: null },
  { batchSize: 0 },
  { batchSize: 1.5 },
  { cacheSize: -1 },
  { worker: 'worker.js' },
  { onProgress: true },
  { assetsUrl: '' },
  { modle: 'use-lite' },
  { toString: 1 },
];

it.each(BAD_OPTIONS.map((options) => [options] as const))('EMB-14: the option %j is rejected', (options) => {
  expect(() => transformersEmbedder(options)).toThrow(expect.objectContaining({ code: 'invalid-option' }));
});

it.each([[undefined], ['a text'], [[1]], [['a', null]], [{ 0: 'a', length: 1 }]])(
  'EMB-14: the texts %j are rejected',
  async (texts) => {
    const embedder = transformersEmbedder();
    await expect(embedder.embed(texts as string[])).rejects.toMatchObject({ code: 'invalid-input' });
    await expect(embedder.embed(['a'], { kind: 'poem' as 'query' })).rejects.toMatchObject({
      code: 'invalid-input',
    });
  },
);

it('EMB-11: a closed embedder rejects calls', async () => {
  const embedder = transformersEmbedder();
  await embedder.close();
  await embedder.close();
  await expect(embedder.embed(['a'])).rejects.toMatchObject({ code: 'model-unavailable' });
  await expect(embedder.ready()).rejects.toMatchObject({ code: 'model-unavailable' });
});

it('EMB-15: line breaks and tabs become spaces, and lone surrogates are replaced', () => {
  expect(prepareText('a\r\n\tb\u2028c  d ', PLAIN)).toBe('a b c  d ');
  expect(prepareText('a\ud83d b', PLAIN)).toBe('a\ufffd b');
  expect(prepareText('Where? Why?', { ...PLAIN, dropQuestionMarks: true })).toBe('Where. Why.');
  expect(prepareText('Where?', PLAIN)).toBe('Where?');
});

it.each([
  ['我昨天在北京见了李雷。', ''],
  ['Assistant: 你好', ''],
  ['Bob: أعيش في القاهرة منذ سنة', ''],
  ['Я живу в Москве', ''],
  ['Ich wohne in München.', 'Ich wohne in München.'],
  ['Bob: I met 李雷 in Beijing', 'Bob: I met 李雷 in Beijing'],
  ['Bob: 42!', 'Bob: 42!'],
  ['Was ist 旅行 in Tokyo?', 'Was ist 旅行 in Tokyo?'],
  ['Was ist 旅行 東京', ''],
])('EMB-25: to a model that knows only Latin letters, "%s" is "%s"', (text, expected) => {
  expect(prepareText(text, { ...PLAIN, isLatinOnly: true })).toBe(expected);
  expect(prepareText(text, PLAIN)).toBe(text);
});

it.each([
  ['Bob: 🎉🎉🎉', ''],
  ['👍🏽', ''],
  ['→ ∞ ≈', ''],
  ['Bob: thanks 🎉🎉🎉', 'Bob: thanks 🎉🎉🎉'],
  ['Bob: e3b0c44298fc1c149afbf4c8996fb924', ''],
  ['Bob: eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9', ''],
  ['The key is e3b0c44298fc1c14', ''],
  [
    'The key of the archive of our holiday is e3b0c44298fc1c14',
    'The key of the archive of our holiday is e3b0c44298fc1c14',
  ],
  ['zażółć gęślą jaźń', ''],
  ['Où est le café ?', 'Où est le café ?'],
  ['const x = await fetch(url); // 200', 'const x = await fetch(url); // 200'],
  ['https://example.com/travel/lisbon?page=2', 'https://example.com/travel/lisbon?page=2'],
  ['1 + 1 = 2', '1 + 1 = 2'],
  ['Ｈｅｌｌｏ', 'Ｈｅｌｌｏ'],
])(
  'EMB-26: text that the offline model\'s vocabulary lacks is unknown to it: "%s" is "%s"',
  (text, expected) => {
    expect(prepareText(text, { ...PLAIN, isLatinOnly: true })).toBe(expected);
    expect(prepareText(text, PLAIN)).toBe(text);
  },
);

it('EMB-15: any text becomes well-formed, cut, on one line, and the same when prepared again', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), fc.boolean(), (text, dropQuestionMarks) => {
      const prepared = prepareText(text, { maxLength: 100, dropQuestionMarks });
      expect(prepared.length).toBeLessThanOrEqual(100);
      expect(prepared).not.toMatch(/[\t\n\r]|\p{Surrogate}/u);
      expect(prepareText(prepared, { maxLength: 100, dropQuestionMarks })).toBe(prepared);
    }),
  );
});

it.each(['', ' ', '\n\t ', '\u00a0\u3000', '\u200b\u200d\ufeff', '\u0000\u0007'])(
  'EMB-3: the text %j has no visible characters',
  (text) => {
    expect(prepareText(text, PLAIN)).toBe('');
  },
);

it.each(['a', '.', '?', '😀', '日本', '\ud800'])('EMB-3: the text %j has visible characters', (text) => {
  expect(prepareText(text, PLAIN)).not.toBe('');
});

it('EMB-70: the cache of vectors keeps no text', () => {
  const cache = new VectorCache(2);
  for (const text of ['I take lithium.', 'I live in Oslo.', 'I take lithium.']) {
    cache.put(text, Float32Array.of(text.length));
    expect(cache.get(text)).toEqual(Float32Array.of(text.length));
  }
  expect(cache.keys().map((key) => /^[0-9a-f]{64}$/.test(key))).toEqual([true, true]);
});

it('EMB-4: the cache keeps the most recently used texts up to its limit', () => {
  const cache = new VectorCache(2);
  cache.put('a', Float32Array.of(1));
  cache.put('b', Float32Array.of(2));
  cache.get('a');
  cache.put('c', Float32Array.of(3));
  expect(cache.get('b')).toBeUndefined();
  expect(cache.get('a')).toEqual(Float32Array.of(1));
  expect(cache.get('c')).toEqual(Float32Array.of(3));
  const none = new VectorCache(0);
  none.put('a', Float32Array.of(1));
  expect(none.get('a')).toBeUndefined();
});

it('EMB-16: queries come before documents, even if they were queued as documents first', () => {
  const queue = new TextQueue();
  for (const text of ['a', 'b', 'c']) void queue.add(text, false);
  void queue.add('q', true);
  void queue.add('c', true);
  expect(queue.take(2)).toEqual(['q', 'c']);
  queue.settle([Float32Array.of(1), Float32Array.of(2)]);
  expect(queue.take(5)).toEqual(['a', 'b']);
});

it('EMB-4: a text with two waiting callers is queued once', async () => {
  const queue = new TextQueue();
  const both = [queue.add('a', false), queue.add('a', true)];
  expect(queue.length).toBe(1);
  queue.take(9);
  const third = queue.add('a', false);
  expect(queue.length).toBe(0);
  queue.settle([Float32Array.of(7)]);
  expect(await Promise.all([...both, third])).toEqual([7, 7, 7].map((value) => Float32Array.of(value)));
});

it('EMB-24: a query does not wait for a batch of documents, even one that contains it', () => {
  const isOvertaken = (documents: string[], ...questions: string[]): boolean => {
    const queue = new TextQueue();
    for (const text of documents) void queue.add(text, false);
    queue.take(9);
    for (const text of questions) void queue.add(text, true);
    return queue.isBatchOvertaken;
  };
  expect(isOvertaken(['a', 'b'])).toBe(false);
  expect(isOvertaken(['a', 'b'], 'q')).toBe(true);
  expect(isOvertaken(['a', 'b'], 'a')).toBe(true);
  expect(isOvertaken(['a', 'b'], 'b', 'q')).toBe(true);
  expect(isOvertaken(['a', 'b'], 'a', 'b')).toBe(false);
  expect(isOvertaken(['a'], 'q')).toBe(false);
  expect(isOvertaken(['a'], 'a')).toBe(false);
});

it('EMB-24: after a batch is interrupted, the query is next and then the documents', () => {
  const queue = new TextQueue();
  for (const text of ['a', 'b', 'c']) void queue.add(text, false);
  queue.take(9);
  void queue.add('c', true);
  queue.settle([Float32Array.of(1)]);
  expect(queue.take(9)).toEqual(['c']);
  queue.settle([Float32Array.of(2)]);
  expect(queue.take(9)).toEqual(['b']);
});

it('EMB-8: a text leaves the queue only when its last caller gives up', () => {
  const queue = new TextQueue();
  const vector = queue.add('a', false);
  void queue.add('a', false);
  queue.giveUp('a', vector);
  expect(queue.length).toBe(1);
  queue.giveUp('a', vector);
  expect(queue.length).toBe(0);
  queue.giveUp('a', vector);
  expect(queue.length).toBe(0);
});

it('EMB-8: a text of a canceled batch is embedded if somebody asks for it again', async () => {
  const queue = new TextQueue();
  const first = queue.add('a', false);
  const second = queue.add('b', false);
  queue.take(2);
  queue.giveUp('a', first);
  expect(queue.isBatchUnwanted).toBe(false);
  queue.giveUp('b', second);
  expect(queue.isBatchUnwanted).toBe(true);
  const again = queue.add('b', false);
  queue.settle([Float32Array.of(1)]);
  expect(queue.take(2)).toEqual(['b']);
  queue.settle([Float32Array.of(2)]);
  expect(await again).toEqual(Float32Array.of(2));
});

it('EMB-22: a caller who aborts takes no text away from one who asked for it later', async () => {
  const queue = new TextQueue();
  const early = queue.add('a', false);
  queue.take(1);
  queue.settle([Float32Array.of(1)]);
  await early;
  const later = queue.add('a', false);
  queue.giveUp('a', early);
  expect(queue.take(1)).toEqual(['a']);
  queue.settle([Float32Array.of(2)]);
  expect(await later).toEqual(Float32Array.of(2));
});
