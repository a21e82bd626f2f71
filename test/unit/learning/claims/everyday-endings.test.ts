import { expect, it } from 'vitest';
import { withoutWords } from '../../../../src/learning/claims/claim-parts.ts';
import { endedWords, isEnding } from '../../../../src/learning/claims/endings.ts';

const saysOver = (later: string, earlier: string): boolean =>
  endedWords({ text: later }, { text: earlier }) !== undefined;

// cspell:disable
/** Each a later clause and an earlier one. */
type Pairs = [later: string, earlier: string][];

const ENDS_NOTHING_ELSEWHERE: Pairs = [
  ['Ich habe nicht gekündigt', 'Ich arbeite bei der Bank'],
  ['Ich habe das Auto nicht verkauft', 'Ich habe ein Auto'],
  ['No vendí el coche', 'Tengo un coche'],
  ['Não vendi o carro', 'Tenho um carro'],
];
const ENDS_ELSEWHERE: Pairs = [
  ['Quité el azúcar', 'Tomo azúcar con el café'],
  ['Ich habe gekündigt', 'Ich arbeite bei der Bank'],
];
// cspell:enable

const ENDS_NOTHING: Pairs = [
  ...ENDS_NOTHING_ELSEWHERE,
  ["I won't quit", 'I work at a bank'],
  ["I won't quit, even when it's hard.", 'I work as a nurse'],
  ['I never moved to Lyon', 'We live in Nice'],
  ["I haven't quit the choir", 'I sing in the choir'],
  ['I may quit the choir', 'I sing in the choir'],
  ['I was about to quit the choir', 'I sing in the choir'],
  ['I refused to quit the choir', 'I sing in the choir'],
  ["I'm scared they cancelled the gym", 'I go to the gym'],
  ['I dreamed that I sold the car', 'I have a car'],
  ["I just can't stop writing now!", 'I write every morning'],
  ["I can't wait to run the marathon now", 'I train for the marathon'],
  ["It's been quite a journey", "I'm planning a journey to Peru"],
  ['What got you started at that place?', 'I work at a school'],
  ['Why did she quit the choir?', 'I sing in the choir'],
  ['Dinner is over', 'I cook dinner on Sundays'],
  ['The rain is gone', 'I love the rain'],
  ['All the milk is gone', 'I drink milk every morning'],
  ['I finished the soup', 'I love soup'],
  ['I finished up my writing for my book last week.', 'I love writing'],
  ['I finished my book', "I'm always up for new book recommendations"],
  ['Just finished something', 'Always up for something sweet'],
  ['I left my jacket at the gym', 'I have a blue jacket'],
  ['I left early today', 'I sing in a choir early on Sundays'],
  ['My boss left early', 'My boss is Karen'],
  ['I returned from Rome', 'I have a flat in Rome'],
  ['I stopped at the bakery', 'I work at a bakery'],
  ['I dropped my phone', 'I have a phone'],
  ['I deleted the photo', 'I take photos every day'],
  ['I took the bus instead of the bike today', 'I ride my bike to work'],
  ['We split the bill', 'My girlfriend is Ida'],
  ['I separated the eggs', "I'm married"],
  ['I resigned myself to it', 'I work at a bank'],
  ['He was fired up about it', 'He works at a bank'],
  ["I'm not at home now", 'I work from home'],
  ["I can't talk now, I'm driving", 'I talk to my sister every day'],
  ['The dog next door died', 'I have a dog called Rex'],
  ['I sold my piano', 'I have a piano teacher'],
  ['I used to hate olives', 'I love olives'],
  ["I'm vegetarian now", 'I work at a bank'],
  ["I'm a mother now", "I'm a nurse"],
  ["I'm German now, got the passport", 'I work at a bank'],
  ["I'm an expert hiker now.", 'I work at a bank'],
  ['I quit last week', "It's important to me"],
  ["It's been tough since I lost my job", 'I lost my job as a banker yesterday'],
  ['They know us like no one else', 'Nice one, Maria!'],
  ['No one in my family smokes', 'I smoke one pack a day'],
  ['Never mind', 'I have a cat'],
];

it.each(ENDS_NOTHING)('CLM-38: "%s" ends nothing of "%s"', (later, earlier) => {
  expect(saysOver(later, earlier)).toBe(false);
});

const ENDS: Pairs = [
  ...ENDS_ELSEWHERE,
  ['I quit last week', 'I work as a nurse'],
  ['I got fired in may', 'I work at a bank'],
  ["I'm a teacher now", 'I work at a bank'],
  ['I lost my job', "I got a new job at Miller's"],
  ['Did I tell you I quit the choir?', 'I sing in the choir'],
  ["I can't believe I sold the car", 'I have a car'],
  ["I can't run the marathon now", 'I run the marathon in autumn'],
  ['In May I quit the choir', 'I sing in the choir'],
  ['We moved to Porto in May', 'I live in Lyon'],
  ['The deadline moved to 9 May', 'The deadline is 3 May'],
  ['I finished up my writing for my book last week.', "I'm writing a book"],
  ['I finished my thesis', 'I have to hand in my thesis by May'],
  ['I deleted the app', 'I use the app every day'],
  ['I sold my piano', 'I have a piano at home'],
  ['My dog died.', 'I have a dog called Rex'],
  ['My grandfather passed away', 'My grandfather lives in Rome'],
  ['My boss left the company', 'My boss is Karen'],
  ['I switched from coffee to tea', 'I drink coffee every morning'],
  ['I used to live in Rome', 'I live in Rome'],
];

