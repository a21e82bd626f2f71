import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { languageOf } from '../../bench/context/chat-language.ts';
import { lengthenChats } from '../../bench/context/lengthened-chats.ts';
import {
  readChats,
  readEveryday,
  type ChatLine,
  type NaturalChat,
} from '../../bench/context/natural-chats.ts';

function line(role: ChatLine['role'], content: string, minute: number, session = 'a'): ChatLine {
  return { role, content, at: new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString(), session };
}

const CHAT: NaturalChat = {
  id: 'chat',
  messages: [
    line('user', 'i moved to Lyon', 0),
    line('assistant', 'Nice!', 1),
    line('user', 'and i hate leeks', 9000, 'b'),
    line('assistant', 'Noted.', 9001, 'b'),
  ],
  facts: [
    { about: ['user'], relation: ['live'], object: [['lyon']], holds: true, evidence: 0 },
    { about: ['user'], relation: ['hate'], object: [['leek']], holds: true, evidence: 2 },
  ],
  traps: [],
  asks: [],
};

const EVERYDAY = Array.from({ length: 30 }, (_, number) => ({ user: `q${number}`, assistant: `a${number}` }));

it('BEN-8: turns stay whole and in chronological order, and each fact points to its message', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 0, max: 40 }), (chats, requests) => {
      const given = Array.from({ length: chats }, () => structuredClone(CHAT));
      const lengthened = lengthenChats(given, EVERYDAY, requests);
      for (const { messages, facts } of lengthened) {
        expect(messages).toHaveLength(4 + 2 * Math.min(requests, EVERYDAY.length));
        expect(facts.map(({ evidence }) => messages[evidence]?.content)).toEqual([
          'i moved to Lyon',
          'and i hate leeks',
        ]);
        const users = messages.filter(({ role }) => role === 'user');
        expect(users.map(({ at }) => at)).toEqual(users.map(({ at }) => at).toSorted());
        for (const [position, { role, session, content }] of messages.entries()) {
          const answer = messages[position + 1];
          if (role === 'user') expect([answer?.role, answer?.session]).toEqual(['assistant', session]);
          if (content.startsWith('q')) expect(answer?.content).toBe(content.replace('q', 'a'));
        }
      }
    }),
  );
});

it('BEN-8: the same files give the same chats, and no request occurs twice in one', () => {
  const once = lengthenChats([CHAT, CHAT], EVERYDAY, 20);
  expect(lengthenChats([CHAT, CHAT], EVERYDAY, 20)).toEqual(once);
  const [first, second] = once.map(({ messages }) => messages.map(({ content }) => content));
  expect(new Set(first).size).toBe(44);
  expect(second).not.toEqual(first);
  // The first draws of the generator that defines the corpus: request 14 of 30, before the chat begins.
  expect(lengthenChats([CHAT], EVERYDAY, 1)[0]?.messages.map(({ content }) => content)).toEqual([
    'q14',
    'a14',
    'i moved to Lyon',
    'Nice!',
    'and i hate leeks',
    'Noted.',
  ]);
});

it.each([
  ['{}', 'not a list of chats'],
  ['[]', 'not a list of chats'],
  [JSON.stringify([CHAT, { ...CHAT, asks: undefined }]), 'Chat 1 has no list of asks'],
  [JSON.stringify([{ ...CHAT, messages: [] }]), 'Chat 0 has no id, or no messages'],
  [
    JSON.stringify([{ ...CHAT, messages: [{ ...line('user', 'x', 0), at: 'soon' }] }]),
    'Message 0 of chat chat',
  ],
  [JSON.stringify([{ ...CHAT, asks: [{ question: 'x' }] }]), 'no list of needs'],
])('BEN-9: a corpus that is not of the format is rejected (%#)', (json, message) => {
  expect(() => readChats(json)).toThrow(message);
});

it('BEN-9: everyday requests have an answer', () => {
  expect(readEveryday('[{"user":"a","assistant":"b","more":1}]')).toEqual([{ user: 'a', assistant: 'b' }]);
  expect(() => readEveryday('[{"user":"a","assistant":"b"},{"user":"a"}]')).toThrow('Everyday request 1');
});

it.each([
  ['English', 'no fires, no stove. what is the best tent for this?'],
  ['German', 'ich habe eine katze und die heißt Mohr, was frisst sie?'],
  ['Spanish', 'tengo una gata que es muy tranquila, cómo la baño?'],
  ['French', 'je suis avec mes enfants dans le train, que faire?'],
  ['Portuguese', 'eu não tenho carro, como vou para a praia com uma prancha?'],
  ['Chinese', '我的猫叫小米，今年三岁'],
  ['Japanese', '猫の名前はミケです'],
])('BEN-10: the language is %s', (language, content) => {
  expect(
    languageOf({
      ...CHAT,
      messages: [line('user', content, 0), line('assistant', 'The answer is in English.', 1)],
    }),
  ).toBe(language);
});
