import * as fc from 'fast-check';
import { it } from 'vitest';
import { createMemory, type Extractor } from '../../../src/index.ts';
import { edit, lives, say, type Place, type Step } from '../../fixtures/claims/claim-lives.ts';
import { live } from '../../fixtures/claims/claim-promises.ts';
import { scriptedLLM } from '../../fixtures/claims/scripted-llm.ts';
import { scriptedExtractor } from '../../fixtures/claims/scripted-extractor.ts';

function inMemory(extractor?: Extractor): Place {
  const learning = extractor ? { extractor } : {};
  return {
    isStored: false,
    isModel: extractor !== undefined,
    open: async (clock) => [await createMemory({ storage: 'memory', embedder: false, clock, learning })],
  };
}

/** Rules read each turn, and then the model. */
const withLLM: Place = {
  ...{ isStored: false, isModel: true, isBatched: true },
  open: async (clock) => [
    await createMemory({
      ...{ storage: 'memory', embedder: false, clock },
      learning: { llm: scriptedLLM(scriptedExtractor()) },
    }),
  ],
};

const forward = lives.map((steps) =>
  steps.map((step) => (step.kind === 'say' ? { ...step, days: Math.abs(step.days) } : step)),
);

const ROME = 2;
const SHELLFISH = 1;

const KNOWN_OF_CLOCKS: Step[][] = [
  // The fact was that of Porto, said at a later time, and the claim that of Faro, said in a later turn.
  [say('I live in Porto.', 0, -10), say('We moved to Faro.')],
  [say('My name is Ana.', 0, -2), say('My name is Ines.', 0, 3), edit('rebuild')],
  // An answer that was learned before what the user had said earlier ended it.
  [say('I quit my job.', ROME, -10), { ...say('I live in Porto.'), session: 1 }],
  // What began after the time of the clock did not hold yet, and what ended after it still did.
  [say('I quit the choir.', 0, -10), say('I live in Porto.')],
  [say('I work at Acme and I live in Porto.', 0, 0), say('I live in Porto.', 0, -10), say('I quit my job.')],
  // The assistant repeated what the user had rejected in another session, which was not known to be earlier.
  [
    { ...say('I live in Porto.', SHELLFISH, 0), session: 1 },
    edit('reject'),
    say('I live in Porto.', 0, -2),
    say('I live in Porto.', SHELLFISH, 0),
    { ...say('I live in Porto.', 0, 0), session: 1 },
  ],
  // After a rebuild, what had been over at once, at the same time, ended the correction of what came after it.
  [
    say('I live in Porto.', 0, -2),
    say('We moved to Faro.', 0, 0),
    { ...say('I live in Porto.', 0, 0), session: 1 },
    say('I quit my job.', 0, 0),
    edit('correct'),
  ],
];

const KNOWN_OF_CLOCKS_AND_MODEL: Step[][] = [
  // The dog had died in another session, before it was told of: a rebuild, in the order of time, did not end it.
  [
    { ...say('We have a dog named Bruno.', 0, -10), session: 1 },
    say('Bruno died last night.'),
    say('I live in Porto.'),
  ],
];

