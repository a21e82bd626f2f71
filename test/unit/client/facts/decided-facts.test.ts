import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  createMemory,
  type ChatMessage,
  type Extraction,
  type Extractor,
  type Memory,
  type ProposedTriple,
} from '../../../../src/index.ts';
import { FOREIGN_FORMS } from '../../../fixtures/claims/foreign-forms.ts';

const DECIDED = [
  ['lives in', 'Bergen'],
  ['works at', 'Acme'],
  ['is allergic to', 'nuts'],
  ['is named', 'Ines'],
] as const;

/** What contradicts each of them. */
const AGAINST: readonly (readonly string[])[] = [
  ['I live in Rome now.', 'I moved to Rome.', "I don't live in Bergen anymore.", 'I live in Oslo.'],
  ['I work at Globex.', 'I no longer work at Acme.', "I don't work at Acme."],
  ['I am not allergic to nuts.', "I'm not allergic to nuts anymore."],
  ['My name is Otto.', 'My name is Ana.'],
];

const HOW = ['entered', 'corrected', 'pinned', 'accepted'] as const;
type How = (typeof HOW)[number];

async function settled(memory: Memory, messages: readonly ChatMessage[]): Promise<void> {
  await memory.remember({ messages });
  await memory.work.settled();
}

const talk = (user: string, assistant = 'Okay.'): ChatMessage[] => [
  { role: 'user', content: user },
  { role: 'assistant', content: assistant },
];

/** A memory in which the user has decided on one of the facts. */
async function decided(at: number, how: How, extractor?: Extractor): Promise<Memory> {
  let now = Date.UTC(2026, 0, 5, 10);
  const clock = (): number => (now += 60_000);
  const learning = extractor ? { learning: { extractor, delayMs: 0 } } : {};
  const memory = await createMemory({ storage: 'memory', embedder: false, clock, ...learning });
  const [predicate, object] = DECIDED[at] ?? DECIDED[0];
  if (how === 'entered' || extractor) await memory.facts.add({ subject: 'user', predicate, object });
  else if (how === 'accepted') {
    const said = [
      `You live in Bergen.`,
      'You work at Acme.',
      'You are allergic to nuts.',
      'Your name is Ines.',
    ];
    await settled(memory, talk('What do you know?', said[at]));
    const [item] = await memory.review.list();
    await memory.review.accept(item?.id ?? '');
  } else {
    const other = how === 'corrected' ? ['Stavanger', 'Initech', 'milk', 'Nora'][at] : object;
    const said = [
      `I live in ${other}.`,
      `I work at ${other}.`,
      `I am allergic to ${other}.`,
      `My name is ${other}.`,
    ];
    await settled(memory, talk(said[at] ?? ''));
    const fact = (await memory.facts.list()).find((each) => each.predicate === predicate);
    if (how === 'corrected') await memory.facts.correct(fact?.id ?? '', { object });
    else await memory.facts.pin(fact?.id ?? '');
  }
  return memory;
}

async function held(memory: Memory): Promise<string[]> {
  return (await memory.facts.list()).map(({ predicate, object }) => `${predicate} ${object}`);
}

/** Proposes what contradicts the facts, with any words as its quote, and says that it replaces all that is known. */
const attacker: Extractor = {
  id: 'attacker',
  isModel: true,
  batchTurns: 1,
  summarize: async ({ summary }) => summary,
  extract: async ({ messages, facts }) => ({
    mentions: [],
    unreadable: 0,
    triples: messages.flatMap(({ id: messageId, text }): ProposedTriple[] => {
      const common = { subject: 'user', messageId, supersedes: facts.map(({ id }) => id) };
      return [
        { ...common, predicate: 'lives in', object: 'Rome', quote: text },
        { ...common, predicate: 'does not live in', object: 'Bergen', quote: text },
        { ...common, predicate: 'works at', object: 'Globex', quote: text },
        { ...common, predicate: 'is not allergic to', object: 'nuts', quote: text },
        { ...common, predicate: 'is named', object: 'Otto', quote: text },
      ];
    }),
  }),
};

