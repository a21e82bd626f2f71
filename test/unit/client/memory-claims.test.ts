import { afterEach, beforeEach, expect, it } from 'vitest';
import { createMemory, type Extractor, type Memory } from '../../../src/index.ts';

const DAY = 86_400_000;

let memory: Memory;
let now: number;

beforeEach(async () => {
  now = Date.UTC(2026, 0, 5, 10);
  memory = await createMemory({ storage: 'memory', embedder: false, clock: () => now });
});

afterEach(() => memory.close());

async function say(user: string, sessionId = memory.sessionId): Promise<string> {
  const { messageIds } = await memory.session(sessionId).remember({ user, assistant: 'Okay.' });
  await memory.work.settled();
  now += DAY;
  return messageIds[0] ?? '';
}

const claims = (): ReturnType<Memory['claims']['list']> => memory.claims.list({ includeHistory: true });

async function facts(): Promise<string[]> {
  return (await memory.facts.list()).map(
    ({ subject, predicate, object }) => `${subject} ${predicate} ${object}`,
  );
}

/** What a new session is told when it asks. */
async function told(question: string): Promise<string> {
  return (await memory.session('another').recall(question)).text;
}

it('CLM-1: claims are clauses of the user, word for word and with their places, in the order in which they were said', async () => {
  const text = 'Hi! My sister Ana is a vet. How are you?';
  const messageId = await say(text);
  await say('I live in Porto.');
  const [first, second, ...others] = await claims();
  expect(others).toEqual([]);
  expect(first).toMatchObject({
    messageId,
    text: 'My sister Ana is a vet.',
    speaker: 'user',
    status: 'holds',
  });
  expect(text.slice(first?.start, first?.end)).toBe(first?.text);
  expect(second).toMatchObject({ text: 'I live in Porto.', saidAt: now - DAY });
  const about = await memory.claims.list({ about: 'Ana' });
  expect(about.map((claim) => claim.id)).toEqual([first?.id]);
  const ids = (await memory.facts.list({ about: 'Ana' })).map((fact) => fact.id);
  expect(new Set(first?.factIds)).toEqual(new Set(ids));
});

it('CLM-2: what ended is marked with its words, and what stands beside it holds', async () => {
  await say('My daughter is allergic to peanuts and does ballet on Saturdays.');
  const later = await say('My daughter quit ballet.');
  const [claim, ender] = await claims();
  expect(claim).toMatchObject({
    status: 'ended',
    endedText: 'does ballet on Saturdays.',
    endedBy: ender?.id,
    endedAt: now - DAY,
  });
  expect(ender).toMatchObject({ messageId: later, status: 'holds' });
  expect(await told('What snack can I give my daughter?')).toContain(
    'no longer true since 2026-01-06: "does ballet',
  );
  expect((await memory.profile()).map((line) => line.text).join()).toContain('allergic to peanuts');
});

it('CLM-3: a fact and the sentence that it came from end together, whichever of them ends', async () => {
  await say('I work at Acme and I live in Porto.');
  await say('My name is Ana.');
  await say('I quit my job.');
  await say('My name is Ines.');
  expect(await facts()).toEqual(['user lives in Porto', 'user is named Ines']);
  expect((await claims()).map(({ status, text, endedText = text }) => [status, endedText])).toEqual([
    ['ended', 'I work at Acme'],
    ['ended', 'My name is Ana.'],
    ['holds', 'I quit my job.'],
    ['holds', 'My name is Ines.'],
  ]);
  expect((await memory.claims.list()).map(({ text }) => text)).not.toContain('My name is Ana.');
  const graph = await memory.facts.graph();
  expect(graph.triples().map(({ object }) => object)).toEqual(['Porto', 'Ines']);
  const held = await memory.facts.list({ validAt: Date.UTC(2026, 0, 6) });
  expect(held.map(({ object }) => object)).toContain('Acme');
});

it('CLM-3: a friend who moves, or a dog that grows older, is still there; who dies is not', async () => {
  await say('My friend Sam lives in Rome.');
  await say('My dog Bo is 3 years old.');
  await say('Sam moved to Turin.');
  await say('Bo is 4 now.');
  expect(await facts()).toEqual(expect.arrayContaining(['user has friend Sam', 'user has dog Bo']));
  await say('Bo died last night.');
  expect(await facts()).not.toContain('user has dog Bo');
});

