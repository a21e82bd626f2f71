import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { createMemory } from '../../../src/index.ts';
import { sourceMessages } from '../../../src/learning/source-text.ts';
import { analyze } from '../../../src/language/terms.ts';
import { yieldToEventLoop } from '../../../src/model/event-loop.ts';
import { messageText, type StoredMessage } from '../../../src/model/message.ts';
import { approximateTokenizer } from '../../../src/tokens/approximate.ts';
import { slicesOf } from '../../../src/tokens/slices.ts';
import { tokenizerOf } from '../../../src/tokens/tokenizer.ts';
import { growth, MOST_GROWTH } from '../../fixtures/growth.ts';
import { LONG_TEXTS } from '../../fixtures/long-texts.ts';
import { foreignParts } from '../../../src/language/pasted-parts.ts';
import { markClaims } from '../../../src/learning/claims/mark-claims.ts';
import { FUNCTIONS_OF_TEXT, stored } from '../../fixtures/functions-of-text.ts';

/** At four times this length a quadratic step can be measured, and a linear one hardly can. */
const CHARACTERS = 2000;
/** Functions that do more with each character. */
const FEWER_CHARACTERS: Readonly<Record<string, number>> = {
  offlineExtractor: 600,
  'llmExtractor, its message': 1000,
  markClaims: 1000,
  sourceMessages: 1000,
};
/** A busy machine needs many times the CPU time. */
const LIMIT_MS = 300_000;

it.each(Object.entries(FUNCTIONS_OF_TEXT))(
  'RUN-1: %s takes no time that grows faster than n log n, whatever the text',
  async (name, run) => {
    const grew: string[] = [];
    for (const [family, textOf] of Object.entries(LONG_TEXTS)) {
      await run(textOf(100)); // what the first call loads
      const factor = await growth(async (size) => run(textOf(size)), FEWER_CHARACTERS[name] ?? CHARACTERS);
      if (factor > MOST_GROWTH) grew.push(`${family}: ${factor.toFixed(1)} times`);
    }
    expect(grew).toEqual([]);
  },
  LIMIT_MS,
);

const FAMILIES = [
  'sentences',
  'words of 900 letters',
  'joined emoji',
  'a letter',
  'Chinese',
  'different words',
];

it.each(FAMILIES)(
  'RUN-2: a text of %s is remembered, learned from, recalled, searched and imported in n log n time',
  async (family) => {
    const textOf = LONG_TEXTS[family];
    const factor = await growth(async (size) => {
      const text = textOf?.(size) ?? '';
      const options = { storage: 'memory', embedder: false } as const;
      const [memory, other] = [await createMemory(options), await createMemory(options)];
      await memory.remember({ user: text, assistant: text });
      await memory.work.settled();
      await memory.recall(text);
      await memory.search(text);
      await other.backup.import(await memory.backup.export());
      await Promise.all([memory.close(), other.close()]);
    }, 4000);
    expect(factor).toBeLessThanOrEqual(MOST_GROWTH);
  },
  LIMIT_MS,
);

it('RUN-3: no step of remembering, recalling, explaining or searching reads more than 100,000 characters', async () => {
  const seen = { inTask: 0, most: 0, all: 0, isOver: false };
  const read = (text: string): void => {
    seen.inTask += text.length;
    seen.all += text.length;
    seen.most = Math.max(seen.most, seen.inTask);
  };
  const others = (async () => {
    for (; !seen.isOver; seen.inTask = 0) await yieldToEventLoop();
  })();
  const counter = approximateTokenizer();
  const countText = (text: string): number => {
    read(text);
    return counter.countText(text);
  };
  const memory = await createMemory({
    storage: 'memory',
    embedder: false,
    analyzer: {
      id: 'counting',
      analyze: (text) => {
        read(text);
        return analyze(text);
      },
    },
    tokenizer: { ...tokenizerOf('counting', countText), slices: slicesOf },
  });
  const text = LONG_TEXTS['sentences']?.(200_000) ?? '';
  await memory.remember({ user: `${text} zebra`, assistant: text });
  await memory.work.settled();
  await memory.recall(text);
  await memory.recall('Where does the zebra live?');
  await memory.explain('Where does the zebra live?');
  expect((await memory.search('zebra')).length).toBeGreaterThan(0);
  await memory.search(text);
  await memory.close();
  seen.isOver = true;
  await others;
  expect(seen.all).toBeGreaterThan(text.length);
  expect(seen.most).toBeLessThanOrEqual(100_000);
});

