import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { assetsFolder, startWorker } from '../../../src/embedding/start-worker.ts';
import { createMemory } from '../../../src/index.ts';
import { offlineExtractor } from '../../../src/learning/rules/offline-extractor.ts';
import { openTagger, type Tagger } from '../../../src/language/tagging/tagger.ts';
import { TAGGING_VERSION } from '../../../src/language/tagging/tagging-protocol.ts';
import { loadWordClasses } from '../../../src/language/tagging/word-classes.ts';
import { newId } from '../../../src/model/id.ts';
import { countResources } from '../../fixtures/counted-resources.ts';

const assetsUrl = new URL('/mnemora-assets/', location.origin).href;
const SENTENCES = [
  'I moved to Rome last week.',
  "My sister's dog is called Max, and she isn't home.",
  'Dr. Muller doesn’t work at “Acme & Co.” — or does he?',
  '東京に住んでいます。.',
  '🙂 \u{1F468}\u200D\u{1F469} (ok) -- 3.5 km',
  '\uD800 alone',
  '',
];

afterEach(() => vi.unstubAllGlobals());

/** @param timeoutMs short where the worker never answers; a busy machine may need seconds to start one that does */
function openTestTagger(start = () => startFrom(assetsUrl), timeoutMs?: number): Tagger {
  const life = new AbortController();
  onTestFinished(() => life.abort());
  return openTagger({ startWorker: start, signal: life.signal, ...(timeoutMs ? { timeoutMs } : {}) });
}

function startFrom(folder: string): Worker {
  return startWorker(assetsFolder(folder), 'tagging-worker.js');
}

async function onPage(sentences: readonly string[] = SENTENCES): Promise<unknown> {
  const wordClasses = await loadWordClasses();
  return sentences.map((sentence) => wordClasses(sentence));
}

function isLoadedByPage(): boolean {
  return performance.getEntriesByType('resource').some(({ name }) => name.includes('compromise'));
}

// First in this file, because word classes that the page has loaded stay there.
it('RULE-26: the worker finds the words that the page would find, which loads nothing for it', async () => {
  const tag = openTestTagger();
  const words = await tag(SENTENCES);
  expect(isLoadedByPage()).toBe(false);
  expect(words).toEqual(await onPage());
  expect(isLoadedByPage()).toBe(true);
});

it('RULE-26: calls at the same time get their own words', async () => {
  const tag = openTestTagger();
  const all = await Promise.all(SENTENCES.map((sentence) => tag([sentence])));
  expect(all.flat()).toEqual(await onPage());
  expect(await tag([])).toEqual([]);
});

const FAULTS: readonly (readonly [string, string])[] = [
  ['throws at once', 'throw new Error("broken");'],
  ['throws when it is asked', 'onmessage = () => { throw new Error("broken"); };'],
  ['closes itself', 'close();'],
  ['is silent', 'onmessage = () => undefined;'],
  ['speaks another version', answering('{ version: 0, id, words: sentences.map(() => []) }')],
  ['answers something else', answering('"words"')],
  ['answers with too few words', answering(`{ version: ${TAGGING_VERSION}, id, words: [] }`)],
  [
    'answers with malformed words',
    answering(`{ version: ${TAGGING_VERSION}, id, words: sentences.map(() => [{ start: 0, end: 1 }]) }`),
  ],
  [
    'answers a question that nobody asked',
    answering(`{ version: ${TAGGING_VERSION}, id: id + 1, words: sentences.map(() => []) }`),
  ],
];

function answering(answer: string): string {
  return `onmessage = ({ data: { id, sentences } }) => postMessage(${answer});`;
}

describe('a worker for word classes that fails', () => {
  it.each(FAULTS)('RULE-27: when it %s, the page does its work', async (_, script) => {
    const url = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
    onTestFinished(() => URL.revokeObjectURL(url));
    const start = vi.fn(() => new Worker(url));
    const tag = openTestTagger(start, 1_000);
    expect(await tag(SENTENCES)).toEqual(await onPage());
    expect(await tag(['I live in Rome.'])).toEqual(await onPage(['I live in Rome.']));
    expect(start).toHaveBeenCalledTimes(1);
  });

  it('RULE-27: when it is killed while it is asked, the page does its work at once', async () => {
    const workers: Worker[] = [];
    const start = (): Worker => {
      workers.push(startFrom(assetsUrl));
      return workers.at(-1) as Worker;
    };
    const tag = openTestTagger(start, 3_600_000);
    await tag(['I live in Rome.']);
    workers[0]?.terminate();
    expect(await tag(SENTENCES)).toEqual(await onPage());
  });

  it('RULE-27: when its file is missing, or it is on another origin, the page does its work', async () => {
    const folders = [new URL('/nowhere/', location.origin).href, 'https://assets.example/', 'http://'];
    for (const folder of folders)
      expect(await openTestTagger(() => startFrom(folder))(SENTENCES)).toEqual(await onPage());
  });

  it('RULE-27: when there are no workers, the page does its work', async () => {
    vi.stubGlobal('Worker', undefined);
    expect(await openTestTagger()(SENTENCES)).toEqual(await onPage());
  });
});

describe('the end of a tagger', () => {
  it('RULE-28: it is terminated when its signal aborts, and calls reject with the reason', async () => {
    const { workers } = countResources();
    const life = new AbortController();
    const extractor = offlineExtractor({ assetsUrl, signal: life.signal });
    const message = { id: 'a', role: 'user', text: 'I live in Paris.', createdAt: 0 } as const;
    const input = { messages: [message], context: [], entities: [], facts: [] };
    expect((await extractor.extract(input)).triples).toMatchObject([{ object: 'Paris' }]);
    expect(workers).toEqual({ opened: 1, open: 1 });
    const pending = extractor.extract(input);
    life.abort(new Error('over'));
    await expect(pending).rejects.toThrow('over');
    await expect(extractor.extract(input)).rejects.toThrow('over');
    expect(workers).toEqual({ opened: 1, open: 0 });
  });

  it('RULE-28: it ends with the memory that started it', async () => {
    const { workers } = countResources();
    const memory = await createMemory({ name: newId(), assetsUrl, embedder: false });
    await memory.remember({ user: 'I live in Paris.', assistant: 'Nice.' });
    await memory.work.settled();
    expect((await memory.facts.list()).map(({ object }) => object)).toEqual(['Paris']);
    expect(workers).toEqual({ opened: 1, open: 1 });
    await memory.close();
    expect(workers).toEqual({ opened: 1, open: 0 });
  });

  it('RULE-18: a call that is aborted does not wait for the worker, which goes on working', async () => {
    const tag = openTestTagger();
    const calling = new AbortController();
    const pending = tag(SENTENCES, calling.signal);
    calling.abort(new Error('enough'));
    await expect(pending).rejects.toThrow('enough');
    expect(await tag(SENTENCES)).toEqual(await onPage());
  });
});