it('CLM-4: within a session the order of the turns decides what ended, whatever the clock says', async () => {
  await say('I sing in the church choir.');
  now -= 30 * DAY;
  await say('I quit the choir.');
  expect((await claims())[0]).toMatchObject({ text: 'I sing in the church choir.', status: 'ended' });
});

it('CLM-4: what is said after the clock was put back begins after what was said before, and is told at once', async () => {
  await say('I live in Porto.');
  now -= 30 * DAY;
  const messageId = await say('We moved to Faro.');
  expect(await facts()).toEqual(['user lives in Faro']);
  expect((await claims()).map(({ text, status }) => [text, status])).toEqual([
    ['I live in Porto.', 'ended'],
    ['We moved to Faro.', 'holds'],
  ]);
  const [message] = (await memory.history()).filter(({ id }) => id === messageId);
  expect(message?.createdAt).toBe(now - DAY);
  await memory.backup.rebuild();
  expect(await facts()).toEqual(['user lives in Faro']);
});

it('CLM-4: a session that was continued on two devices has the order of its turns after an import', async () => {
  await say('I live in Porto.');
  const backup = await memory.backup.export();
  await say('How do I cook rice?');
  const other = await createMemory({ storage: 'memory', embedder: false, clock: () => now - 60 * DAY });
  await other.backup.import(backup);
  await other.session(memory.sessionId).remember({ user: 'We moved to Faro.', assistant: 'Okay.' });
  await other.work.settled();
  await memory.backup.import(await other.backup.export());
  await other.close();
  await memory.backup.rebuild();
  expect((await memory.history()).at(-1)?.seq).toBe(5);
  expect(await facts()).toEqual(['user lives in Faro']);
});

it('CLM-17: "scratch that" and a short answer are about the message before, and about nothing if that was forgotten', async () => {
  await say('I live in Porto.');
  const { turnId } = await memory.remember({
    user: 'My sister Lea is a vet.',
    assistant: 'Where does she work?',
  });
  await say('Scratch that.');
  const before = await facts();
  expect(before).toEqual(['user lives in Porto']);
  await memory.remember({ user: 'Hello!', assistant: 'Which city do you work in?' });
  const asked = await memory.remember({ user: 'What is rice?', assistant: 'A grain. Do you like it?' });
  await say('Braga.');
  await memory.forget({ turnId });
  await memory.forget({ turnId: asked.turnId });
  await memory.backup.rebuild();
  expect(await facts()).toEqual(before);
  expect((await claims()).map(({ text }) => text)).not.toContainEqual(expect.stringContaining('city'));
});

it('CLM-6: facts that the user adds and ends are their own word, also after rebuild', async () => {
  await say('I work at Acme.');
  await memory.facts.add('I live in Porto.');
  const added = await memory.facts.add({ subject: 'me', predicate: 'is allergic to', object: 'nuts' });
  expect(added).toMatchObject({ subject: 'user', source: 'user', speaker: 'user' });
  const job = (await memory.facts.list()).find(({ object }) => object === 'Acme');
  await memory.facts.end(job?.id ?? '');
  const expected = ['user lives in Porto', 'user is allergic to nuts'];
  expect(await facts()).toEqual(expected);
  expect((await claims())[0]).toMatchObject({ status: 'ended', endedAt: now });
  expect(await told('Where do I work?')).toContain('no longer true since 2026-01-06: "I work at Acme."');
  await memory.backup.rebuild();
  expect((await facts()).toSorted()).toEqual(expected.toSorted());
  expect((await claims())[0]?.status).toBe('ended');
  await expect(memory.facts.add('Lorem ipsum dolor.')).rejects.toMatchObject({ code: 'invalid-input' });
  await expect(memory.facts.add({ subject: 'me' } as never)).rejects.toMatchObject({ code: 'invalid-input' });
  await expect(memory.facts.end('none')).rejects.toMatchObject({ code: 'not-found' });
});

