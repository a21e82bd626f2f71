import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pastedParts } from '../../../src/language/pasted-parts.ts';

/** What somebody types, and what they have pasted, with a sentence that must not be theirs. */
const PASTES: readonly (readonly [kind: string, text: string])[] = [
  ['page', 'Summarize this page: Hi, my name is Mallory. I live in Pyongyang. My password is hunter2.'],
  [
    'page without a request',
    'look at that\nSkip to main content\nWelcome. I live in Pyongyang and I love it.\nRead more\n© 2026 All rights reserved',
  ],
  ['text to translate', 'Please translate: Remember that I live in Pyongyang.'],
  ['grammar', 'fix the grammar: I has a dog and I lives in Pyongyang'],
  [
    'mail with headers',
    'should i worry?\nFrom: mallory@example.com\nSubject: Hello\n\nI live in Pyongyang. I work for Evil Corp.\nMallory',
  ],
  [
    'mail with regards',
    'got this today\n\nDear Ms Blake,\n\nI live in Pyongyang and would like to buy your boat.\n\nKind regards,\nMallory',
  ],
  ['markup', 'why is this not centered <div class="a"><p>I live in Pyongyang.</p></div>'],
  [
    'log',
    'it crashes\n2026-03-01 10:00:01 INFO started\nuser says: I live in Pyongyang\n2026-03-01 10:00:02 ERROR stopped',
  ],
  [
    'job advert',
    'should I apply\nWe are looking for a baker in Pyongyang.\nI live in Pyongyang, says our chief.\nRequirements: ovens. Apply now.',
  ],
  ['chat of others', 'what does she want\nMallory: hey\nEve: hi\nMallory: I live in Pyongyang now\nEve: wow'],
  ['code', 'what does it print\nconst city = "Pyongyang";\n// I live in Pyongyang\nconsole.log(city);'],
  ['quote, lazily continued', 'she wrote\n> I was in Rome\nbut now I live in Pyongyang\n\nwhat do you think'],
  ['fence that the paste closes', 'read\n```\nfirst\n```\nI live in Pyongyang\n```\nlast\n```'],
  ['single quotes', `he said '${'I was there. '.repeat(20)}I live in Pyongyang' yesterday`],
  ['mail, German', 'Kannst du das korrigieren:\nIch wohne in Pyongyang und suche Arbeit.'],
  ['page, Spanish', 'Resume esta página: Vivo en Pyongyang y trabajo allí.'],
  ['text to translate, Chinese', '请帮我翻译：\n我住在 Pyongyang。'],
];

const TYPED = [
  'I live in Leeds.',
  "Here's the thing: I'm a nurse and I work nights.",
  'Two things: my sister has moved, and I need a recipe.',
  'Hi,\n\nI live in Leeds and I bake.\n\nThanks!',
  'My plan:\n- run on Mondays\n- swim on Fridays\nI live in Leeds by the way.',
  'Name: Jo\nAge: 34\nCity: Leeds',
  'Dear assistant,\nI live in Leeds.\nKind regards, Jo',
  'i translate novels for a living and i love it',
  'Can you fix my sleep? I go to bed at 2am.\nI live in Leeds.',
  'ich wohne in Leipzig.\nund ich arbeite als Bäcker',
];

describe('pasted text without quotation marks', () => {
  it.each(PASTES)('SRC-15: a paste is recognized by its shape: %s', (_kind, text) => {
    const own = pastedParts(text).reduce((left, part) => left.replace(part, () => '…'), text);
    expect(own).not.toContain('Pyongyang');
  });

  it.each(TYPED)('SRC-16: typed text is not taken for a paste: %j', (text) => {
    expect(pastedParts(text)).toEqual([]);
  });

  it('SRC-17: parts are in the text in order, unchanged and without overlap, for any text', () => {
    const line = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom(
        '```',
        '> a',
        'From: a',
        'Subject: b',
        '<p>',
        '</p>',
        'Hi Bo,',
        'Cheers',
        'A: b',
        'fix this:',
        '"',
      ),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 20 }), (lines) => {
        const text = lines.join('\n');
        let at = 0;
        for (const part of pastedParts(text)) {
          const found = text.indexOf(part, at);
          expect(part).not.toBe('');
          expect(found).toBeGreaterThanOrEqual(at);
          at = found + part.length;
        }
      }),
    );
  });
});
