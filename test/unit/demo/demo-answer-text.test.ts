import { expect, it } from 'vitest';
import { acknowledgmentText, answerText } from '../../../demo/answers/answer-text.ts';
import type { MemoryFact } from '../../../src/index.ts';

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
    attributes: {},
    speaker: 'user',
    isPinned: false,
    ...changes,
  };
}

it('DEMO-19: facts are stated in the second person with speaker and day, and facts of one day are grouped', () => {
  const home = fact('user', 'lives in', 'Leipzig');
  expect(answerText([{ fact: home }], NOW)).toBe('You live in Leipzig. You said so on 21 November.');
  const sister = fact('user', 'has sister', 'Hannah');
  const entered = fact('Hannah', 'lives in', 'Oslo', { source: 'user' });
  const assumed = fact('user', 'likes', 'tea', { speaker: 'assistant' });
  expect(answerText([{ fact: home }, { fact: entered }, { fact: sister }, { fact: assumed }], NOW)).toBe(
    [
      'You live in Leipzig. Your sister is Hannah. You said so on 21 November.',
      'Hannah lives in Oslo. You entered this on 21 November.',
      'You like tea. An answer said so on 21 November.',
    ].join('\n\n'),
  );
});

it('DEMO-19: a date of another year includes the year', () => {
  const later = new Date(2027, 0, 2, 12).getTime();
  expect(answerText([{ fact: fact('user', 'lives in', 'Leipzig') }], later)).toBe(
    'You live in Leipzig. You said so on 21 November 2026.',
  );
});

it('DEMO-19: quotes are joined into one line, and their markdown is escaped', () => {
  const quote = { text: 'the *key* is\nin [the](x) `box`', messageId: 'm', saidAt: NOVEMBER };
  expect(answerText([{ quote }], NOW)).toBe(
    String.raw`You said on 21 November: “the \*key\* is in \[the\](x) \`box\`”`,
  );
});

it('DEMO-19: a statement is acknowledged with the facts understood from it, or with "Noted."', () => {
  expect(acknowledgmentText([])).toBe('Noted.');
  expect(acknowledgmentText([fact('user', 'lives in', 'Leipzig')])).toBe('Noted: you live in Leipzig.');
  expect(acknowledgmentText([fact('user', 'has dog', 'Rex_1'), fact('Rex', 'likes', 'bones')])).toBe(
    String.raw`Noted: your dog is Rex\_1; Rex likes bones.`,
  );
});