it('CLM-7: what the user corrects was never so, also when the correction is forgotten', async () => {
  await say('I live in Porto and I work at Acme.');
  const home = (await memory.facts.list()).find(({ object }) => object === 'Porto');
  const corrected = await memory.facts.correct(home?.id ?? '', { object: 'Faro' });
  expect((await claims())[0]).toMatchObject({ status: 'retracted', endedText: 'I live in Porto' });
  await memory.forget({ factId: corrected.id });
  expect((await claims())[0]).toMatchObject({ status: 'rejected', endedText: 'I live in Porto' });
  expect(await facts()).toEqual(['user works at Acme']);
  const text = await told('Where do I live?');
  expect(text).toContain('rejected by the user: "I live in Porto"');
  expect(text).not.toContain('Faro');
  await memory.backup.rebuild();
  expect(await facts()).toEqual(['user works at Acme']);
});

it('CLM-8: what the user rejects is told as rejected, and is not learned again', async () => {
  await memory.remember({ user: 'What do you know of me?', assistant: 'You are allergic to shellfish.' });
  await memory.work.settled();
  const [item] = await memory.review.list();
  await memory.review.reject(item?.id ?? '');
  const shows = async (): Promise<void> => {
    expect(await memory.review.list()).toEqual([]);
    expect(await memory.facts.list({ includeUnconfirmed: true })).toEqual([]);
    const text = await told('Am I allergic to shellfish?');
    if (text.includes('shellfish')) expect(text).toContain('rejected by the user');
  };
  await shows();
  await memory.backup.rebuild();
  await shows();
});

it('CLM-9: forgetting an end restores what it ended, and forgetting a claim takes the facts that only it says', async () => {
  await say('I sing in the church choir.');
  await say('My sister Ana is a vet.');
  await say('I quit the choir.');
  const [choir, sister, end] = await claims();
  expect(choir?.status).toBe('ended');
  await memory.forget({ claimId: end?.id ?? '' });
  expect((await claims())[0]).toMatchObject({ id: choir?.id, status: 'holds' });
  await memory.forget({ claimId: sister?.id ?? '' });
  expect((await claims()).map(({ id }) => id)).toEqual([choir?.id]);
  expect(await facts()).not.toContain('Ana is a vet');
  await memory.backup.rebuild();
  expect((await claims()).map(({ id, status }) => [id, status])).toEqual([[choir?.id, 'holds']]);
  expect(await facts()).not.toContain('Ana is a vet');
  await expect(memory.forget({ claimId: 'none' })).rejects.toMatchObject({ code: 'not-found' });
});

it('CLM-12: a model ends what the user said, and nothing that they entered, corrected or pinned', async () => {
  const extractor: Extractor = {
    id: 'scripted',
    isModel: true,
    extract: async ({ messages, facts: known }) => ({
      mentions: [],
      unreadable: 0,
      triples: messages.flatMap(({ id, role, text }) => {
        const [, predicate = '', object = ''] = /^I (lives in|likes|works at) (\w+)/u.exec(text) ?? [];
        if (role !== 'user' || object === '') return [];
        const supersedes = known.filter((fact) => fact.predicate === predicate).map((fact) => fact.id);
        return [{ subject: 'user', predicate, object, messageId: id, quote: text, supersedes }];
      }),
    }),
    summarize: async ({ summary }) => summary,
  };
  await memory.close();
  const learning = { extractor, delayMs: 0 };
  memory = await createMemory({ storage: 'memory', embedder: false, clock: () => now, learning });
  await say('I likes tea a lot.');
  await say('I likes coffee a lot.');
  expect(await facts()).toEqual(['user likes coffee']);
  await say('I works at Acme these days.');
  const [, job] = await memory.facts.list();
  await memory.facts.pin(job?.id ?? '');
  await memory.facts.add({ subject: 'me', predicate: 'lives in', object: 'Porto' });
  await say('I lives in Faro these days.');
  await say('I works at Globex these days.');
  const held = await facts();
  expect(held).toEqual(expect.arrayContaining(['user works at Acme', 'user lives in Porto']));
  expect(held).not.toContain('user lives in Faro');
});

