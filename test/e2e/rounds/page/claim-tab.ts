import { createMemory, type Memory } from '../../../../src/index.ts';
import { offlineExtractor } from '../../../../src/learning/rules/offline-extractor.ts';
import { scriptedExtractor } from '../../../fixtures/claims/scripted-extractor.ts';

/** What the tests of claims reach a tab through. */
interface ClaimTab {
  /** Opens the memory of this tab at the step with this number. */
  open(options: {
    readonly name: string;
    readonly extractor: 'rules' | 'model';
    readonly step: number;
  }): Promise<void>;
  /** Number of steps of the life. */
  steps(): number;
  /** Begins a step. */
  begin(step: number): void;
  /** Takes a step, and resolves when nothing is left to do. A step that was taken before changes nothing. */
  take(step: number): Promise<void>;
  /** What the memory knows and tells, without ids. */
  state(): Promise<readonly string[]>;
}

declare global {
  interface Window {
    claimTab: ClaimTab;
  }
}

const DAY = 86_400_000;
const START = Date.UTC(2026, 0, 5, 10);
const QUESTION = 'Where do I live and work, and which pets and hobbies do I have?';

let memory: Memory;
let now = 0;

const say = (user: string) => (id: string) =>
  memory.remember({ user, assistant: 'Okay.' }, { turnId: id, sessionId: 'life' });
const withFact = (object: string, change: (id: string) => Promise<unknown>) => async () => {
  const fact = (await memory.facts.list()).find((each) => each.object === object);
  return fact && change(fact.id);
};

const LIFE: readonly ((turnId: string) => Promise<unknown>)[] = [
  say('I work at Acme and I live in Porto.'),
  say('We have a dog named Bruno.'),
  say('I sing in the church choir.'),
  say('My sister Lea is a vet.'),
  withFact('Acme', (id) => memory.facts.correct(id, { object: 'Globex' })),
  say('I quit the choir.'),
  async () => {
    const ender = (await memory.claims.list()).find(({ text }) => text === 'I quit the choir.');
    return ender && memory.forget({ claimId: ender.id });
  },
  say('Bruno died last night.'),
  say('We moved to Faro.'),
  withFact('Faro', (id) => memory.facts.end(id)),
  () => memory.facts.add({ subject: 'me', predicate: 'is allergic to', object: 'nuts' }),
  () => memory.backup.rebuild(),
];

export const claimTab: ClaimTab = {
  async open({ name, extractor, step }) {
    await (memory as Memory | undefined)?.close();
    now = START + step * DAY;
    memory = await createMemory({
      name,
      embedder: false,
      clock: () => now,
      learning: { delayMs: 0, extractor: extractor === 'rules' ? offlineExtractor() : scriptedExtractor() },
    });
  },
  steps: () => LIFE.length,
  begin(step) {
    now = START + step * DAY;
    void LIFE[step]?.(`turn-${step}`);
  },
  async take(step) {
    now = START + step * DAY;
    await memory.work.settled(); // what the killed page had queued comes first
    await LIFE[step]?.(`turn-${step}`);
    await memory.work.settled();
  },
  async state() {
    const claims = await memory.claims.list({ includeHistory: true });
    const textOf = (id: string | undefined): string | undefined =>
      claims.find((claim) => claim.id === id)?.text;
    const facts = await memory.facts.list({ includeUnconfirmed: true });
    const { text } = await memory.session('another').recall(QUESTION);
    return [
      ...claims.map(({ text: said, status, endedAt, endedText, endedBy }) =>
        JSON.stringify([said, status, endedAt, endedText, textOf(endedBy)]),
      ),
      ...facts
        .map(({ subject, predicate, object, source, validFrom }) =>
          JSON.stringify([subject, predicate, object, source, validFrom]),
        )
        .toSorted(),
      // Facts of the same time are told in the order of their ids, which are random.
      ...text
        .replaceAll(/memory-[0-9a-f]+|source [0-9a-f]+/gu, '')
        .split('\n')
        .toSorted(),
      ...(await memory.work.list()).map((job) => JSON.stringify(job)),
      ...(await memory.backup.verify()).problems.map((problem) => JSON.stringify(problem)),
    ];
  },
};
