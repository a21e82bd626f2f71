import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  CHATS,
  NAMES,
  PLACES,
  TABS,
  Tabs,
  TOWNS,
  WRITTEN,
  type Step,
  type Tab,
} from '../../fixtures/integrations/two-tabs.ts';

const tab = fc.constantFrom(...TABS);
const chat = fc.constantFrom(...CHATS);
const name = fc.constantFrom(...NAMES);
const way = fc.nat(WRITTEN.length - 1);
const weighted = <T>(weight: number, arbitrary: fc.Arbitrary<T>): fc.WeightedArbitrary<T> => ({
  weight,
  arbitrary,
});
const does = <const Do extends string, Fields extends object>(
  what: Do,
  fields: { [Field in keyof Fields]: fc.Arbitrary<Fields[Field]> },
) =>
  fc.record({ do: fc.constant(what), at: tab, ...fields } as never) as fc.Arbitrary<
    { do: Do; at: Tab } & Fields
  >;

/** Forgetting, in one tab or while the tools of a chat in the other one are running. */
export const forgetting: fc.Arbitrary<Step> = fc.oneof(
  weighted(3, does('forgetName', { name, by: fc.constantFrom('entity', 'text'), turns: fc.boolean() })),
  weighted(2, does('forgetDuring', { name, chat })),
  weighted(1, does('forgetTurn', { nth: fc.nat(9) })),
  weighted(1, does('forgetSession', { chat })),
  weighted(1, does('forgetAll', { before: fc.boolean() })),
);
export const anyStep: fc.Arbitrary<Step> = fc.oneof(
  // What the user says, without a chat or in one that searches the memory before it answers.
  weighted(3, does('tell', { name, way, town: fc.constantFrom(...TOWNS) })),
  weighted(2, does('say', { name, way, chat })),
  weighted(2, does('search', { chat, byOwnTool: fc.boolean() })),
  // What stands beside the turns.
  weighted(3, does('keep', { name, where: fc.constantFrom(...PLACES) })),
  weighted(1, does('correct', { name, nth: fc.nat(9) })),
  weighted(1, does('rebuild', {})),
  weighted(1, does('save', {})),
  weighted(2, does('restore', { nth: fc.nat(9) })),
  weighted(4, forgetting),
);
export /** Both names are told, found by a chat of the other tab, kept beside the turns, and in a backup. */
const BEGINNING: readonly Step[] = [
  { do: 'tell', at: 'here', name: 'Zaphod', way: 0, town: 'Oslo' },
  { do: 'say', at: 'there', name: 'Xanthippe', way: 2, chat: 'chat one' },
  { do: 'search', at: 'there', chat: 'chat two', byOwnTool: true },
  { do: 'keep', at: 'here', name: 'Xanthippe', where: 'file' },
  { do: 'keep', at: 'there', name: 'Xanthippe', where: 'document' },
  { do: 'keep', at: 'there', name: 'Zaphod', where: 'document' },
  { do: 'keep', at: 'here', name: 'Zaphod', where: 'row' },
  { do: 'save', at: 'here' },
];
/** An older backup does not bring back what was forgotten. */
const END: Step = { do: 'restore', at: 'here', nth: 0 };

const RUNS = Number(import.meta.env['VITE_MNEMORA_RUNS'] ?? 12);

it('FGT-69: whatever two tabs say, search for, keep, restore and forget, what was forgotten is in no store, index, export, row of an integration or prompt', async () => {
  const stories = fc.tuple(
    fc.array(anyStep, { maxLength: 8 }),
    fc.array(forgetting, { minLength: 1, maxLength: 2 }),
  );
  await fc.assert(
    fc.asyncProperty(stories, async ([steps, last]) => {
      const tabs = await Tabs.open();
      try {
        for (const step of [...BEGINNING, ...steps, ...last, END]) await tabs.take(step);
        expect(await tabs.left()).toEqual({});
        expect(await tabs.learnedAgain()).toEqual([]);
        await tabs.take({ do: 'rebuild', at: 'there' });
        expect(await tabs.stored()).toEqual([]);
        expect(await tabs.learnedAgain()).toEqual([]);
      } finally {
        await tabs.close();
      }
    }),
    { numRuns: RUNS },
  );
}, 600_000);
