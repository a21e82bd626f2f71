import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SourceMessage } from '../../../src/learning/extractor.ts';
import { quoteFinder } from '../../../src/learning/cut-text.ts';
import { copyDetector } from '../../../src/learning/near-copies.ts';
import { splitSentences } from '../../../src/language/sentences.ts';
import { pastedParts } from '../../../src/language/pasted-parts.ts';
import { sourceMessages } from '../../../src/learning/source-text.ts';
import type { ChatMessage, StoredMessage } from '../../../src/model/message.ts';

function stored(...messages: ChatMessage[]): StoredMessage[] {
  return messages.map((message, seq) => ({
    ...message,
    id: `m${seq}`,
    sessionId: 's',
    turnId: 't',
    seq,
    turn: 0,
    createdAt: 1000 + seq,
    state: 'complete',
  }));
}

const user = (content: string): ChatMessage => ({ role: 'user', content });
const assistant = (content: string): ChatMessage => ({ role: 'assistant', content });

const texts = (messages: readonly SourceMessage[]): string[] => messages.map(({ text }) => text);

/** What is left of an answer to "Hi". */
function left(answer: string, known: readonly string[] = []): string {
  return texts(sourceMessages(stored(assistant(answer)), known))[0] ?? '';
}

const MARK = 'a1b2c3d4e5f6a7b8c9d0e1f2';
const KNOWN = ['user lives in Paris', 'user has dog Rex', 'Mara is sister of user', 'user is 34 years old'];

describe('messages to learn from', () => {
  it('SRC-1: system and empty messages are left out, and others keep id, role, speaker and time', () => {
    const turn = stored(
      { role: 'system', content: 'The user lives in Rome.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'I like tea' },
          { type: 'image_url', image_url: {} },
        ],
        name: 'Jack',
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{"city":"Bonn"}' } }],
      },
      { role: 'tool', content: 'Berlin is sunny', tool_call_id: 'c' },
    );
    const [jack, tool] = sourceMessages(turn, [], undefined, 'Jack');
    expect([jack, tool]).toEqual([
      { id: 'm1', role: 'user', name: 'Jack', text: 'I like tea', createdAt: 1001 },
      { id: 'm3', role: 'tool', text: 'Berlin is sunny', createdAt: 1003 },
    ]);
    expect(sourceMessages(turn, [])).toEqual([{ ...jack, pasted: ['I like tea'] }, tool]);
  });

  it('SRC-2: at most 4,000 characters of a tool result are read', () => {
    const [tool] = sourceMessages(
      stored({ role: 'tool', content: 'x'.repeat(1_000_000), tool_call_id: 'c' }),
      [],
    );
    expect(tool?.text.length).toBeLessThanOrEqual(4000);
  });
});

describe('recalled text', () => {
  const fenced = `<memory-${MARK}>\n> I love Oslo\n< /memory-${MARK}> Nor this.\n</memory-${MARK}>`;

  it.each([
    [`Ann came. ${fenced} Eve came.`, 'Ann came. […] Eve came.'],
    [`${fenced}\n\nEve came.`, 'Eve came.'],
    [`Ann came. <memory-${MARK}>\nOslo`, 'Ann came. […]'],
    [
      `Ann came. <MEMORY-${MARK}>Oslo</MEMORY-${MARK}> Eve came. <memory-${MARK}>Oslo`,
      'Ann came. […] Eve came. […]',
    ],
    [`Oslo\n</memory-${MARK}>\nEve came.`, 'Eve came.'],
    [`Ann came. <memory-${MARK}>Oslo</memory-000000> Bonn</memory-${MARK}>`, 'Ann came. […]'],
    ['<memory> of Ann </memory>', '<memory> of Ann </memory>'],
  ])('SRC-3: recalled text is removed from %j', (text, expected) => {
    for (const message of [
      user(text),
      assistant(text),
      { role: 'tool' as const, content: text, tool_call_id: 'c' },
    ]) {
      const [source] = sourceMessages(stored(message), []);
      expect(source?.text.replace(/^\[…\]\s*/u, '').trim()).toBe(expected);
    }
  });

  it('SRC-3: a message that contains only recalled text is not learned from', () => {
    expect(sourceMessages(stored(user(fenced), assistant(fenced)), [])).toEqual([]);
  });

  it('SRC-4: no quote spans text that was removed', () => {
    const [source] = sourceMessages(stored(user(`I live ${fenced} in Oslo.`)), []);
    expect(quoteFinder(source?.text ?? '')('I live in Oslo')).toBeUndefined();
    const answer = left('Bonn is small. You live in Paris. It has a river.', KNOWN);
    expect(quoteFinder(answer)('Bonn is small. It has a river.')).toBeUndefined();
    expect(quoteFinder(answer)('It has a river.')).toBeDefined();
  });

  it('SRC-5: quoted lines, code and headings of recalled turns are removed from an answer', () => {
    const answer = [
      'As we said:',
      '[2026-01-02]',
      '[no longer true since 2026-01-05: "I love Rome"]',
      'user:',
      '> I love Oslo',
      '```',
      'const city = "Bonn"',
      '```',
      'Tromsø lies in the north.',
    ].join('\n');
    expect(left(answer)).not.toMatch(/Oslo|Rome|Bonn|2026/u);
    expect(left(answer)).toContain('Tromsø lies in the north.');
  });
});

