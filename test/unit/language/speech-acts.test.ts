import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stretchesNotOwn } from '../../../src/language/speech-acts.ts';
import { joined, type Span } from '../../../src/language/text-spans.ts';
import MESSAGES from '../../fixtures/data/speech-acts.json' with { type: 'json' };

/** Returns the parts of a message that are the user's own talk, with `…` in place of all others. */
function own(message: string): string {
  let at = 0;
  let left = '';
  for (const { start, end } of stretchesNotOwn(message)) {
    if (end <= at) continue;
    left += `${message.slice(at, Math.max(at, start))}…`;
    at = end;
  }
  return (left + message.slice(at)).trim();
}

const acts = (message: string): string[] => [...new Set(stretchesNotOwn(message).map(({ act }) => act))];

describe('speech acts', () => {
  it.each([
    ['He goes “I sold my boat to a monk” all the time.', 'He goes … all the time.'],
    ['The sign says "we are closed and I am sleeping".', 'The sign says ….'],
    ["the note: 'I took the ladder' and nothing else", 'the note: … and nothing else'],
    ['Sie meinte „ich ziehe nach Graz“ und ging.', 'Sie meinte … und ging.'],
    ['My favorite novel is "The Sea, the Sea".', 'My favorite novel is "The Sea, the Sea".'],
    ['we call the cat "Mister Fluff"', 'we call the cat "Mister Fluff"'],
    ['I told my aunt "I am not coming" and hung up.', 'I told my aunt "I am not coming" and hung up.'],
    [
      "it's Ann's birthday and it's raining on Tom's tent",
      "it's Ann's birthday and it's raining on Tom's tent",
    ],
  ])(
    'SRC-18: between quotation marks somebody else speaks, unless it is a title or the user: %s',
    (message, left) => {
      expect(own(message)).toBe(left);
    },
  );

  it.each([
    ['My neighbor wrote: I sell my canoe. I leave on Friday.', 'My neighbor wrote: …'],
    ['Then Otto texted me I passed the exam', 'Then Otto texted me …'],
    ['I grew up in Bergen, said Ola.', '…, said Ola.'],
    ['my doctor says I am anemic', 'my doctor says I am anemic'],
    ['My wife says I snore.', 'My wife says I snore.'],
    ['I said I would pay.', 'I said I would pay.'],
    [
      'She wrote: take the bus. I live near the station, so fine.',
      'She wrote: …I live near the station, so fine.',
    ],
  ])(
    'SRC-19: what others are told to have said is theirs, and what is said about the user is not: %s',
    (message, left) => {
      expect(own(message)).toBe(left);
    },
  );

  it.each([
    ['Translate this: I own two goats.', 'Translate this: …'],
    ['how do you say I own two goats in Danish?', 'how do you say … in Danish?'],
    [
      'Could you make it sound friendlier?\n\nI own two goats and want my money back.',
      'Could you make it sound friendlier?\n\n…',
    ],
    ['I own two goats and a mule.\n\nPlease proofread this.', '…Please proofread this.'],
    ['who is right here\n\nOla\nI paid\n\nKim\nI paid twice\n\nOla\nno', 'who is right here\n\n…'],
    ['Rate these:\n- I own two goats\n- I sell rugs', 'Rate these:\n…'],
    ['Plan my week: I work on Mondays.', 'Plan my week: I work on Mondays.'],
    ['Write to my landlord that I move out in May.', 'Write to my landlord that I move out in May.'],
    [
      'Can you help me?\n\nI own two goats and one of them limps.',
      'Can you help me?\n\nI own two goats and one of them limps.',
    ],
    [
      'Can you fix my sleep? I go to bed at 2am.\nI live in Leeds.',
      'Can you fix my sleep? I go to bed at 2am.\nI live in Leeds.',
    ],
  ])(
    'SRC-20: a text to work on is material, in front of the request, behind and below it: %s',
    (message, left) => {
      expect(own(message)).toBe(left);
    },
  );

  it.each([
    'Pretend I am a pirate. I live on a raft.',
    "Let's play a game. You are a troll. I own this bridge.",
    'Assume I earn 90,000 a year.',
    'Imagine this. I live on Mars.',
    'What if I moved to Bergen?',
    'if i had three boats i would sell two',
    'Stell dir vor, ich wohne auf einem Turm.',
  ])('SRC-21: games, stories and hypotheses are supposed: %s', (message) => {
    expect(acts(message)).toContain('supposed');
  });

  it('SRC-21: a hypothesis ends with its question, and what is said to be true in it is', () => {
    expect(own("Let's say I hire two cooks: do I pay more tax? I sell soup today.")).toBe(
      '… I sell soup today.',
    );
    expect(own("Let's pretend I have left you. (In truth I have only packed.) Go on")).toBe(
      '…(In truth I have only packed.)…',
    );
    expect(own("Practise with me as myself. Let's pretend: I am a baker with ten years.")).toContain(
      'I am a baker',
    );
  });

  it.each([
    ['look\n[10/04, 09:12] Ola: I sold it\n[10/04, 09:13] Kim: I know', /^look\n…$/u],
    [
      'Chat:\nMe: I have two goats\nOla: I have three\nMe: and a mule',
      /^Chat:\nMe: I have two goats\n…\nMe: and a mule$/u,
    ],
    ['Ola Berg 9:41 AM\nI sold the barn', /^Ola Berg 9:41 AM\n…$/u],
    ['name,text\nola,I sold the barn\nkim,I kept mine', /^…$/u],
    ['00:00:01,000 --> 00:00:03,000\nI sold the barn.', /^…$/u],
    ['Forwarded from Ola\nI sold the barn.', /^…$/u],
    ['| I sold the barn.\n| I kept the mule.', /^…$/u],
  ])(
    'SRC-22: copied conversations, tables and subtitles are material, without what the user says in them: %s',
    (message, left) => {
      expect(own(message)).toMatch(left);
    },
  );

  it.each([
    'About me:\n- I keep goats\n- I eat no cheese',
    'My CV, which part is weak?\n\nI have kept goats for nine years.',
    'from my journal, what do you notice\n\nMonday: I cried. Tuesday: I slept.',
    'Update: we moved the party to June',
    'Problem: I lost my keys. Budget: 400',
  ])('SRC-23: lists, notes and curricula of the user are their own talk: %s', (message) => {
    expect(own(message)).toBe(message);
  });

  it.each([
    'Is my cover letter too long?\n\nI have kept goats for nine years.',
    'posting this later, ok?\n\n"I have kept goats for nine years."',
    'would you buy from them\n\nI married a miller. We grind our own flour.',
    'The Mule\nI own a mule and a cart.',
  ])('SRC-23: what even a person could not tell is unclear: %s', (message) => {
    expect(acts(message)).toEqual(['unclear']);
  });

  it('SRC-25: where the user has a name, others at the same keyboard are told apart, and the name is no other', () => {
    const notOwn = (message: string, userName?: string): string[] =>
      joined(stretchesNotOwn(message, userName)).map(({ start, end }) => message.slice(start, end));
    expect(notOwn('Femi: I own a kiln.', 'Femi')).toEqual([]);
    expect(notOwn('Femi: I own a kiln.', 'Ola')).toEqual(['Femi: I own a kiln.']);
    expect(notOwn('hi, this is Femi now. I own a kiln.', 'Ola')).toEqual(['this is Femi now. I own a kiln.']);
    expect(notOwn('hi, this is Ola again. I own a kiln.', 'Ola')).toEqual([]);
    expect(notOwn('Femi: hi\nOla: I own a kiln\nFemi: I own two', 'Ola')).toEqual([
      'Femi: hi',
      'Femi: I own two',
    ]);
  });

  it('SRC-26: of messages that another author has written to be judged, few phrases are taken for those of the wrong person', () => {
    const of = { own: 0, lost: 0, others: 0, taken: 0 };
    for (const { message, own: ownPhrases, notOwn } of MESSAGES) {
      const stretches = stretchesNotOwn(message);
      const certain = joined(stretches.filter(({ act }) => act !== 'unclear'));
      const share = (spans: readonly Span[], phrase: string): number => {
        const at = message.indexOf(phrase);
        const covered = spans.map(
          ({ start, end }) => Math.min(end, at + phrase.length) - Math.max(start, at),
        );
        return covered.reduce((sum, length) => sum + Math.max(0, length), 0) / phrase.length;
      };
      of.own += ownPhrases.length;
      of.lost += ownPhrases.filter((phrase) => share(certain, phrase) > 0.4).length;
      of.others += notOwn.length;
      of.taken += notOwn.filter((phrase) => share(joined(stretches), phrase) < 0.6).length;
    }
    expect(of).toMatchObject({ own: 183, others: 225 });
    expect(of.lost / of.own).toBeLessThan(1 / 11);
    expect(of.taken / of.others).toBeLessThan(1 / 11);
  });

  it('SRC-24: stretches lie in the text, and whatever stands around it, a quotation in the first person is never own', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        for (const { start, end } of stretchesNotOwn(text)) {
          expect(start).toBeGreaterThanOrEqual(0);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(text.length);
        }
      }),
    );
    const word = fc.constantFrom('boats', 'goats', 'a mule', 'the barn', 'two carts', 'my sister');
    const frame = fc.constantFrom(
      (said: string) => `Kim wrote: ${said}`,
      (said: string) => `Translate to Danish: ${said}`,
      (said: string) => `she said "${said}" again`,
      (said: string) => `Forwarded from Kim\n${said}`,
      (said: string) => `Please polish this text\n\n${said}`,
      (said: string) => `Pretend: ${said}`,
    );
    fc.assert(
      fc.property(frame, word, word, (framed, one, other) => {
        const said = `I sold ${one} and I never liked ${other}.`;
        expect(own(framed(said))).not.toContain(`never liked ${other}`);
      }),
    );
  });
});
