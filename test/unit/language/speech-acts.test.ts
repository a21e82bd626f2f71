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

  it.each([
    [
      'this lay under our windscreen\n\nI hit your car. I live at number 9.',
      'this lay under our windscreen\n\n…',
    ],
    ['My roommate left a note: I moved in with Kim.', 'My roommate left a note: …'],
    [
      'this came in the mail. creepy?\n\nHello neighbor,\nI live above you.\nOla',
      'this came in the mail. creepy?\n\n…',
    ],
    ['Ola gave me a card. Dear Kim, I moved to Bergen.', 'Ola gave me a card. …'],
    ['La gardienne a glissé ce mot : J’habite au troisième.', 'La gardienne a glissé ce mot : …'],
    ['das lag im Briefkasten\n\nIch wohne unter Ihnen.', 'das lag im Briefkasten\n\n…'],
    ['El vecino dejó esta nota: Vivo en el tercero.', 'El vecino dejó esta nota: …'],
  ])('SRC-27: a note or letter that a sentence presents is not own: %s', (message, left) => {
    expect(own(message)).toBe(left);
  });

  it.each([
    'My landlord left a note today.\n\nI live on the third floor and own a mule.',
    'My neighbor left a note on my door. I live on the third floor.',
    'This was in Porto. I moved there for work.',
    'I live in the flat above the bakery.\n\nI have lived above a bakery for years.',
    'My wife left me a note. I have been crying all day.',
  ])('SRC-27: a note that is only told of is own talk: %s', (message) => {
    expect(own(message)).toBe(message);
  });

  it.each([
    ["Otto's new poem\n\nI live beneath the tree.\nI own the wind.", "Otto's new poem\n\n…"],
    ['Lyrics by my brother\nI sold my car, I moved to Rome', 'Lyrics by my brother\n…'],
    [
      'I sold my car.\nA friend texted me this, what does it mean?',
      '…A friend texted me this, what does it mean?',
    ],
    [
      "J'habite à Lyon.\nMa cousine m'a envoyé ça, ça veut dire quoi ?",
      "…Ma cousine m'a envoyé ça, ça veut dire quoi ?",
    ],
    ['Vivo en Lima.\nMi primo me mandó esto, ¿qué significa?', '…Mi primo me mandó esto, ¿qué significa?'],
    ['Ola can only whisper, her words: I own two goats', 'Ola can only whisper, her words: …'],
    ['He goes ‹I own two goats and a mule› again.', 'He goes … again.'],
    ['Sie so: »Ich habe jetzt zwei Ziegen« und ging.', 'Sie so: … und ging.'],
  ])('SRC-28: a text that somebody has made, sent or said is not own: %s', (message, left) => {
    expect(own(message)).toBe(left);
  });

  it.each([
    "plan my kid's party\nI have two kids and live in Leeds",
    "Write a speech for my sister's wedding\n\nI am the maid of honor and live in Leeds.",
    'I have a rash. My doctor sent me this cream, what does it do?',
    'I got divorced. My ex sent me this, can you believe it?',
    'the story of my life:\nI grew up in Bergen',
    'I live in Leeds now.\n\nThis is from my sister: a lamp. Where does it go?',
  ])('SRC-28: own life for the sake of somebody is own talk: %s', (message) => {
    expect(own(message)).toBe(message);
  });

  it.each([
    ['<ola> I sold my car\n<@kim> I bike\nwho pays more', '…\nwho pays more'],
    ['21:14 <ola> I sold my car\n21:15 <me> I bike\n21:16 <ola> ok', '…\n21:15 <me> I bike\n…'],
    ['Kim ☀️ 21:30\nI sold my car\nMe 21:31\nI bike', 'Kim ☀️ 21:30\n…\nMe 21:31\nI bike'],
  ])('SRC-29: lines behind nicks and below names with a time are those of others: %s', (message, left) => {
    expect(own(message)).toBe(left);
  });

  it.each([
    ['hey this is Kim now. I own a mule.', 'hey …'],
    ['Kim here, Ola is in the shower. I own a mule.', '…'],
    ["hi it's Kim. I'm on Ola's laptop. I own a mule.", 'hi …'],
    ['its kim, mum left the laptop open. i own a mule', '…'],
    ["this is her husband, she's in the shower. I own a mule.", '…'],
    ["Hi, Ola's sister Kim here, she is asleep. I own a mule.", 'Hi, …'],
    [
      'Kim cannot see well and wants me to type this: I own a mule.',
      'Kim cannot see well and wants me to type this:…',
    ],
    ['Kim hier, Ola ist einkaufen. Ich bin Vegetarier.', '…'],
    ['hier ist jetzt Kim. Ich habe eine Nussallergie.', '…'],
    [
      "I'm typing this for my grandpa, his hands shake. I was born.",
      "I'm typing this for my grandpa, his hands shake.…",
    ],
    ['my grandma is dictating: I was born in Graz.', 'my grandma is dictating:…'],
  ])('SRC-30: another person at the keyboard speaks to the end: %s', (message, left) => {
    expect(own(message)).toBe(left);
  });

  it.each([
    'hi, this is Kim. I own a mule',
    'Kim here! I own a mule',
    'Hallo, hier ist Kim. Ich wohne in Graz.',
    'hi this is Kim, my dad is at the hospital and I am worried',
    'Ola here again, Kim went home. I moved to Bergen.',
    "it's late, mom is asleep and I have an exam",
    'its slow, dad lent me his laptop. I have eight tabs',
    "this is her husband, he's a vet. I have known her for years",
    'Winter here now, I have a cold.',
    "It's Monday now. I have a new job.",
    "I used to live in Spain. It's Portugal now.",
    'its raining. dad left the dog here and I have a cold',
    'I type what doctors are dictating all day. I have RSI.',
    "I'm typing this on my phone, sorry. I live in Leeds.",
    'Strictly speaking, Ola is out. I own a mule.',
  ])('SRC-30: a plain introduction, and the return of the user, are own talk: %s', (message) => {
    expect(own(message)).toBe(message);
  });

  it('SRC-30: a name that is also a word still introduces its bearer', () => {
    expect(stretchesNotOwn('Dev here, on mum’s laptop. I own a mule.', 'Ola Berg')).toHaveLength(1);
  });

  it('SRC-30: where the user has a name, a greeting with another name is enough', () => {
    expect(stretchesNotOwn("hi, it's Kim. I own a mule.", 'Ola Berg')).toHaveLength(1);
    expect(stretchesNotOwn("hi, it's Ola. I own a mule.", 'Ola Berg')).toEqual([]);
    expect(stretchesNotOwn('its kim, mum left the laptop open. i own a mule', 'Ola Berg')).toHaveLength(1);
  });

  it.each(['Same here! I own a mule.', 'Freezing here, I am at the lake.', 'Nurse here. I work nights.'])(
    'SRC-30: a word before "here" that is no name introduces nobody: %s',
    (message) => {
      expect(stretchesNotOwn(message, 'Ola Berg')).toEqual([]);
    },
  );

  it.each([
    'In character: I am Grom. I live in a cave.',
    'Grom (bard), in character: I live in a cave.',
    'Picture this: I own a castle and have ten butlers.',
    "let's say I moved to Rome",
    'yeah right, I own a yacht',
    'Oh sure, I own ten yachts 🙄',
    'yeah sure, I own ten yachts. 🙄',
    'ja klar, ich wohne auf dem Mond 🙄',
    'I own the moon /s',
  ])('SRC-31: acting, pictured scenes and marked irony are supposed: %s', (message) => {
    expect(acts(message)).toContain('supposed');
  });

  it.each([
    'yeah sure, I live in Leeds and I am 34',
    'my landlord raised the rent again 🙄 I live in a tiny flat',
    'Right. I moved last week and the landlord is annoying 🙄',
    'yeah right, I forgot: I am allergic to nuts',
    'of course I have to work on Sunday again 🙄',
    'I was six and in character, I have changed a lot.',
    'It is out of character for me but I quit my job.',
    'I took a picture. I live by the sea.',
  ])('SRC-31: an answer, and annoyance at what is true, are own talk: %s', (message) => {
    expect(own(message)).toBe(message);
  });

  it.each([
    'the scan says I am fine and I never had a stroke',
    'According to my doctor I have low iron.',
    'The app says I walked ten miles and I have a streak of 4 days',
    "The contract says I can't have pets and I own a cat",
  ])('SRC-32: what a test or another authority says about the user is their own word: %s', (message) => {
    expect(own(message)).toBe(message);
  });

  it('SRC-32: what a person says of themselves, or a letter behind a colon, is not', () => {
    expect(own('According to a colleague I have low iron.')).toBe('According to a colleague …');
    expect(own('My doctor says: I have low iron.')).toBe('My doctor says: …');
  });

  it.each([
    'I start my new job on Monday',
    'We start my treatment in May: six weeks of it.',
    'It gave me the push to finally start my own business: a bakery!',
    'First we moved to Graz, then my mule fell ill.',
    'At first I was shy: now I teach.',
    'At last I have a licence.',
    'My day starts with my run along the river.',
    'I got a letter today, and I am starting my course in June.',
    'After the letter I am starting my new job on Monday.',
    'Since the letter we are starting with my treatment.',
    'My story starts in Graz: I was born there.',
  ])('SRC-33: what the user starts, or says first or last, is their own: %s', (message) => {
    expect(own(message)).toBe(message);
  });

  it.each([
    ['a story that starts with I was born on Mars', 'a story that starts with …'],
    ['The first line is: my love is a mule', 'The first line is: …'],
    ['write a song beginning with my heart is a hotel', 'write a song beginning with …'],
  ])('SRC-33: what a text begins with is not: %s', (message, left) => {
    expect(own(message)).toBe(left);
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
