import { expect, it } from 'vitest';
import { CLAIM_WEIGHTS } from '../../../../src/learning/claims/claim-weights.ts';
import { markClaims } from '../../../../src/learning/claims/mark-claims.ts';

const certain = (message: string): (readonly string[])[] =>
  markClaims(message)
    .filter(({ score }) => score >= CLAIM_WEIGHTS.confident)
    .map(({ kinds }) => kinds);

it.each([
  'Please keep your answers short.',
  'I hate long answers',
  'I prefer short answers',
  'Actually I prefer long answers',
  'keep it short please',
  'I hate long answers. Keep it short please.',
  "Please don't use emojis.",
  'no emojis please, they annoy me',
  'Skip the disclaimers please',
  'Please write in British English',
  'I prefer metric units',
  "Don't sugarcoat things",
  'What is a lease? Please keep your answers short.',
])('CLM-45: "%s" says how all answers are to be', (text) => {
  expect(certain(text).some((kinds) => kinds.includes('answering-style'))).toBe(true);
});

it.each([
  'Keep the poem short',
  'Make this email shorter',
  'write it in British English',
  'Write me a bio. No emojis please.',
  'Write a caption for my shop, no emojis please',
  'Please write a story in British English',
  'Is my poem good? Don’t sugarcoat it.',
  'Can you help me with my essay? Keep it short please.',
  'Explain gravity. Use plain English.',
  'Use metric units in the table',
  'No emojis in the caption please',
  'I love your answers',
  'I hate wrong answers',
  'I prefer written answers for the exam',
  'Keep explanations for the appendix',
])('CLM-45: "%s" is about the task at hand, or no wish', (text) => {
  expect(markClaims(text).filter(({ kinds }) => kinds.includes('answering-style'))).toEqual([]);
});

it.each([
  ["I don't drink alcohol", 'diet'],
  ['I do not eat pork', 'diet'],
  ['I can’t eat nuts or shellfish', 'diet'],
  ['I am vegan.', 'diet'],
  ["I'm lactose intolerant", 'health'],
  ["I can't swim.", 'limit'],
  ["I can't stand coriander", 'limit'],
  ['I react badly to penicillin', 'limit'],
  // cspell:disable
  ['no como carne', 'diet'],
  ['Soy vegetariana desde niña', 'diet'],
  ['não bebo álcool', 'diet'],
  ['non mangio pesce', 'diet'],
  ['ik eet geen vlees', 'diet'],
  ['我不吃猪肉', 'diet'],
  ['对青霉素过敏', 'health'],
  ['辛いものは食べられない', 'diet'],
  // cspell:enable
])('CLM-46: "%s" is certain, and its kind is %s', (text, kind) => {
  expect(certain(text)).toEqual([expect.arrayContaining([kind])]);
});

it.each([
  "I can't stand it",
  "I don't drink enough",
  "I can't eat today",
  "I can't drive today",
  "I don't eat lunch",
  "I can't eat at the moment",
  "I can't see the button",
  'Write a scene where he says: I am vegan.',
  'Translate: I am vegan.',
  'Am I vegan?',
])('CLM-46: "%s" is not certain', (text) => {
  expect(certain(text)).toEqual([]);
});