describe('answers that repeat', () => {
  it.each([
    'You live in Paris.',
    'As you told me earlier, you live in Paris!',
    'Sure! I remember that you live in Paris and that your dog is Rex.',
    '- You live in Paris\n- Your sister is Mara\n- You have a dog, Rex',
    'Great.',
    'How are you?',
  ])('SRC-6: %j says nothing new', (answer) => {
    expect(left(answer, KNOWN)).toBe('');
  });

  it.each([
    'You live in Lisbon.',
    'You do not live in Paris.',
    'You are 35 years old.',
    'Mara lives in Paris.',
    'Your dog Rex and your sister Mara live in Paris, where you live, near Lyon.',
    'Inception was directed by Christopher Nolan.',
    '玛拉住在里斯本。',
  ])('SRC-7: %j says something new', (answer) => {
    expect(left(answer, KNOWN)).toBe(answer);
  });

  it('SRC-8: repeated sentences are removed and new ones kept', () => {
    expect(left('You live in Paris. The Louvre was built in 1190. Your dog is Rex.', KNOWN)).toBe(
      '[…] The Louvre was built in 1190. […]',
    );
  });

  it("SRC-9: what the user has just said is known, and the user's own text is never removed", () => {
    const turn = stored(
      user('I live in Paris with my dog Rex.'),
      assistant('Rex the dog! You live in Paris. Bonn is far.'),
    );
    expect(texts(sourceMessages(turn, KNOWN))).toEqual([
      'I live in Paris with my dog Rex.',
      '[…] Bonn is far.',
    ]);
  });

  it('SRC-10: any known text is recognized when it is repeated', () => {
    const sentence = fc
      .array(fc.stringMatching(/^[a-z]{3,9}$/), { minLength: 1, maxLength: 12 })
      .map((w) => w.join(' '));
    fc.assert(
      fc.property(fc.array(sentence, { minLength: 1, maxLength: 8 }), (known) => {
        const isCopy = copyDetector(known, '');
        for (const text of known) expect(isCopy(`${text}.`)).toBe(true);
        expect(isCopy(`${known[0]} qqzzx 4711`)).toBe(false);
      }),
    );
  });

  it('SRC-11: the sentences of a text, joined, are the text', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('Hi.', ' ', 'a', '\n', '。', '"!" ', '?)', '…')), (parts) => {
        expect(splitSentences(parts.join('')).join('')).toBe(parts.join(''));
      }),
    );
  });
});

describe('pasted text', () => {
  const long = `“${'He lives in Oslo. '.repeat(20)}”`;

  it.each([
    ['I live in Paris.', []],
    ['Look:\n> I live in Oslo\nwith Eve\n\nNice?', ['> I live in Oslo\nwith Eve']],
    ['A:\n```\nlet a\n```\nI live in Oslo\n```\nB', ['```\nlet a\n```\nI live in Oslo\n```\nB']],
    ['Fix this:\n```js\nlet a\n```\nIt is mine.', ['```js\nlet a\n```']],
    ['Open:\n~~~\nlet a\nNot closed', ['~~~\nlet a\nNot closed']],
    ['````\n```\ninner\n```\n````\nout', ['````\n```\ninner\n```\n````']],
    [`He said ${long} and left.`, [long]],
    ['He said “hello” and left.', []],
    ['5 > 3 and `a`', []],
  ])('SRC-12: the pasted parts of %j are found', (text, parts) => {
    expect(pastedParts(text)).toEqual(parts);
    const [source] = sourceMessages(stored(user(text)), []);
    expect(source?.text).toBe(text);
    expect(source?.pasted ?? []).toEqual(parts);
  });

  it('SRC-13: each part is part of the text, for any text', () => {
    const piece = fc.constantFrom(
      '\n',
      '> a',
      '```',
      '~~~',
      '"',
      '“',
      '”',
      'x'.repeat(201),
      'b c',
      ' ',
      '«',
      '»',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const text = pieces.join('');
        for (const part of pastedParts(text)) expect(text).toContain(part);
      }),
    );
  });

  it.each(['“', '"', '> ', '```\n', '\n', ' ', '<memory-a>', '</memory-a>', '[…] ', 'A ', '. '])(
    'SRC-14: a megabyte of %j is read in linear time',
    (piece) => {
      const text = piece.repeat(Math.floor(1_000_000 / piece.length));
      expect(
        sourceMessages(stored(user(text), assistant(text)), [text.slice(0, 1000)]).length,
      ).toBeLessThanOrEqual(2);
    },
  );
});
