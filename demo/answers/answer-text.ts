import type { MemoryFact } from '../../src/index.ts';
import { type FactWords, sentenceTo } from '../memory/fact-sentence.ts';
import type { Quote } from './sentence-that-answers.ts';

/** A fact that is told, or words of the user that are quoted. */
export type Told =
  | { readonly fact: MemoryFact; readonly quote?: undefined }
  | { readonly quote: Quote; readonly fact?: undefined };

/**
 * What is told, with whose word it is and the day, as markdown: "You live in Leipzig. You said so on 21 November."
 *
 * @param now the year of this time goes without saying; milliseconds since 1970
 */
export function toldWords(told: readonly Told[], now: number): string {
  const byWord = new Map<string, string[]>();
  for (const { fact } of told) {
    if (!fact) continue;
    const word = `${wordOf(fact)} on ${dayOf(fact.recordedAt, now)}.`;
    byWord.set(word, [...(byWord.get(word) ?? []), `${escaped(sentenceTo(fact))}.`]);
  }
  const sentences = [...byWord].map(([word, each]) => [...each, word].join(' '));
  const quotes = told.flatMap(({ quote }) =>
    quote ? [`You said on ${dayOf(quote.saidAt, now)}: “${escaped(quote.text)}”`] : [],
  );
  return [...sentences, ...quotes].join('\n\n');
}

/** The acknowledgment of a statement, with what was understood of it, as markdown. */
export function notedWords(understood: readonly FactWords[]): string {
  if (understood.length === 0) return 'Noted.';
  const [first = '', ...others] = understood.map((fact) => sentenceTo(fact).replace(/^You(?=r? )/u, 'you'));
  return `Noted: ${[first, ...others].map(escaped).join('; ')}.`;
}

function wordOf({ source, attributes }: MemoryFact): string {
  if (source === 'user') return 'You entered this';
  return WORDS[String(attributes['statedBy'])] ?? 'This was noted';
}

const WORDS: Readonly<Record<string, string>> = {
  user: 'You said so',
  assistant: 'An answer said so',
  tool: 'A tool said so',
  pasted: 'A text that you pasted said so',
  document: 'A text that you pasted said so',
  import: 'What you imported said so',
};

/** Without the year where it is this one. */
function dayOf(at: number, now: number): string {
  const isThisYear = new Date(at).getFullYear() === new Date(now).getFullYear();
  return (isThisYear ? DAY : DAY_AND_YEAR).format(at);
}

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long' });
const DAY_AND_YEAR = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long' });

/** In one line, and without what markdown reads as marks: it is shown as it was written. */
function escaped(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').replaceAll(/[\\`*_[\]<>~|]/gu, String.raw`\$&`);
}
