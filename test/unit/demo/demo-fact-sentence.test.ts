import { expect, it } from 'vitest';
import { nameTo, noteTo, sentenceTo } from '../../../demo/memory/fact-sentence.ts';

const SENTENCES: readonly (readonly [
  subject: string,
  predicate: string,
  object: string,
  sentence: string,
])[] = [
  ['user', 'lives in', 'Leipzig', 'You live in Leipzig'],
  ['user', 'is a', 'nurse', 'You are a nurse'],
  ['user', 'is a', 'engineer', 'You are an engineer'],
  ['user', 'is a', 'union rep', 'You are a union rep'],
  ['user', 'is a', 'the oldest', 'You are the oldest'],
  ['user', 'is', 'vegan', 'You are vegan'],
  ['user', 'is not', 'a morning person', 'You are not a morning person'],
  ['user', 'was born in', 'Oslo', 'You were born in Oslo'],
  ['user', 'does not eat', 'meat', 'You do not eat meat'],
  ['user', 'cannot eat', 'gluten', 'You cannot eat gluten'],
  ['user', 'studies', 'law', 'You study law'],
  ['user', 'teaches', 'maths', 'You teach maths'],
  ['user', 'goes to', 'the gym', 'You go to the gym'],
  ['user', 'uses', 'Linux', 'You use Linux'],
  ['user', 'broke', 'left arm', 'You broke left arm'],
  ['user', 'joined', 'the choir', 'You joined the choir'],
  ['user', 'still works at', 'Bosch', 'You still work at Bosch'],
  ['user', 'is named', 'Jonas', 'Your name is Jonas'],
  ['user', 'has', 'two cats', 'You have two cats'],
  ['user', 'has a dog named', 'Max', 'You have a dog named Max'],
  ['user', 'has visited', 'Rome', 'You have visited Rome'],
  ['user', 'has sister', 'Hannah', 'Your sister is Hannah'],
  ['user', 'has birthday', '14 June', 'Your birthday is 14 June'],
  ['user', 'has age', '34', 'You are 34 years old'],
  ['user', 'has age', 'about 34', 'You are about 34'],
  ['user', 'has height', '180 cm', 'You are 180 cm tall'],
  ['user', 'has weight', '80 kg', 'You weigh 80 kg'],
  ['user', 'has marital status', 'married', 'You are married'],
  ['user', 'favorite color', 'blue', 'Your favorite color is blue'],
  ["user's sister", 'lives in', 'Oslo', 'Your sister lives in Oslo'],
  ["user's sister", 'has age', '29', 'Your sister is 29 years old'],
  ["user's sister", 'has dog', 'Max', 'Your sister’s dog is Max'],
  ['Tom', 'is a', 'engineer', 'Tom is an engineer'],
  ['Tom', 'has wife', 'Lisa', 'Tom’s wife is Lisa'],
  ['James', 'has weight', '80 kg', 'James weighs 80 kg'],
  ['Hannah', 'is married to', 'user', 'Hannah is married to you'],
  ['Hannah', 'knows', "user's neighbor", 'Hannah knows your neighbor'],
  ['miso', 'is', 'a cat', 'Miso is a cat'],
  ['user', 'wohnt in', 'Berlin', 'You: wohnt in Berlin'],
  ['用户', '住在', '柏林', '用户: 住在 柏林'],
];

it('DEMO-18: a fact about the user is stated in the second person', () => {
  for (const [subject, predicate, object, sentence] of SENTENCES) {
    expect(sentenceTo({ subject, predicate, object })).toBe(sentence);
  }
});

it('DEMO-18: names and notes address the user, too', () => {
  expect(nameTo("user's sister")).toBe('Your sister');
  expect(nameTo('miso')).toBe('Miso');
  expect(noteTo('The user’s daughter is allergic to peanuts. Ask the user’s doctor.')).toBe(
    'Your daughter is allergic to peanuts. Ask your doctor.',
  );
});

it('DEMO-18: hostile and unusual words of a fact are left unchanged', () => {
  expect(sentenceTo({ subject: '<b>', predicate: 'likes', object: '<i>x</i>' })).toBe('<b> likes <i>x</i>');
  expect(sentenceTo({ subject: 'user', predicate: 'constructor', object: 'x' })).toBe('You: constructor x');
  expect(sentenceTo({ subject: 'user', predicate: 'has constructor', object: 'x' })).toBe(
    'Your constructor is x',
  );
  expect(sentenceTo({ subject: '', predicate: '', object: '' })).toBe('');
});