/** Lives that once ended otherwise. */
const KNOWN: Step[][] = [
  // Forgetting the job left it in the history, as what was quit.
  [say('I work as a nurse at Globex.'), say('I quit my job.'), edit('forget claim')],
  // The correction was taken for what had been quit before.
  [say('I quit my job.'), say('I work at Acme and I live in Porto.'), edit('correct')],
  // Forgetting "scratch that" also forgot what it had taken back.
  [say("I'm not vegan anymore."), say('Scratch that.'), edit('forget claim', 1)],
  // What is forgotten was confirmed, and stayed as rejected.
  [say('My name is Ines.', SHELLFISH), edit('accept'), edit('forget fact', 1)],
  [say('I live in Porto.'), edit('end'), say('I live in Porto.')],
  // The answer was not learned, because it contradicted the user then.
  [say('I live in Porto.'), say('My piano lesson moved to 19:30.', ROME), edit('end')],
  // What the user adds ends what was said when the clock was ahead.
  [say('I live in Porto.', 0, -10), edit('add')],
  [say('I sing in the church choir.'), edit('forget message'), say('My name is Ines.')],
  // After a rebuild, "scratch that" took back the message before the one that it had been about.
  [say('I live in Porto.'), say('My name is Ana.'), say('Scratch that.'), edit('forget message', 2)],
  // Of two facts of a claim that were over, the one that was stored first had ended it.
  [
    say('I work at Acme and I live in Porto.'),
    say('I work as a nurse at Globex.'),
    edit('correct'),
    edit('correct', 1),
    edit('pin', 1),
  ],
  // The employer was said again after another one, which was forgotten: "nurse at Globex" was retracted as a whole.
  [
    say('I work as a nurse at Globex.', 0, 0),
    edit('correct'),
    say('I work at Acme and I live in Porto.', 0, 0),
    say('I work as a nurse at Globex.', 0, 0),
    edit('forget message', 2),
  ],
];
const KNOWN_OF_MODEL: Step[][] = [
  [say('I live in Porto.'), say('I quit my job.'), say('Thanks, that was helpful!', ROME), edit('accept')],
  [say('We moved to Faro.'), say('I quit my job.'), edit('pin', 1)],
  // The sentence is too weak for a claim of its own, and was marked while its fact was told.
  [say('Bruno died last night.'), say('Scratch that.')],
  // The correction was corrected, and the whole sentence was marked, with the job.
  [say('I work at Acme and I live in Porto.'), edit('correct'), say('My name is Ana.'), edit('correct', 1)],
  // The girlfriend was taken back with the sentence, and stayed a fact.
  [say('My girlfriend Marta is a nurse.'), say('Scratch that.')],
  // The answer was rejected, and the turn was only marked for what the user had said in it.
  [
    say('I quit my job.', ROME, 0),
    edit('correct'),
    say('I work as a nurse at Globex.', 0, 0),
    edit('reject'),
    say('I live in Porto.'),
  ],
];

/** What was taken back had replaced what said the same. */
const SAID_TWICE: readonly (readonly [how: string, steps: Step[]])[] = [
  [
    'in another session, at a time before it',
    [
      { ...say('I live in Porto.', 0, 0), session: 1 },
      { ...say('Scratch that.', 0, -10), session: 1 },
      say('I live in Porto.'),
    ],
  ],
  [
    'before something that was forgotten',
    [
      say('I live in Porto.'),
      say('We moved to Faro.'),
      say('I live in Porto.'),
      say('Scratch that.'),
      edit('forget message', 2),
    ],
  ],
];

it.each(SAID_TWICE)('CLM-24: what was said %s holds', async (_how, steps) => {
  await live(steps, inMemory(scriptedExtractor()));
});

const SEED = Number(process.env['MNEMORA_SEED'] ?? 27);
/** By how much `npm run test:soak` multiplies the runs. */
const TIMES = Number(process.env['MNEMORA_TIMES'] ?? 1);

it(
  'CLM-3: whatever is said, changed and forgotten, facts, claims and contexts agree, also after a rebuild',
  async () => {
    const examples = KNOWN.map((steps): [Step[]] => [steps]);
    await fc.assert(
      fc.asyncProperty(forward, (steps) => live(steps, inMemory())),
      { numRuns: 16 * TIMES, seed: SEED, examples },
    );
  },
  300_000 * TIMES,
);

it(
  'CLM-3: the same holds of what a model reads, whatever it says to be over',
  async () => {
    const examples = KNOWN_OF_MODEL.map((steps): [Step[]] => [steps]);
    await fc.assert(
      fc.asyncProperty(forward, (steps) => live(steps, inMemory(scriptedExtractor()))),
      { numRuns: 12 * TIMES, seed: SEED, examples },
    );
  },
  300_000 * TIMES,
);

it(
  'CLM-4: the same holds with clocks that are put forward and back',
  async () => {
    const examples = KNOWN_OF_CLOCKS.map((steps): [Step[]] => [steps]);
    await fc.assert(
      fc.asyncProperty(lives, (steps) => live(steps, inMemory())),
      { numRuns: 8 * TIMES, seed: SEED, examples },
    );
    await fc.assert(
      fc.asyncProperty(lives, (steps) => live(steps, inMemory(scriptedExtractor()))),
      {
        numRuns: 6 * TIMES,
        seed: SEED,
        examples: KNOWN_OF_CLOCKS_AND_MODEL.map((steps): [Step[]] => [steps]),
      },
    );
  },
  300_000 * TIMES,
);

it(
  'CLM-28: the same holds of what rules and then a model read',
  async () => {
    await fc.assert(
      fc.asyncProperty(forward, (steps) => live(steps, withLLM)),
      {
        numRuns: 10 * TIMES,
        seed: SEED,
        examples: [...KNOWN, ...KNOWN_OF_MODEL].map((steps): [Step[]] => [steps]),
      },
    );
  },
  300_000 * TIMES,
);
