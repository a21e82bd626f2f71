import { MnemoraError } from '../model/error.ts';
import type { TermOptions } from './inverted-index.ts';

/** Cuts texts into the terms that keyword search goes by, for languages or words that the library's own knows little of. */
export interface Analyzer {
  /** Names it, with its version: an index that another one made is made again. */
  readonly id: string;
  /** The terms of a text, repeats included. Messages and questions go through it alike. */
  analyze(text: string): string[];
  /** Terms that count only in a question that has no others. @default none */
  readonly stopWords?: ReadonlySet<string>;
}

/**
 * How an index reads texts with an analyzer; by the library's own rules without one.
 *
 * @throws MnemoraError `invalid-input`, when a text is read, where the analyzer gives anything but strings
 */
export function termOptions(analyzer: Analyzer | undefined): TermOptions {
  if (!analyzer) return {};
  const { stopWords = new Set() } = analyzer;
  return { stopWords, analyze: (text) => checkTerms(analyzer.analyze(text), analyzer) };
}

function checkTerms(terms: unknown, { id }: Analyzer): string[] {
  if (Array.isArray(terms) && terms.every((term) => typeof term === 'string')) return terms;
  throw new MnemoraError('invalid-input', `The analyzer "${id}" must give a list of strings.`);
}
