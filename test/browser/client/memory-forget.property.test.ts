import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { createMemory, MnemoraError, type Memory } from '../../../src/index.ts';
import { newId } from '../../../src/model/id.ts';
import { nameMatcher } from '../../../src/graph/name-matcher.ts';
import type { EntityRow, FactRow, MessageRecord, ClaimRow } from '../../../src/storage/schema.ts';
import { dump } from '../../fixtures/databases/raw-database.ts';

const NAMES = ['Zaphod', 'Yennefer', 'Xanthippe', 'Wolfram'] as const;
const TOWNS = ['Oslo', 'Turin', 'Lyon', 'Graz'] as const;

/** What is told of somebody, and what of somebody else in the same breath. */
const TELLINGS = [
  (name: string, town: string) => `My friend ${name} lives in ${town}.`,
  (name: string, town: string) => `I met ${name} in ${town}. I love sailing.`,
  (name: string, town: string) => `${name} works at ${town} Motors.`,
  (_name: string, town: string) => `I moved to ${town}.`,
] as const;

const place = fc.constantFrom('tab', 'otherTab', 'device' as const);
const somebody = fc.constantFrom(...NAMES);
const anyStep = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('tell' as const),
      at: place,
      name: somebody,
      town: fc.constantFrom(...TOWNS),
      way: fc.nat(3),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('forgetName' as const),
      at: place,
      name: somebody,
      turns: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('forgetTurn' as const), at: place, nth: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('forgetFact' as const), at: place, nth: fc.nat(9) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('correct' as const), at: place, nth: fc.nat(9), name: somebody }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('exchange' as const), at: place }) },
);
type Step = typeof anyStep extends fc.Arbitrary<infer Value> ? Value : never;
type Place = Step['at'];

/** Two tabs of one database and another device, as chance will have it. */
class Lives {
  readonly names: Readonly<Record<Place, string>>;
  readonly #memories: Readonly<Record<Place, Memory>>;
  readonly #open: Memory[] = [];
  /** Message id and name, of all that was forgotten by name. */
  readonly forgotten: [messageId: string, name: string][] = [];
  readonly erased = new Set<string>();
  readonly receipts: { preview: unknown; receipt: unknown }[] = [];
  readonly turnCounts: { said: number; turns: number }[] = [];
  #now = Date.UTC(2026, 0, 5);

  private constructor(names: Lives['names'], memories: Readonly<Record<Place, Memory>>) {
    this.names = names;
    this.#memories = memories;
    this.#open.push(...Object.values(memories));
  }

  static async begin(): Promise<Lives> {
    const [shared, own] = [newId(), newId()];
    const lives: { now?: () => number } = {};
    const clock = (): number => lives.now?.() ?? 0;
    const options = { embedder: false, learning: { delayMs: 0 }, clock } as const;
    const begun = new Lives(
      { tab: shared, otherTab: shared, device: own },
      {
        tab: await createMemory({ ...options, name: shared, sessionId: 'home' }),
        otherTab: await createMemory({ ...options, name: shared, sessionId: 'home' }),
        device: await createMemory({ ...options, name: own, sessionId: 'away' }),
      },
    );
    lives.now = () => (begun.#now += 1000);
    return begun;
  }

  memory(at: Place): Memory {
    return this.#memories[at];
  }

  async take(step: Step): Promise<void> {
    const memory = this.memory(step.at);
    switch (step.do) {
      case 'tell':
        await memory.remember({
          user: TELLINGS[step.way]?.(step.name, step.town) ?? '',
          assistant: 'I see.',
        });
        return memory.work.settled();
      case 'forgetName': {
        const isNamed = nameMatcher([step.name]);
        const naming = (await messagesOf(this.names[step.at])).filter(({ content }) =>
          isNamed(String(content)),
        );
        const preview = await orNotFound(
          memory.forget({ entity: step.name, turns: step.turns }, { preview: true }),
        );
        const receipt = await orNotFound(memory.forget({ entity: step.name, turns: step.turns }));
        this.receipts.push({ preview, receipt });
        if (!receipt) return undefined;
        const turns = step.turns ? 0 : new Set(naming.map(({ turnId }) => turnId)).size;
        this.turnCounts.push({ said: receipt.turnsStillNaming, turns });
        for (const { id } of naming) {
          this.forgotten.push([id, step.name]);
          if (step.turns) this.erased.add(id);
        }
        return memory.work.settled();
      }
      case 'forgetTurn': {
        const rows = await messagesOf(this.names[step.at]);
        const { turnId } = rows[step.nth % rows.length] ?? {};
        if (turnId === undefined) return undefined;
        await memory.forget({ turnId });
        for (const row of rows) if (row.turnId === turnId) this.erased.add(row.id);
        return memory.work.settled();
      }
      case 'forgetFact': {
        const fact = await this.#fact(step);
        if (fact !== undefined) await memory.forget({ factId: fact });
        return memory.work.settled();
      }
      case 'correct': {
        const fact = await this.#fact(step);
        if (fact !== undefined) await memory.facts.correct(fact, { object: step.name });
        return undefined;
      }
      case 'exchange': {
        const other = this.memory(step.at === 'device' ? 'tab' : 'device');
        await other.backup.import(await memory.backup.export());
        return other.work.settled();
      }
    }
  }

  /** A memory of its own that has these files. */
  async merged(files: readonly Blob[]): Promise<{ memory: Memory; database: string }> {
    const database = newId();
    const memory = await createMemory({
      name: database,
      sessionId: 'home',
      embedder: false,
      learning: { delayMs: 0 },
    });
    this.#open.push(memory);
    for (const file of files) {
      await memory.backup.import(file);
      await memory.work.settled();
    }
    return { memory, database };
  }

  async end(): Promise<void> {
    await Promise.all(this.#open.map((memory) => memory.close()));
  }

  async #fact({ at, nth }: { readonly at: Place; readonly nth: number }): Promise<string | undefined> {
    const facts = await this.memory(at).facts.list();
    return facts[nth % facts.length]?.id;
  }
}

async function orNotFound<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof MnemoraError && error.code === 'not-found') return undefined;
    throw error;
  }
}

