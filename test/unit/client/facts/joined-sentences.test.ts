import { beforeEach, expect, it } from 'vitest';
import type { Memory } from '../../../../src/index.ts';
import { memoryOf } from '../../../fixtures/open-memory.ts';

const DAY = 86_400_000;

let now: number;
let memory: Memory;
beforeEach(async () => {
  now = Date.UTC(2026, 0, 1);
  memory = await memoryOf({ storage: 'memory', learning: { delayMs: 0 }, clock: () => now });
});

/** Says one sentence a day. */
async function say(...sentences: readonly string[]): Promise<void> {
  for (const user of sentences) {
    now += DAY;
    await memory.remember({ user, assistant: 'Okay.' });
  }
  await memory.work.settled();
}

async function told(): Promise<string[]> {
  return (await memory.facts.list()).map(({ subject, predicate, object }) =>
    [subject, predicate, object].join(' '),
  );
}

async function profile(): Promise<string[]> {
  return (await memory.profile()).map(({ text }) => text);
}

it.each([
  ['a move', 'I live in Lyon and I am allergic to nuts.', 'I moved to Paris.'],
  ['a newer job', 'I work as a nurse and I am allergic to nuts.', 'I work at Mercy Hospital.'],
])(
  'PROF-17: %s takes no allergy out of the profile that the same sentence tells',
  async (_, ...sentences) => {
    await say(...sentences);
    expect((await profile()).join(' ')).toContain('allergic to nuts');
  },
);

it.each([
  ['We rent in Lyon and I work at Renault.', 'We moved to Paris.'],
  ['I’ve a flat in Lyon and I work at Renault.', 'We moved to Paris.'],
  ["J'habite à Lyon et je travaille chez Renault.", "J'ai déménagé à Paris."],
])('CLM-48: "%s" has two subjects, and a move ends no job', async (sentence, move) => {
  await say(sentence, move);
  expect(await told()).toEqual(expect.arrayContaining(['user works at Renault', 'user lives in Paris']));
});

it('CLM-48: what the second half says is told without the first, in German', async () => {
  await say('Ich wohne in Lyon und ich bin allergisch gegen Nüsse.', 'Ich wohne jetzt in Paris.');
  const { text } = await memory.session('another').recall('Was soll ich kochen?');
  expect(text).toContain('ich bin allergisch gegen Nüsse');
});

it('CLM-49: French "ma" means "my" and joins nothing, Italian "ma" does', async () => {
  await say(
    'Je travaille chez Renault et ma fille est allergique aux noix.',
    'Je ne travaille plus chez Renault.',
  );
  expect(await profile()).toEqual(['ma fille est allergique aux noix.']);
});

it.each([
  ['I am allergic to nuts and I work at Acme.', ['user is allergic to nuts', 'user works at Acme']],
  [
    'I like tea, I work at Acme and I drive a truck.',
    ['user likes tea', 'user works at Acme', 'user drives truck'],
  ],
  ['Tom likes jazz and he plays the drums.', ['Tom likes jazz', 'Tom plays drums']],
  ['Tom and I work at Acme.', ['Tom works at Acme', 'user works at Acme']],
])('RULE-99: in "%s", a subject with its own verb is no further object', async (sentence, facts) => {
  await say(sentence);
  expect(await told()).toEqual(facts);
});

it.each(['user', 'offline', 'statedBy'])(
  'FGT-78: forgetting "%s" erases no fact in which nobody has said it',
  async (text) => {
    await say('Tom owns a bakery.', `Each ${text} of the pool gets a key.`);
    await memory.forget({ text });
    expect(await told()).toContain('Tom owns bakery');
  },
);

it('FGT-79: forgetting "me" erases what is known about the user, and nothing about others', async () => {
  await say('I am allergic to nuts.', 'Allergic to penicillin, too.', 'Tom owns a bakery.');
  await memory.forget({ entity: 'me' });
  expect(await told()).toEqual(['Tom owns bakery']);
  expect(await profile()).toEqual([]);
  await memory.backup.rebuild();
  await memory.work.settled();
  expect(await told()).toEqual(['Tom owns bakery']);
  expect(await profile()).toEqual([]);
});
