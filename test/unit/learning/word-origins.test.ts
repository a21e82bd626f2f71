import fc from 'fast-check';
import { expect, it } from 'vitest';
import { wordOrigins } from '../../../src/learning/word-origins.ts';

const origins = [
  { messageIds: ['known'], text: 'Zoe is a cousin of Sam' },
  { messageIds: ['first'], text: 'Sam is a friend' },
  { messageIds: ['second'], text: 'I saw Sam again' },
  { messageIds: ['cited'], text: 'her favourite colour is red' },
];

it('LRN-13: whatever it cites, what is learned is tied to the messages that its words come from', () => {
  const needed = wordOrigins(origins);
  expect(needed(['user', 'red'], 'cited')).toEqual([]);
  expect(needed(['Sam', 'red'], 'cited')).toEqual(['second']);
  expect(needed(["Zoe's cousin", 'red'], 'cited')).toEqual(['known']);
  expect(needed(['Sam', 'friend'], 'first')).toEqual([]);
  expect(needed(['Sam', 'unheard of'], 'first')).toEqual([]);
});

it('LRN-13: a word that only one message contains is never kept without that message', () => {
  const word = fc.constantFrom('amber', 'birch', 'cobalt', 'dahlia', 'ember', 'fjord');
  const text = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '));
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 6 }), text, fc.nat(), (texts, item, pick) => {
      const messages = texts.map((each, index) => ({ messageIds: [`m${index}`], text: each }));
      const cited = `m${pick % texts.length}`;
      const ids = [cited, ...wordOrigins(messages)([item], cited)];
      for (const term of item.split(' ')) {
        const holders = messages.filter((message) => message.text.split(' ').includes(term));
        if (holders.length === 0) continue;
        expect(holders.some((holder) => ids.includes(holder.messageIds[0] ?? ''))).toBe(true);
      }
    }),
    { numRuns: 1000 },
  );
});
