import { expect, it } from 'vitest';
import { createMemory } from '../../../src/index.ts';
import { parseLine } from '../../../src/backup/backup-lines.ts';
import { trimMessages } from '../../../src/components/chain/trim-messages.ts';
import { prepareText } from '../../../src/embedding/prepare-text.ts';
import { findNames } from '../../../src/graph/name-index.ts';
import { KnowledgeGraph } from '../../../src/graph/knowledge-graph.ts';
import { fromGEXF, fromGraphML, toGEXF, toGraphML } from '../../../src/graph/graph-xml.ts';
import { predicateForm } from '../../../src/graph/predicate.ts';
import { quoteFinder, shorten } from '../../../src/learning/cut-text.ts';
import { copyDetector, splitSentences } from '../../../src/learning/near-copies.ts';
import { llmExtractor } from '../../../src/learning/llm/llm-extractor.ts';
import { cleanReply, lenientJSON, replyProse, withoutMarks } from '../../../src/learning/llm/reply-text.ts';
import { replyItems } from '../../../src/learning/llm/reply-items.ts';
import { unsourcedWords } from '../../../src/learning/llm/unsourced-words.ts';
import { offlineExtractor } from '../../../src/learning/offline/offline-extractor.ts';
import { dialogueParts, sentencesOf } from '../../../src/learning/offline/offline-words.ts';
import { parseEntities, parseTriples } from '../../../src/learning/parse-replies.ts';
import { sourceMessages } from '../../../src/learning/source-text.ts';
import { isEnding } from '../../../src/learning/statements/endings.ts';
import { markStatements } from '../../../src/learning/statements/mark-statements.ts';
import { splitClauses } from '../../../src/learning/statements/split-clauses.ts';
import { statementTopic } from '../../../src/learning/statements/statement-topics.ts';
import { cutIntoPieces, shortenSummary } from '../../../src/learning/summary/summary-text.ts';
import { promptTemplate } from '../../../src/llm/prompt-template.ts';
import { secretScrubber } from '../../../src/llm/secret-scrubber.ts';
import { messagesToText, messagesToXml } from '../../../src/model/message-text.ts';
import { pastedParts } from '../../../src/model/pasted-parts.ts';
import { fence, quoteNotes } from '../../../src/recall/fence.ts';
import { questionFeatures } from '../../../src/recall/gate/question-features.ts';
import { memoryIntent } from '../../../src/recall/intent/memory-intent.ts';
import { timesNamed } from '../../../src/recall/time-window.ts';
import { parseQuery } from '../../../src/search/analyzer.ts';
import { analyze } from '../../../src/search/analyze.ts';
import { KeywordIndex } from '../../../src/search/keyword-index.ts';
import { yieldToEventLoop } from '../../../src/model/event-loop.ts';
import type { StoredMessage } from '../../../src/model/message.ts';
import { packTraits } from '../../../src/search/message-traits.ts';
import { approximateTokenizer } from '../../../src/tokens/approximate.ts';
import { slicesOf } from '../../../src/tokens/slices.ts';
import { tokenizerOf } from '../../../src/tokens/tokenizer.ts';
import { tiktokenTokenizer } from '../../../src/tokens/tiktoken.ts';
import { growth, MOST_GROWTH } from '../../fixtures/growth.ts';
import { LONG_TEXTS } from '../../fixtures/long-texts.ts';

const NOW = Date.UTC(2026, 10, 2);
const user = (content: string) => ({ role: 'user' as const, content });
const stored = (content: string) => ({
  ...user(content),
  id: 'm1',
  turnId: 't1',
  seq: 0,
  turn: 0,
  sessionId: 's1',
  state: 'complete' as const,
  createdAt: NOW,
});
/** What a function says of a bad text does not matter here. */
const quietly = (run: () => unknown): unknown => {
  try {
    return run();
  } catch (error) {
    return error;
  }
};
const graphWith = (name: string): KnowledgeGraph => {
  const graph = new KnowledgeGraph();
  quietly(() => graph.addTriple({ subject: name.slice(0, 400), predicate: 'likes', object: 'tea' }));
  return graph;
};
const extraction = (text: string) => ({
  messages: [{ id: 'm1', role: 'user' as const, text, createdAt: NOW }],
  context: [],
  entities: [],
  facts: [],
});
const NAMES = ['Anna', 'Bob', 'a', 'A B', 'my my'].map((name) => ({ name, aliases: [] }));

