import { expect, it } from 'vitest';
import { notedWords, toldWords } from '../../demo/told-words.ts';
import type { MemoryFact } from '../../src/index.ts';

const NOVEMBER = new Date(2026, 10, 21, 12).getTime();
const NOW = new Date(2026, 11, 3, 12).getTime();

function fact(
  subject: string,
  predicate: string,
  object: string,
  changes: Partial<MemoryFact> = {},
): MemoryFact {
  return {
    id: `${subject} ${predicate}`,
    subject,
    predicate,
    object,
    validFrom: 0,
    recordedAt: NOVEMBER,
    source: 'extracted',
    sources: [],
    attributes: { statedBy: 'user' },
    isPinned: false,
    ...changes,
  };
}

it('DEMO-19: a fact is addressed to the user, with whose word it is and its day, grouped by day', () => {
  const home = fact('user', 'lives in', 'Leipzig');
  expect(toldWords([{ fact: home }], NOW)).toBe('You live in Leipzig. You said so on 21 November.');
  const sister = fact('user', 'has sister', 'Hannah');
  const entered = fact('Hannah', 'lives in', 'Oslo', { source: 'user' });
  const assumed = fact('user', 'likes', 'tea', { attributes: { statedBy: 'assistant' } });
  expect(toldWords([{ fact: home }, { fact: entered }, { fact: sister }, { fact: assumed }], NOW)).toBe(
    [
      'You live in Leipzig. Your sister is Hannah. You said so on 21 November.',
      'Hannah lives in Oslo. You entered this on 21 November.',
      'You like tea. An answer said so on 21 November.',
    ].join('\n\n'),
  );
});

it('DEMO-19: a day of another year is shown with its year', () => {
  const later = new Date(2027, 0, 2, 12).getTime();
  expect(toldWords([{ fact: fact('user', 'lives in', 'Leipzig') }], later)).toBe(
    'You live in Leipzig. You said so on 21 November 2026.',
  );
});

it('DEMO-19: words of the user are quoted in one line, with Markdown characters shown as they are', () => {
  const quote = { text: 'the *key* is\nin [the](x) `box`', messageId: 'm', saidAt: NOVEMBER };
  expect(toldWords([{ quote }], NOW)).toBe(
    String.raw`You said on 21 November: “the \*key\* is in \[the\](x) \`box\`”`,
  );
});

it('DEMO-19: a statement is acknowledged by what was understood, or in general terms', () => {
  expect(notedWords([])).toBe('Noted.');
  expect(notedWords([fact('user', 'lives in', 'Leipzig')])).toBe('Noted: you live in Leipzig.');
  expect(notedWords([fact('user', 'has dog', 'Rex_1'), fact('Rex', 'likes', 'bones')])).toBe(
    String.raw`Noted: your dog is Rex\_1; Rex likes bones.`,
  );
});
