import { sentencesOf } from '../../../src/extract.ts';
import { expect, it } from 'vitest';
import { conceptsIn } from '../../../demo/answers/concepts.ts';
import { readInput, readQuestion } from '../../../demo/answers/question.ts';

it('DEMO-11: questions and statements are distinguished, with and without a question mark', () => {
  const asking = [
    'Where do I live?',
    'where does my aunt live',
    'what am i allergic to',
    'do i like olives',
    'tell me about Nora',
    'hey, when is the exam',
    'and who is Nora',
    "what's my name",
  ];
  const stating = [
    'I live in Ghent',
    'my aunt lives in Ghent',
    'what a day that was',
    'Remember that I like olives',
    'Nora is doing well',
    'is it me or nothing works, I moved to Ghent',
  ];
  for (const text of asking)
    expect(readInput(text)).toEqual({ questions: [text], statement: '', isTask: false });
  for (const text of stating.slice(0, 5)) {
    expect(readInput(text)).toEqual({ questions: [], statement: text, isTask: false });
  }
});

it('DEMO-11: a message is divided into questions and statements, and greetings are dropped', () => {
  expect(readInput('Hi! I moved to Ghent. Where does Nora live? thanks!')).toEqual({
    questions: ['Where does Nora live?'],
    statement: 'I moved to Ghent.',
    isTask: false,
  });
  expect(readInput('hey there')).toEqual({ questions: [], statement: '', isTask: false });
});

it('DEMO-11: tasks are recognized', () => {
  for (const text of [
    'write a limerick about Ghent',
    'please translate this to Dutch: good night',
    'can you help me fix this function?',
    'Could you explain recursion',
  ]) {
    expect(readInput(text).isTask).toBe(true);
  }
  expect(readInput('can you tell me where I live?').isTask).toBe(false);
});

it('DEMO-11: code and quoted lines contain no sentences, and an unclosed fence reaches to the end', () => {
  expect(sentencesOf('Look:\n```\nI live in Rome.\n```\n> I live in Bonn.\nI live in Ghent.')).toEqual([
    'Look:',
    'I live in Ghent.',
  ]);
  expect(sentencesOf('Look:\n~~~\nI live in Rome.\n')).toEqual(['Look:']);
  expect(sentencesOf('I saw Dr. Roe. She is at St. Mary.')).toEqual([
    'I saw Dr. Roe.',
    'She is at St. Mary.',
  ]);
});

it('DEMO-11: kind and subject of a question are recognized', () => {
  const kinds = [
    'When is it?',
    'Where is it?',
    'Who is it?',
    'How many are there?',
    'Is it so?',
    'What is it?',
  ];
  expect(kinds.map((text) => readQuestion(text).kind)).toEqual([
    'when',
    'where',
    'who',
    'number',
    'whether',
    'what',
  ]);
  expect(readQuestion('Can you tell me what a fjord is?').isAboutUser).toBe(false);
  expect(readQuestion('Can you tell me where I live?').isAboutUser).toBe(true);
  expect(readQuestion('Where do you live?')).toMatchObject({ isAboutUser: false, isAboutAssistant: true });
  expect(readQuestion('Do you know where my aunt lives?').isAboutAssistant).toBe(false);
  expect(readQuestion('What do you know about me?').asksForAll).toBe(true);
});

it('DEMO-11: words with different endings, spellings or synonyms have the same concepts', () => {
  const same = [
    ['what is my favourite colour', 'favorite colors'],
    ['where do I live', 'living'],
    ['how old am I', 'age'],
    ['what do I do for a living', 'job'],
    ['my gf', 'girlfriends'],
  ];
  for (const [one = '', other = ''] of same) expect(conceptsIn(one)).toEqual(conceptsIn(other));
  expect(conceptsIn('do I have any?')).toEqual(new Set());
});

it('DEMO-11: huge and hostile messages are read without an error', () => {
  const hostile = [
    'what is '.repeat(200_000),
    '```\n'.repeat(200_000),
    ' '.repeat(1_000_000),
    '>'.repeat(1_000_000),
  ];
  for (const text of hostile) expect(() => readInput(text)).not.toThrow();
});