/** Every function that takes a text: those of the entries, and the parts of `remember`, `recall` and learning. */
const FUNCTIONS: Readonly<Record<string, (text: string) => unknown>> = {
  approximateTokenizer: (text) => approximateTokenizer().countText(text),
  tiktokenTokenizer: async (text) => (await tiktokenTokenizer()).countText(text),
  promptTemplate: (text) => quietly(() => promptTemplate(text).format({ a: text })),
  'promptTemplate with a value': (text) => promptTemplate('{a} {a}').format({ a: text }),
  messagesToText: (text) => messagesToText([user(text)]),
  messagesToXml: (text) => messagesToXml([user(text)]),
  trimMessages: async (text) =>
    trimMessages([user(text)], { maxTokens: 50, tokenizer: approximateTokenizer() }),
  parseTriples: (text) => quietly(() => parseTriples(text)),
  parseEntities: (text) => quietly(() => parseEntities(text)),
  'llmExtractor, its reply': async (text) => {
    const extractor = llmExtractor(async () => ({ text }));
    await Promise.resolve(extractor.extract?.(extraction('I live in Oslo.'))).catch(() => undefined);
  },
  'llmExtractor, its message': async (text) => {
    const extractor = llmExtractor(async () => ({ text: '[]' }));
    await Promise.resolve(extractor.extract?.(extraction(text))).catch(() => undefined);
  },
  offlineExtractor: async (text) => offlineExtractor().extract?.(extraction(text)),
  fromGEXF: (text) =>
    quietly(() => fromGEXF(`<gexf><graph><nodes><node id="${text}"/></nodes></graph></gexf>`)),
  fromGraphML: (text) => quietly(() => fromGraphML(`<graphml><graph>${text}</graph></graphml>`)),
  toGEXF: (text) => toGEXF(graphWith(text)),
  toGraphML: (text) => toGraphML(graphWith(text)),
  KeywordIndex: (text) => {
    const index = new KeywordIndex();
    index.add('m1', text);
    return index.search(text, 3);
  },
  secretScrubber: secretScrubber(['sk-aaaaaaaaaaaa', '7a7a7a7a7a', '7777777777']),
  replyItems: (text) => quietly(() => replyItems(text)),
  'replyItems of an open list': (text) => quietly(() => replyItems(`[{"a": "b"}, ${text}`)),
  lenientJSON: (text) => lenientJSON(text),
  cleanReply: (text) => cleanReply(text),
  replyProse: (text) => replyProse(text),
  withoutMarks: (text) => withoutMarks(text),
  unsourcedWords: (text) => unsourcedWords(text, [text]),
  sourceMessages: (text) => sourceMessages([stored(text), { ...stored(text), role: 'assistant' }], [text]),
  quoteFinder: (text) => quoteFinder(text),
  shorten: (text) => shorten(text, 1000),
  copyDetector: (text) => copyDetector([text], text),
  splitSentences: (text) => splitSentences(text),
  sentencesOf: (text) => sentencesOf(text),
  dialogueParts: (text) => dialogueParts(text),
  pastedParts: (text) => pastedParts(text),
  markStatements: (text) => markStatements(text),
  splitClauses: (text) => splitClauses(text),
  statementTopic: (text) => statementTopic(text),
  isEnding: (text) => isEnding(text),
  findNames: (text) => findNames(text, NAMES),
  predicateForm: (text) => predicateForm(text),
  fence: (text) => fence('0123456789ab', [text]),
  quoteNotes: (text) => quoteNotes('Title', [text, text]),
  questionFeatures: (text) => questionFeatures(text),
  memoryIntent: (text) => memoryIntent(text),
  timesNamed: (text) => timesNamed(text, NOW),
  parseQuery: (text) => parseQuery(text),
  analyze: (text) => analyze(text),
  packTraits: (text) => packTraits(text),
  prepareText: (text) => prepareText(text, { maxLength: 20_000, dropQuestionMarks: true, isLatinOnly: true }),
  shortenSummary: (text) => shortenSummary(text, 100, (part) => Math.ceil(part.length / 4)),
  cutIntoPieces: (text) => cutIntoPieces(text, 1000),
  parseLine: (text) => quietly(() => parseLine(text)),
};

/** At four times this length a quadratic step can be measured, and a linear one hardly can. */
const CHARACTERS = 2000;
/** Functions that do more with each character. */
const FEWER_CHARACTERS: Readonly<Record<string, number>> = {
  offlineExtractor: 600,
  'llmExtractor, its message': 1000,
  markStatements: 1000,
  sourceMessages: 1000,
};
/** A busy machine needs many times the CPU time. */
const LIMIT_MS = 300_000;

it.each(Object.entries(FUNCTIONS))(
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
      const options = { history: 'memory', embedder: false } as const;
      const [memory, other] = [await createMemory(options), await createMemory(options)];
      await memory.remember({ user: text, assistant: text });
      await memory.settled();
      await memory.recall(text);
      await memory.search(text);
      await other.import(await memory.export());
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
    history: 'memory',
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
  await memory.settled();
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
