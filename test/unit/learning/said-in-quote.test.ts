import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { predicateForm } from '../../../src/graph/predicate.ts';
import { analyze } from '../../../src/language/terms.ts';
import { llmExtractor } from '../../../src/learning/llm/llm-extractor.ts';
import { readRelations, RELATIONS } from '../../../src/learning/support/relations.ts';
import { whyUnsaid } from '../../../src/learning/support/says-fact.ts';
import { ADVERSARIAL, SAID } from './proposed-facts.ts';

const relations = readRelations(RELATIONS);

function whyOf(line: string): string | undefined {
  const [text = '', predicate = '', object = '', subject = 'user'] = line.split(' | ');
  const said = { text, quote: text, speaker: 'user', isOver: false } as const;
  return whyUnsaid({ subject, predicate, object }, said, relations);
}

describe('what a quote says', () => {
  it.each(SAID)('CHK-22: is confirmed: %s', (line) => {
    expect(whyOf(line)).toBeUndefined();
  });

  it.each(ADVERSARIAL)('CHK-23: is not confirmed: %s', (line) => {
    expect(whyOf(line)).toBeDefined();
  });
});

const word = fc.stringMatching(/^[bcdfgklmnprtvz]{1,2}[aeiou][bcdfgklmnprtvz]{1,2}[aeiou]{0,1}[kmnt]$/u);
const PLAIN = [
  'I live in Oslo',
  'I work at Acme',
  'I like tea',
  'I have a dog',
  'I play chess',
  'I speak Polish',
];

describe('any proposal', () => {
  it('CHK-22: a relation whose words are not in the quote is never confirmed', () => {
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 3, maxLength: 8 }),
        word,
        word,
        fc.nat(7),
        (words, verb, extra, at) => {
          const object = words[at % words.length] ?? '';
          fc.pre(!analyze(words.join(' ')).some((term) => analyze(`${verb} ${extra}`).includes(term)));
          const text = `I ${words.join(' ')}.`;
          for (const predicate of [verb, `${verb} ${extra}`, `has ${verb}`, `is ${verb} of`]) {
            expect(whyOf(`${text} | ${predicate} | ${object}`), `${text} ${predicate}`).toBeDefined();
          }
        },
      ),
    );
  });

  it('CHK-23: nothing denied, asked, supposed or wished is confirmed', () => {
    const frames = [
      (said: string) => said.replace('I ', 'I do not '),
      (said: string) => said.replace('I ', 'I never '),
      (said: string) => said.replace(/^I (.*)$/u, 'Do I $1?'),
      (said: string) => `${said}, right?`,
      (said: string) => `If ${said}, what then`,
      (said: string) => said.replace('I ', 'I would '),
      (said: string) => said.replace('I ', 'I wish I could '),
      (said: string) => `My friend says ${said}`,
      (said: string) => `${said} lol`,
      (said: string) => `She wrote: "${said}"`,
    ];
    fc.assert(
      fc.property(fc.constantFrom(...PLAIN), fc.constantFrom(...frames), word, (said, frame, tail) => {
        const [, verb = '', object = ''] = /^I (.+?) ?(?:a )?(\p{L}+)$/u.exec(said) ?? [];
        const line = `${frame(said)} ${tail}. | ${predicateForm(verb).key} | ${object}`;
        expect(whyOf(line.replace(/\? \p{L}+\./u, '?')), line).toBeDefined();
      }),
    );
  });

  it('CHK-24: a host adds relations, and a line that is none is rejected', () => {
    const line = 'I root for Arsenal. | cheers for | Arsenal';
    const own = readRelations([...RELATIONS, 'cheers for => root/roots for']);
    expect(whyOf(line)).toBe('predicate-not-in-quote');
    const said = {
      text: 'I root for Arsenal.',
      quote: 'I root for Arsenal',
      speaker: 'user',
      isOver: false,
    } as const;
    expect(
      whyUnsaid({ subject: 'user', predicate: 'cheers for', object: 'Arsenal' }, said, own),
    ).toBeUndefined();
    const llm = async (): Promise<string> => '';
    expect(() => llmExtractor(llm, { relations: ['likes'] })).toThrow(/likes/u);
    expect(llmExtractor(llm, { relations: RELATIONS }).relations).toBe(RELATIONS);
  });
});