it('CLM-21: what is not the user’s own talk is unconfirmed: told on request, ends nothing, and is forgotten with its turn', async () => {
  await say('I live in Porto.');
  const paste = await say('Translate this: I live in Faro. My sister Ana is a vet.');
  expect((await claims()).map(({ text, status }) => [text, status])).toEqual([['I live in Porto.', 'holds']]);
  const all = await memory.claims.list({ includeUnconfirmed: true });
  expect(all.map(({ text, status, speaker }) => [text, status, speaker])).toEqual([
    ['I live in Porto.', 'holds', 'user'],
    ['I live in Faro.', 'unconfirmed', 'document'],
    ['My sister Ana is a vet.', 'unconfirmed', 'document'],
  ]);
  const [, faro] = all;
  expect(faro?.messageId).toBe(paste);
  expect('Translate this: I live in Faro. My sister Ana is a vet.'.slice(faro?.start, faro?.end)).toBe(
    faro?.text,
  );
  expect(await facts()).toEqual(['user lives in Porto']);
  expect(await memory.profile()).toEqual([]);
  expect(await told('Where do I live?')).not.toMatch(/(?:known|words)\][^[]*Faro/iu);
  expect((await memory.search('sister vet')).map(({ message }) => message.id)).toContain(paste);
  await memory.forget({ claimId: faro?.id ?? '' });
  const left = await memory.claims.list({ includeUnconfirmed: true });
  expect(left.map(({ text }) => text)).toEqual(['I live in Porto.', 'My sister Ana is a vet.']);
  await memory.backup.rebuild();
  expect((await memory.claims.list({ includeUnconfirmed: true })).map(({ text }) => text)).toEqual(
    left.map(({ text }) => text),
  );
  await memory.forget({ messageId: paste });
  expect(await memory.claims.list({ includeUnconfirmed: true })).toHaveLength(1);
});

it('CLM-21: games, stories and hypotheses are learned by nobody, and leave no question in review', async () => {
  await say('I live in Porto.');
  await say('Pretend I am a pirate. My name is Redbeard. I live in Tortuga.');
  expect(await facts()).toEqual(['user lives in Porto']);
  expect(await memory.review.list()).toEqual([]);
});

it.each([
  ['I work at Acme.', 'I quit my job at Acme yesterday.'],
  ['We have a dog named Bruno.', 'We buried Bruno on Sunday.'],
  ['I am married to Ana.', 'I left Ana in May.'],
])('CLM-3: "%s" ends as a claim and as a fact with "%s"', async (earlier, later) => {
  await say(earlier);
  const before = await facts();
  await say(later);
  const [claim] = await claims();
  expect(claim?.status).toBe('ended');
  for (const fact of before) expect(await facts()).not.toContain(fact);
});

it('CLM-25: what a partner is stays true when the relation is over, and is not told of the user', async () => {
  await say('My girlfriend Marta is a nurse.');
  await say('We broke up.');
  expect((await claims())[0]).toMatchObject({ status: 'ended', endedText: 'My girlfriend Marta' });
  expect(await facts()).toEqual(['Marta is a nurse', 'user broke up with Marta']);
  expect((await memory.profile()).map(({ text }) => text)).not.toContainEqual(expect.stringMatching(/^is /u));
  expect(await told('Do I have a girlfriend?')).toContain(
    'no longer true since 2026-01-06: "My girlfriend Marta"',
  );
});

it.each([
  [{ subject: 'user', predicate: 'likes', object: '\u200B' }, /object of a fact must have a letter/u],
  [{ subject: '\u2060', predicate: 'likes', object: 'tea' }, /subject of a fact must have a letter/u],
  [
    { subject: 'user', predicate: 'likes', object: 'tea', validTo: '2026' },
    /validTo .*not the string '2026'/u,
  ],
])('CLM-6: %j is rejected and changes nothing', async (fact, message) => {
  await expect(memory.facts.add(fact as never)).rejects.toMatchObject({
    code: 'invalid-input',
    message: expect.stringMatching(message) as string,
  });
  expect(await facts()).toEqual([]);
});

it('CLM-1: a clause that only corrects the value of the claim before it is a claim, too', async () => {
  await say('I moved to Ghent in 2014; it was in fact 2013.');
  expect((await claims()).map(({ text }) => text)).toContain('it was in fact 2013.');
});
