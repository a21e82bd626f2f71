/** What a question asks for, by its question word. English only: undefined for questions in other languages. */
export type QuestionKind = 'time' | 'number' | 'place' | 'person';

export function questionKind(question: string): QuestionKind | undefined {
  return KINDS.find(([, pattern]) => pattern.test(question))?.[0];
}

const KINDS: readonly (readonly [QuestionKind, RegExp])[] = [
  [
    'time',
    /^\W*(?:when|what (?:day|date|month|year|time)|how long ago|(?:in|on) (?:which|what) (?:day|month|year))\b/i,
  ],
  ['number', /\bhow (?:many|much|often|long|old)\b/i],
  ['place', /^\W*where\b|\b(?:which|what) (?:city|town|country|state|place|location)\b/i],
  ['person', /^\W*who(?:se|m)?\b/i],
];