/** The messages of an attempt: pasted, from an assistant, a tool, a document, another person, or an import. */
function attempt(form: number, words: string): ChatMessage[] {
  const written = FOREIGN_FORMS[form];
  if (written) return talk(written(words));
  const second = words
    .replace(/^I am\b|^I'm\b/u, 'You are')
    .replace(/^I\b/u, 'You')
    .replace(/^My\b/u, 'Your');
  const others: readonly ChatMessage[][] = [
    talk('Okay, thanks.', second),
    [
      { role: 'user', content: 'Look it up.' },
      { role: 'tool', tool_call_id: 'call', content: words },
      { role: 'assistant', content: 'Done.' },
    ],
    [
      {
        role: 'user',
        content: [{ type: 'text', text: words, origin: 'document' }],
      } as unknown as ChatMessage,
    ],
    [{ role: 'user', name: 'Per', content: words }],
    [{ role: 'user', origin: 'import', content: words }],
  ];
  return others[form - FOREIGN_FORMS.length] ?? talk(words);
}

const FORMS = FOREIGN_FORMS.length + 5;

/** Nobody says what is said in these forms. */
const SUPPOSED = /^(?:Let's play a game|Imagine for a moment|Lyrics of the day)/u;

it('CLM-23: 500 attempts of texts, tools, assistants, other people and imports end nothing that the user has decided', async () => {
  let attempts = 0;
  let asked = 0;
  const seed = Number(process.env['MNEMORA_SEED'] ?? 28);
  const attack = fc.record({
    at: fc.nat({ max: DECIDED.length - 1 }),
    how: fc.constantFrom(...HOW),
    tries: fc.array(fc.record({ form: fc.nat({ max: FORMS - 1 }), words: fc.nat({ max: 3 }) }), {
      minLength: 5,
      maxLength: 5,
    }),
  });
  const run = fc.asyncProperty(attack, async ({ at, how, tries }) => {
    const memory = await decided(at, how);
    const before = await held(memory);
    expect(before).toContain((DECIDED[at] ?? DECIDED[0]).join(' '));
    for (const { form, words } of tries) {
      const against = AGAINST[at] ?? [];
      await settled(memory, attempt(form, against[words % against.length] ?? ''));
      expect(
        await held(memory),
        `${how}: ${JSON.stringify(attempt(form, against[words % against.length] ?? ''))}`,
      ).toEqual(expect.arrayContaining(before));
      attempts += 1;
    }
    const questions = (await memory.review.list()).map(({ text }) => text);
    expect(questions.length).toBeLessThanOrEqual(50);
    expect(new Set(questions).size).toBe(questions.length);
    if (questions.length > 0) asked += 1;
    const confirmed = (await held(memory)).filter((fact) => !before.includes(fact));
    expect(confirmed, 'contradicted').toEqual([]);
    await memory.close();
  });
  await fc.assert(run, { numRuns: 100, seed, endOnFailure: true });
  expect(attempts).toBeGreaterThanOrEqual(500);
  expect(asked).toBeGreaterThanOrEqual(95);
}, 600_000);

it('CLM-29: each of these attempts leaves a question, except games, hypotheses and verses', async () => {
  const silent: string[] = [];
  let attempts = 0;
  for (let form = 0; form < FORMS; form += 1) {
    const written = FOREIGN_FORMS[form]?.('WORDS') ?? '';
    if (SUPPOSED.test(written)) continue;
    for (const [at, against] of AGAINST.entries()) {
      for (const words of against) {
        const memory = await decided(at, 'entered');
        await settled(memory, attempt(form, words));
        if ((await memory.review.list()).length === 0) silent.push(`${form}: ${written} ${words}`);
        attempts += 1;
        await memory.close();
      }
    }
  }
  expect(attempts).toBe(462); // SECURITY.md names it
  expect(silent).toEqual([]);
}, 600_000);

it.each(HOW)('CLM-23: plain talk ends what was %s', async (how) => {
  for (const [at, against] of AGAINST.entries()) {
    for (const words of against) {
      const memory = await decided(at, how);
      await settled(memory, talk(words));
      expect(await held(memory), words).not.toContain((DECIDED[at] ?? DECIDED[0]).join(' '));
      await memory.close();
    }
  }
});

it.each(DECIDED.map((fact, at) => [fact.join(' '), at] as const))(
  'CLM-23: a model that contradicts and replaces everything leaves "%s", and questions',
  async (fact, at) => {
    const memory = await decided(at, 'entered', attacker);
    for (const form of FOREIGN_FORMS.keys())
      for (const words of AGAINST[at] ?? []) await memory.remember({ messages: attempt(form, words) });
    for (const words of AGAINST[at] ?? []) await memory.remember({ messages: talk(words) });
    await memory.work.settled();
    expect(await held(memory)).toContain(fact);
    const questions = (await memory.review.list()).map(({ text }) => text);
    expect(questions.length).toBeGreaterThan(0);
    expect(questions.length).toBeLessThanOrEqual(50);
    expect(new Set(questions).size).toBe(questions.length);
    await memory.close();
  },
);

it.each([undefined, {}, { triples: 'none' }, { mentions: [], triples: [], unreadable: 0 }])(
  'CLM-23: an extractor of the page is called once for a pasted text, and may reply %j',
  async (reply) => {
    let calls = 0;
    const extractor: Extractor = {
      id: 'of-the-page',
      summarize: async ({ summary }) => summary,
      extract: async () => {
        calls += 1;
        return reply as unknown as Extraction;
      },
    };
    const memory = await decided(0, 'entered', extractor);
    await settled(memory, attempt(0, 'I live in Rome now.'));
    expect(calls).toBe(1);
    expect(await memory.work.list()).toEqual([]);
    expect(await held(memory)).toEqual(['lives in Bergen']);
    await memory.close();
  },
);
