import * as fc from 'fast-check';
import { it } from 'vitest';
import { createMemory, type Extractor, type Memory } from '../../../src/index.ts';
import { newId } from '../../../src/model/id.ts';
import { edit, lives, say, type Place, type Step } from '../../fixtures/claims/claim-lives.ts';
import { live } from '../../fixtures/claims/claim-promises.ts';
import { scriptedExtractor } from '../../fixtures/claims/scripted-extractor.ts';

const TABS = 2;
const RUNS = Number(import.meta.env['VITE_MNEMORA_RUNS'] ?? 6);
const SEED = Number(import.meta.env['VITE_MNEMORA_SEED'] ?? 27);

/** Two tabs over one database. The first leads, and learns what both are told. */
function inTabs(extractor?: Extractor): Place {
  const learning = { delayMs: 0, ...(extractor ? { extractor } : {}) };
  return {
    isStored: true,
    isModel: extractor !== undefined,
    async open(clock) {
      const tabs: Memory[] = [];
      const name = newId();
      for (let tab = 0; tab < TABS; tab += 1)
        tabs.push(await createMemory({ name, embedder: false, clock, learning }));
      return tabs;
    },
  };
}

const tabs = fc.infiniteStream(fc.nat(TABS - 1));
/** Lives whose steps are taken by either tab. */
const inEither: fc.Arbitrary<Step[]> = fc
  .tuple(lives, tabs)
  .map(([steps, taking]) => steps.slice(0, 9).map((step) => ({ ...step, tab: taking.next().value ?? 0 })));

/** A tab corrects, ends, forgets and rebuilds what the other one was told, and restores an older backup. */
const KNOWN: Step[][] = [
  [
    say('I work at Acme and I live in Porto.'),
    { ...edit('import'), tab: 1 },
    { ...say('We have a dog named Bruno.'), tab: 1 },
    { ...edit('correct'), tab: 1 },
    say('Bruno died last night.'),
    { ...edit('forget claim', 2), tab: 1 },
    edit('end', 1),
    { ...edit('import'), tab: 1 },
    { ...edit('rebuild'), tab: 1 },
  ],
];

it('CLM-16: whatever two tabs say, change, forget, import and rebuild, facts, claims and contexts agree in both', async () => {
  await fc.assert(
    fc.asyncProperty(inEither, (steps) => live(steps, inTabs())),
    { numRuns: RUNS, seed: SEED, examples: KNOWN.map((steps): [Step[]] => [steps]) },
  );
}, 1_800_000);

it('CLM-16: the same holds of what a model reads', async () => {
  await fc.assert(
    fc.asyncProperty(inEither, (steps) => live(steps, inTabs(scriptedExtractor()))),
    { numRuns: RUNS, seed: SEED },
  );
}, 1_800_000);