it.each(ENDS)('CLM-38: "%s" ends "%s"', (later, earlier) => {
  expect(saysOver(later, earlier)).toBe(true);
});

it.each([
  [
    "Adapting and tweaking is important too, so I'm gonna try it out!",
    ['tweaking is important too'],
    "Adapting, so I'm gonna try it out!",
  ],
  ['I rent a flat, teach piano, and have a cat.', ['teach piano'], 'I rent a flat, and have a cat.'],
  ['I rent a flat, teach piano and have a cat.', ['have a cat'], 'I rent a flat, teach piano.'],
  ['I ski and sail and row, but not now.', ['sail', 'row'], 'I ski, but not now.'],
  ['I rent a flat and cook, what else ?', ['cook'], 'I rent a flat, what else ?'],
])('CLM-39: "%s" without %j', (sentence, parts, rest) => {
  expect(withoutWords(sentence, ...parts)).toBe(rest);
});

it.each([
  ["I won't quit", false],
  ["I haven't sold the car", false],
  ['I never gave up', false],
  ['I quit', true],
  ['I sold the car', true],
  ["I can't believe we broke up", true],
])('CLM-38: whether "%s" reports an end is %s', (text, isReported) => {
  expect(isEnding(text)).toBe(isReported);
});

it('CLM-39: characters that stand for gaps inside are spaces outside, and take no time', () => {
  const text = `I ski${'\0 and  '.repeat(5000)}sail, too`;
  expect(withoutWords(text, 'sail')).not.toContain('\0');
});

it.each([
  ['My cat died last week.', "I'm allergic to cats"],
  ['Our dog passed away.', "I'm severely allergic to dogs"],
  ['My cat died.', 'My mother is allergic to cats'],
  ['My dog died.', 'My daughter is afraid of dogs'],
  ['My dog died.', 'I volunteer at a dog shelter'],
  ['My dog died.', 'I have a dog license'],
  ['My cat died.', 'My neighbor has a cat'],
  ['My dog died.', "I walk my neighbor's dog on Sundays"],
  ['My hamster died.', "Tom's hamster is called Pip"],
])('CLM-41: "%s" does not end "%s"', (later, earlier) => {
  expect(saysOver(later, earlier)).toBe(false);
});

it.each([
  ['My dog died.', 'I have a dog'],
  ['Our dog died.', 'My dog has diabetes'],
  ['My dog died.', 'We have a dog that is 14'],
  ['The hamster died.', 'My daughter has a hamster'],
  ['My cat died.', "My cat sleeps in my daughter's room"],
  ['Our cat died.', 'My sister and I have a cat'],
  ["My sister's cat died", "My sister's cat is called Milo"],
  ['Mom died on Tuesday', 'My mom is in hospital'],
  ["My son's teacher left", "My son's teacher is Mr Braun"],
  ['My boss left', 'I have a boss, Karen'],
])('CLM-41: "%s" ends "%s"', (later, earlier) => {
  expect(saysOver(later, earlier)).toBe(true);
});

it.each([
  ['No swimming this Tuesday, the pool is closed', 'I go swimming on Tuesdays'],
  ['No swimming next Tuesday', 'I go swimming on Tuesdays'],
  ['No choir practice this Thursday', 'Choir practice is on Thursdays'],
  ['Yoga is cancelled next week', 'I do yoga on Mondays'],
  ['Actually yoga is Monday at 9', 'I do yoga on Mondays'],
])('CLM-43: "%s" does not end "%s"', (later, earlier) => {
  expect(saysOver(later, earlier)).toBe(false);
});

it.each([
  ['Yoga is on Tuesdays now', 'Yoga is on Mondays'],
  ['No, yoga is on Tuesday', 'Yoga is on Mondays'],
  ['Yoga is cancelled as of next week', 'I do yoga on Mondays'],
  ['I quit the choir today', 'I sing in the choir'],
])('CLM-43: "%s" ends "%s"', (later, earlier) => {
  expect(saysOver(later, earlier)).toBe(true);
});

it.each([
  ['I gave birth on Monday', "I'm pregnant"],
  ['The baby is here!', "I'm pregnant"],
  ['The baby was born on Tuesday, her name is Ida', "I'm pregnant"],
  ["My sister's baby was born", 'My sister is pregnant'],
  ['Dad is home again', 'My dad is in hospital'],
])('CLM-47: "%s" ends "%s"', (later, earlier) => {
  expect(saysOver(later, earlier)).toBe(true);
});

it.each([
  ["My sister's baby was born", "I'm pregnant"],
  ['I was born in Rome', "I'm pregnant"],
  ['My son was born deaf', "I'm pregnant"],
  ['I gave birth', 'My sister is pregnant'],
  ['I am home again', 'My dad is in hospital'],
  ['Dad is home again', 'My dad has diabetes'],
  ['Dad is home again', 'My dad works at the hospital'],
])('CLM-47: "%s" does not end "%s"', (later, earlier) => {
  expect(saysOver(later, earlier)).toBe(false);
});
