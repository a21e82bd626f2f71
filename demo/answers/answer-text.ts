import type { MemoryFact } from '../../src/index.ts';
import { type FactWords, sentenceTo } from '../memory/fact-sentence.ts';
import type { Quote } from './sentence-that-answers.ts';

/** A fact to state, or a sentence of the user to quote. */
export type AnswerPart =
  | { readonly fact: MemoryFact; readonly quote?: undefined }
  | { readonly quote: Quote; readonly fact?: undefined };

/**
 * The answer as markdown, with who said it and on which day: "You live in Leipzig. You said so on 21 November."
 *
 * @param now milliseconds since 1970; dates of the same year are written without the year
 */
export function answerText(parts: readonly AnswerPart[], now: number): string {
  const bySpeaker = new Map<string, string[]>();
  for (const { fact } of parts) {
    if (!fact) continue;
    const saidSo = `${saidBy(fact)} on ${dayOf(fact.recordedAt, now)}.`;
    bySpeaker.set(saidSo, [...(bySpeaker.get(saidSo) ?? []), `${escaped(sentenceTo(fact))}.`]);
  }
  const sentences = [...bySpeaker].map(([saidSo, each]) => [...each, saidSo].join(' '));
  const quotes = parts.flatMap(({ quote }) =>
    quote ? [`You said on ${dayOf(quote.saidAt, now)}: “${escaped(quote.text)}”`] : [],
  );
  return [...sentences, ...quotes].join('\n\n');
}

/**
 * Acknowledges a statement with the facts that were understood from it, as markdown.
 *
 * @param kept what else it says, word for word
 */
export function acknowledgmentText(understood: readonly FactWords[], kept: readonly string[] = []): string {
  if (understood.length === 0) return 'Noted.';
  const [first = '', ...others] = understood.map((fact) => sentenceTo(fact).replace(/^You(?=r? )/u, 'you'));
  const noted = `Noted: ${[first, ...others].map(escaped).join('; ')}.`;
  const quotes = kept.map((text) => `“${escaped(text)}”`).join(', ');
  return kept.length === 0 ? noted : `${noted} Kept in your words: ${quotes}.`;
}

function saidBy({ source, speaker }: MemoryFact): string {
  if (source === 'user') return 'You entered this';
  return SAID_BY[speaker];
}

const SAID_BY: Readonly<Record<MemoryFact['speaker'], string>> = {
  user: 'You said so',
  assistant: 'An answer said so',
  tool: 'A tool said so',
  document: 'A text that you pasted said so',
  import: 'What you imported said so',
  model: 'The model read it so',
};

/** The date, without the year if it is the current one. */
function dayOf(at: number, now: number): string {
  const isThisYear = new Date(at).getFullYear() === new Date(now).getFullYear();
  return (isThisYear ? DAY : DAY_AND_YEAR).format(at);
}

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long' });
const DAY_AND_YEAR = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long' });

/** Escapes markdown and joins lines, so that the text is shown as it was written. */
function escaped(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').replaceAll(/[\\`*_[\]<>~|]/gu, String.raw`\$&`);
}