async function messagesOf(database: string): Promise<MessageRecord[]> {
  return ((await dump(database))['messages'] ?? []) as MessageRecord[];
}

/** What is known, however it got there. */
async function stateOf(database: string): Promise<unknown> {
  const stores = await dump(database);
  const facts = stores['triples'] as FactRow[];
  return {
    messages: (stores['messages'] as MessageRecord[]).map(({ id }) => id).toSorted(),
    facts: facts
      .map(({ subject, predicate, object, messageIds }) =>
        [subject, predicate, object, ...messageIds.toSorted()].join('|'),
      )
      .toSorted(),
    claims: (stores['claims'] as ClaimRow[]).map(({ id, text }) => `${id} ${text}`).toSorted(),
    entities: (stores['entities'] as EntityRow[]).map(({ key }) => key).toSorted(),
  };
}

/** Texts that were made from a message and name what was forgotten as told by it. */
async function learnedAgain(database: string, { forgotten, erased }: Lives): Promise<unknown[]> {
  const stores = await dump(database);
  const derived = [
    ...(stores['triples'] as FactRow[]).map(({ messageIds, subject, object, sources }) => ({
      messageIds,
      text: JSON.stringify([subject, object, sources.map(({ quote }) => quote)]),
    })),
    ...(stores['claims'] as ClaimRow[]).map(({ messageId, text }) => ({
      messageIds: [messageId],
      text,
    })),
    ...(stores['entities'] as EntityRow[]).flatMap(({ name: called, mentions }) =>
      mentions.map(({ messageIds, note }) => ({ messageIds, text: `${called} ${note}` })),
    ),
    ...(stores['sessions'] as { title: string; titleFrom?: string }[]).map(({ title, titleFrom = '' }) => ({
      messageIds: [titleFrom],
      text: title,
    })),
  ];
  const isNamedIn = new Map(NAMES.map((each) => [each as string, nameMatcher([each])]));
  const again = derived.filter(({ messageIds, text }) =>
    forgotten.some(([id, each]) => messageIds.every((from) => from === id) && isNamedIn.get(each)?.(text)),
  );
  const kept = (stores['messages'] as MessageRecord[]).filter(({ id }) => erased.has(id));
  return [...again, ...kept];
}

/** What is said of a name by hand, in a turn that was forgotten, is older than no tombstone that names it. */
const CORRECTED_ELSEWHERE: Step[] = [
  { do: 'tell', at: 'tab', name: 'Xanthippe', town: 'Oslo', way: 0 },
  { do: 'tell', at: 'device', name: 'Xanthippe', town: 'Oslo', way: 0 },
  { do: 'forgetName', at: 'device', name: 'Xanthippe', turns: false },
  { do: 'correct', at: 'tab', nth: 1, name: 'Zaphod' },
  { do: 'forgetTurn', at: 'tab', nth: 0 },
];

const RUNS = Number(import.meta.env['VITE_MNEMORA_RUNS'] ?? 12);

it('FGT-26: after any changes and exchanges, backups merge alike in any order, and nothing forgotten is stored or learned again', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 4, maxLength: 16 }), async (steps) => {
      const lives = await Lives.begin();
      try {
        for (const each of steps) await lives.take(each);
        for (const { preview, receipt } of lives.receipts) expect(receipt).toEqual(preview);
        for (const { said, turns } of lives.turnCounts) expect(said).toBe(turns);
        const files = [
          await lives.memory('otherTab').backup.export(),
          await lives.memory('device').backup.export(),
        ];
        const one = await lives.merged(files);
        const two = await lives.merged(files.toReversed());
        const merged = await stateOf(one.database);
        expect(await stateOf(two.database)).toEqual(merged);
        await one.memory.backup.import(files[0] as Blob);
        await one.memory.work.settled();
        expect(await stateOf(one.database)).toEqual(merged);
        for (const { database } of [one, two]) expect(await learnedAgain(database, lives)).toEqual([]);
        await one.memory.backup.rebuild();
        expect(await learnedAgain(one.database, lives)).toEqual([]);
        // Deletion wins, unless the person says otherwise.
        const before = (await messagesOf(one.database)).map(({ id }) => id).toSorted();
        const backup = await one.memory.backup.export();
        await one.memory.forget({ everything: true });
        await one.memory.backup.import(backup);
        expect(await messagesOf(one.database)).toEqual([]);
        await one.memory.backup.import(backup, { restoreForgotten: true });
        expect((await messagesOf(one.database)).map(({ id }) => id).toSorted()).toEqual(before);
        await one.memory.work.settled();
        expect(await learnedAgain(one.database, lives)).toEqual([]);
      } finally {
        await lives.end();
      }
    }),
    { numRuns: RUNS, examples: [[CORRECTED_ELSEWHERE]] },
  );
}, 3_600_000);