it('RUN-4: of a long message the beginning is learned from, and a document in it stays one', () => {
  const long = 'We met in Rome. '.repeat(2000);
  expect(sourceMessages([stored(long)], [])).toMatchObject([
    { text: long.slice(0, 20_000), pasted: [long.slice(0, 20_000)] },
  ]);
  const parts = [
    { type: 'text', text: 'I live in Oslo.' },
    { type: 'text', text: long, origin: 'document' },
  ];
  const [source] = sourceMessages([{ ...stored(''), content: parts } as StoredMessage], []);
  expect(source?.text).toHaveLength(20_000);
  expect(source?.text).toMatch(/^I live in Oslo\./u);
  expect(source?.pasted).toHaveLength(1);
  expect(source?.text.endsWith(source.pasted?.[0] ?? '?')).toBe(true);
  expect(source?.pasted?.[0]).toMatch(/^We met/u);
});

/** Returns the number of characters that the methods of strings which search a text go through. */
function charactersRead(run: () => unknown): number {
  let read = 0;
  const searching = ['indexOf', 'includes', 'replace', 'replaceAll'] as const;
  const spies = searching.map((name) => {
    const original: (...given: never[]) => unknown = String.prototype[name];
    return vi.spyOn(String.prototype, name).mockImplementation(function (this: string, ...given: unknown[]) {
      const result = Reflect.apply(original, this, given);
      const end = typeof result === 'number' && result >= 0 ? result : this.length;
      read += end - (typeof given[1] === 'number' ? given[1] : 0);
      return result as never;
    });
  });
  run();
  for (const spy of spies) spy.mockRestore();
  return read;
}

it('RUN-5: the documents in a message are found in one pass over its text', () => {
  const messageOf = (documents: number): StoredMessage => ({
    ...stored(''),
    role: 'user',
    content: Array.from({ length: documents }, (_, at) => [
      { type: 'text', text: `Page ${at} says so.`, origin: 'document' },
      { type: 'text', text: `I saw ${at}.` },
    ]).flat(),
  });
  const read = [200, 400, 800].map((documents) => {
    const message = messageOf(documents);
    const text = messageText(message);
    return (
      charactersRead(() => expect(foreignParts(message, text, undefined)).toHaveLength(documents)) /
      text.length
    );
  });
  expect(Math.max(...read)).toBeLessThanOrEqual(2 * Math.min(...read));
  const marked = [200, 400, 800].map((documents) => {
    const message = messageOf(documents);
    const pasted = [...foreignParts(message, messageText(message), undefined)];
    return charactersRead(() => markClaims('I live in Oslo.', { pasted }));
  });
  expect(marked[2]).toBeLessThanOrEqual(5 * (marked[0] ?? 0));
});

const READ_TEXTS = ['model', 'learning', 'recall', 'search', 'graph'];
const REGEXP = /(?<=[\s(,=:[|&!])\/(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[dgimsuvy]*/gu;
/** A run of any characters, without a limit. */
const ANYTHING = /(?<!\\)\.(?:[*+]|\{\d+,\})/u;

it('RUN-6: no regular expression that can begin anywhere in a text goes on to the end of its line', () => {
  const source = join(import.meta.dirname, '../../../src');
  const found = READ_TEXTS.flatMap((folder) =>
    readdirSync(join(source, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => readFileSync(join(source, folder, file), 'utf8').match(REGEXP) ?? []),
  );
  expect(found.length).toBeGreaterThan(300);
  const withoutClasses = found.map(
    (literal) => [literal, literal.replaceAll(/\[(?:\\.|[^\]\\])*\]/gu, '[]')] as const,
  );
  expect(
    withoutClasses
      .filter(([, shape]) => ANYTHING.test(shape) && !shape.startsWith('/^'))
      .map(([literal]) => literal),
  ).toEqual([]);
});
