import { expect, it } from 'vitest';
import { createMemory, type Memory } from '../../../src/index.ts';

const LETTER = `Can you make my cover letter sound warmer?

Dear Ms Keller,

I have repaired violins in my own workshop since 2009. I moved to Trieste in 2019 because my wife teaches there. The salary is negotiable.

I would be glad to join your atelier in March.

With kind regards,
Ivo Marsh`;

async function remembering(...said: readonly string[]): Promise<Memory> {
  const memory = await createMemory({ storage: 'memory', embedder: false, onWarning: () => undefined });
  for (const user of said) await memory.remember({ user, assistant: 'Okay.' });
  await memory.work.settled();
  return memory;
}

const waiting = async (memory: Memory): Promise<string[]> =>
  (await memory.review.list()).map(({ text }) => text);

const REPAIRS = 'I have repaired violins in my own workshop since 2009.';
const MOVED = 'I moved to Trieste in 2019 because my wife teaches there.';

it('CLM-30: what a cover letter says in the first person waits for review, word for word', async () => {
  const memory = await remembering(LETTER);
  const asked = await memory.review.list();
  expect(asked.map(({ text }) => text)).toEqual(expect.arrayContaining([REPAIRS, MOVED]));
  expect(asked.map(({ text }) => text).join(' ')).not.toContain('negotiable');
  expect(asked[0]).toMatchObject({
    speaker: 'document',
    fact: { subject: 'user', predicate: 'says', sources: [{ quote: asked[0]?.text }] },
  });
  expect(await memory.facts.list({ includeUnconfirmed: true, includeHistory: true })).toEqual([]);
  const claims = await memory.claims.list({ includeUnconfirmed: true });
  expect(claims.find(({ text }) => text === MOVED)?.status).toBe('unconfirmed');
  await memory.close();
});

it('CLM-30: at most five claims of a text are asked about, and equal ones of several texts once', async () => {
  const said = [
    'I worked as a joiner in Ghent for six years.',
    'My sister and I restored a chapel organ in 2016.',
    'We lived in Porto until my son was born.',
    'I speak Dutch, Portuguese and some Slovene.',
    'I have taught evening classes since my accident.',
    'My knees do not allow heavy lifting any more.',
    'I play the viola in an amateur quartet.',
  ];
  const letter = LETTER.replace('The salary is negotiable.', said.join(' '));
  const memory = await remembering(letter, letter);
  const asked = await waiting(memory);
  expect(new Set(asked).size).toBe(asked.length);
  expect(asked).toHaveLength(5);
  await memory.close();
});

it('CLM-30: what the user says elsewhere as their own talk is not asked', async () => {
  const memory = await remembering(MOVED, LETTER);
  expect(await waiting(memory)).not.toContain(MOVED);
  expect(await waiting(memory)).toContain(REPAIRS);
  await memory.close();
});

it('CLM-30: a text that the page marks as a document is not asked about', async () => {
  const memory = await createMemory({ storage: 'memory', embedder: false, onWarning: () => undefined });
  const content = [{ type: 'text', text: LETTER, origin: 'document' } as const];
  await memory.remember({
    messages: [
      { role: 'user', content },
      { role: 'assistant', content: 'Okay.' },
    ],
  });
  await memory.remember({
    messages: [
      { role: 'user', name: 'Ivo', content: LETTER },
      { role: 'assistant', content: 'Okay.' },
    ],
  });
  await memory.work.settled();
  expect(await waiting(memory)).toEqual([]);
  await memory.close();
});

async function decide(memory: Memory, text: string, how: 'accept' | 'reject'): Promise<void> {
  const item = (await memory.review.list()).find((each) => each.text === text);
  await memory.review[how](item?.id ?? '');
}

const statusOf = async (memory: Memory, text: string): Promise<string | undefined> => {
  const claims = await memory.claims.list({ includeUnconfirmed: true, includeHistory: true });
  return claims.find((claim) => claim.text === text)?.status;
};

it('CLM-31: an accepted claim holds, a rejected one is rejected, and neither is asked again after a rebuild', async () => {
  const memory = await remembering(LETTER);
  const count = (await waiting(memory)).length;
  await decide(memory, REPAIRS, 'accept');
  await decide(memory, MOVED, 'reject');
  for (const step of ['decided', 'rebuilt']) {
    if (step === 'rebuilt') await memory.backup.rebuild();
    expect(await statusOf(memory, REPAIRS), step).toBe('holds');
    expect(await statusOf(memory, MOVED), step).toBe('rejected');
    expect((await memory.claims.list()).map(({ text }) => text)).toEqual([REPAIRS]);
    expect(await waiting(memory), step).toHaveLength(count - 2);
    const facts = await memory.facts.list();
    expect(facts.map(({ predicate, object, speaker }) => [speaker, predicate, object])).toEqual([
      ['user', 'says', REPAIRS],
    ]);
    expect((await memory.recall('Where is my violin workshop?')).text).toContain(REPAIRS);
  }
  await memory.close();
});

it('CLM-31: a decided claim is not decided twice, and a forgotten one is not asked again', async () => {
  const memory = await remembering(LETTER);
  const [first, second] = await memory.review.list();
  await memory.review.accept(first?.id ?? '');
  await expect(memory.review.accept(first?.id ?? '')).rejects.toMatchObject({ code: 'not-found' });
  await expect(memory.review.reject(first?.id ?? '')).rejects.toMatchObject({ code: 'not-found' });
  const [fact] = await memory.facts.list();
  await memory.forget({ factId: fact?.id ?? '' });
  await memory.forget({ claimId: second?.id ?? '' });
  await memory.backup.rebuild();
  expect(await memory.facts.list({ includeUnconfirmed: true, includeHistory: true })).toEqual([]);
  const left = await waiting(memory);
  expect(left).not.toContain(first?.text);
  expect(left).not.toContain(second?.text);
  await memory.close();
});

it('CLM-31: a text that is pasted again, with more in it, asks only what was not decided', async () => {
  const memory = await remembering(LETTER);
  await decide(memory, REPAIRS, 'accept');
  await decide(memory, MOVED, 'reject');
  const again = LETTER.replace('The salary is negotiable.', 'I speak Italian and Slovene.');
  await memory.remember({ user: again, assistant: 'Okay.' });
  await memory.work.settled();
  const asked = await waiting(memory);
  expect(asked).toContain('I speak Italian and Slovene.');
  expect(asked).not.toContain(REPAIRS);
  expect(asked).not.toContain(MOVED);
  await memory.close();
});

// cspell:disable
it.each([
  [
    'German',
    'Kannst du mein Anschreiben freundlicher machen?\n\nSehr geehrte Frau Keller,\n\nich repariere seit 2009 Geigen in meiner eigenen Werkstatt. Ich bin 2019 nach Triest gezogen.\n\nMit freundlichen Grüßen\nIvo Marsh',
    'Ich bin 2019 nach Triest gezogen.',
  ],
  [
    'French',
    'Peux-tu améliorer ma lettre de motivation ?\n\nMadame,\n\nJe répare des violons dans mon atelier depuis 2009. J’habite à Trieste depuis 2019.\n\nCordialement,\nIvo Marsh',
    'J’habite à Trieste depuis 2019.',
  ],
  // cspell:enable
])('CLM-30: a letter in %s is asked about, too', async (_, letter, claim) => {
  const memory = await remembering(letter);
  expect(await waiting(memory)).toContain(claim);
  await memory.close();
});
