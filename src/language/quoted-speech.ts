import { fold } from './fold.ts';
import { hasWord } from './words/life-words.ts';

/** Whether a colon in front of a word says that it is a text to work on, or what somebody else says. */
export function isIntroduced(text: string, place: number): boolean {
  const before = text.slice(Math.max(0, place - NEAR), place);
  const head = /(?:^|[.!?\n])([^.!?\n:：]*)[:：]\s*[^.!?\n]*$/u.exec(before)?.[1];
  if (head === undefined) return false;
  const folded = fold(head);
  return (
    hasWord(folded, 'material') ||
    hasWord(folded, 'say') ||
    hasWord(folded, 'request') ||
    /\b(?:you|he|she|they|him|her|them|wrote|writes|texted|posted|goes|sings|reads|sentence|example|lyrics?)\b/u.test(
      folded,
    )
  );
}

/** Number of characters around a word in which marks are looked for. */
const NEAR = 400;

/** Whether a word stands between marks, as what somebody else says. */
export function isInQuotationMarks(text: string, place: number): boolean {
  const before = text.slice(Math.max(0, place - NEAR), place);
  const after = text.slice(place, place + NEAR);
  return PAIRS.some(([open, close]) => {
    const opened = before.search(open);
    return opened >= 0 && close.test(after);
  });
}

const PAIRS: readonly (readonly [RegExp, RegExp])[] = [
  [/“[^”]*$|„[^“”]*$/u, /^[^“„]*[”“]/u],
  [/«[^»]*$/u, /^[^«]*»/u],
  [/^(?:[^"]*"[^"]*")*[^"]*"[^"]*$/u, /^[^"]*"/u],
  [
    /(?<![\p{L}\p{N}])['‘](?!\p{L}{0,2}\s)[^'’]*(?:\p{L}['’]\p{L}[^'’]*)*$/u,
    /^[^'’]*(?:\p{L}['’]\p{L}[^'’]*)*['’](?!\p{L})/u,
  ],
];
